import type { ColumnTypes } from '../column-types.ts'
import type { Migration } from '../migration.ts'
import { sessionTriggers } from '../session-triggers.ts'

/**
 * What a client's session cost: the session and the client of each charge, and one row of sums for each session. Triggers keep it
 * (`session-triggers.ts`). Earlier rows of `log` name no session, so there is nothing to add up.
 */
export const usageSessions: Migration = {
  name: '0037-usage-sessions',
  breaking: false,
  statements: (t) => [
    `alter table log add column session ${t.text} not null default ''`,
    `alter table log add column client ${t.text} not null default ''`,
    `alter table log add column saved ${t.int8} not null default 0`,
    // Only rows with a session are in it, so other charges do not pay for it.
    `create index log_session on log (session, created_at, type, amount) where session <> ''`,
    table(t),
    // They contain what sessions are sorted by, so that sorting many reads no row.
    `create index usage_session_last on usage_session (last_at, first_at, amount, user_id)`,
    `create index usage_session_user on usage_session (user_id, last_at, first_at, amount)`,
    ...sessionTriggers(t.engine),
  ],
}

function table(t: ColumnTypes): string {
  return `create table usage_session (
    token_id ${t.int} not null,
    session ${t.text} not null,
    user_id ${t.int} not null,
    token_name ${t.text} not null,
    client ${t.text} not null,
    models ${t.text} not null,
    first_at ${t.safeInteger} not null,
    last_at ${t.safeInteger} not null,
    calls ${t.safeInteger} not null,
    amount ${t.int8} not null,
    saved ${t.int8} not null,
    prompt_tokens ${t.safeInteger} not null,
    completion_tokens ${t.safeInteger} not null,
    cached_prompt_tokens ${t.safeInteger} not null,
    cache_write_5m_tokens ${t.safeInteger} not null,
    cache_write_1h_tokens ${t.safeInteger} not null,
    reasoning_tokens ${t.safeInteger} not null,
    primary key (token_id, session)
  ) ${t.inKeyOrder}`
}
