import type { Migration } from '../migration.ts'

/** Addresses are looked up regardless of case, and stored as their owner wrote them. */
export const emailAnyCase: Migration = {
  name: '0009-email-any-case',
  breaking: false,
  statements: () => [`drop index user_by_email`, `create index user_by_email on "user" (lower(email))`],
}
