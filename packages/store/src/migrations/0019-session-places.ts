import type { Migration } from '../migration.ts'

/** Where a user is signed in: what the browser called itself, and its address. Empty for sessions from before. */
export const sessionPlaces: Migration = {
  name: '0019-session-places',
  breaking: false,
  statements: (t) => [
    `alter table session add column user_agent ${t.text} not null default ''`,
    `alter table session add column address ${t.text} not null default ''`,
  ],
}
