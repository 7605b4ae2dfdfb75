import type { Migration } from '../migration.ts'

/** Who owns a response or an item that a provider stores, and which channel leads to it. */
export const keptResponses: Migration = {
  name: '0018-kept-responses',
  breaking: false,
  statements: (t) => [
    `create table kept_response (
      id ${t.text} primary key,
      user_id ${t.int} not null,
      channel_id ${t.int} not null,
      model ${t.text} not null,
      kept_ms ${t.safeInteger} not null
    ) ${t.inKeyOrder}`,
    `create index kept_response_by_time on kept_response (kept_ms)`,
  ],
}
