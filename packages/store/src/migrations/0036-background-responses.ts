import type { Migration } from '../migration.ts'

/** Responses that are made while no client waits, until they have been fetched or their hour is over. */
export const backgroundResponses: Migration = {
  name: '0036-background-responses',
  breaking: false,
  statements: (t) => [
    `create table background_response (
      id ${t.text} primary key,
      user_id ${t.int} not null,
      status ${t.text} not null,
      response_sealed ${t.text} not null,
      bytes ${t.safeInteger} not null,
      provider_id ${t.text} not null default '',
      alive_ms ${t.safeInteger} not null,
      expires_ms ${t.safeInteger} not null
    )`,
    `create index background_response_by_user on background_response (user_id, expires_ms, bytes)`,
    `create index background_response_by_time on background_response (expires_ms)`,
  ],
}
