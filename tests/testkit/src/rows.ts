import { PLAIN_LOG_COLUMNS } from '@sluice/contract/fields/log'
import { columnsOfSettings, PLAIN_TOKEN } from '@sluice/contract/fields/token'
import type { Schema } from '@sluice/store/schema/schema'
import type { Insertable, Kysely } from 'kysely'

/** Rows for query tests, with defaults for everything that a test does not set. Accounts are as the ledger would write them. */

export async function addUser(
  db: Kysely<Schema>,
  values: Partial<Insertable<Schema['user']>> & { readonly username: string },
  balance: { readonly posted?: bigint; readonly spent?: bigint; readonly requests?: number } = {},
): Promise<number> {
  const { id } = await db
    .insertInto('user')
    .values({
      password_hash: '',
      display_name: values.username,
      role: 1,
      status: 1,
      email: '',
      group_name: 'default',
      created_time: 1_700_000_000,
      ...values,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addAccount(db, { kind: 'user', owner_id: id, ...balance })
  return id
}

export async function addToken(
  db: Kysely<Schema>,
  values: Partial<Insertable<Schema['token']>> & { readonly user_id: number; readonly name: string },
  limit: { readonly posted?: bigint; readonly spent?: bigint; readonly last_ms?: number } = {},
): Promise<number> {
  const { id } = await db
    .insertInto('token')
    .values({
      ...columnsOfSettings(PLAIN_TOKEN),
      key_hash: `${values.user_id}/${values.name}`,
      key_sealed: '',
      status: 1,
      created_time: 1_700_000_000,
      ...values,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addAccount(db, { kind: 'token', owner_id: id, unlimited: values.unlimited ?? 0, ...limit })
  return id
}

export async function addChannel(
  db: Kysely<Schema>,
  values: Partial<Insertable<Schema['channel']>> = {},
): Promise<number> {
  const { id } = await db
    .insertInto('channel')
    .values({
      name: 'channel',
      type: 1,
      key_sealed: '',
      base_url: '',
      other: '',
      models: 'gpt-4o',
      group_names: 'default',
      priority: 0,
      weight: 0,
      ratelimit: 0,
      status: 1,
      response_time: 0,
      test_time: 0,
      created_time: 1_700_000_000,
      config: '',
      ...values,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function addLog(
  db: Kysely<Schema>,
  values: Partial<Insertable<Schema['log']>> & { readonly created_at: number },
): Promise<void> {
  await db
    .insertInto('log')
    .values({
      ...PLAIN_LOG_COLUMNS,
      type: 2,
      user_id: 1,
      username: 'user',
      token_id: 1,
      token_name: 'token',
      model_name: 'gpt-4o',
      origin_model_name: 'gpt-4o',
      channel_id: 1,
      channel_name: 'channel',
      amount: 1_000n,
      prompt_tokens: 10,
      completion_tokens: 5,
      elapsed_ms: 100,
      ended: 'complete',
      ...values,
    })
    .execute()
}

export async function addUsage(
  db: Kysely<Schema>,
  values: Partial<Insertable<Schema['usage_daily']>> & { readonly day: number },
): Promise<void> {
  await db
    .insertInto('usage_daily')
    .values({
      user_id: 1,
      token_id: 1,
      channel_id: 1,
      model: 'gpt-4o',
      requests: 1,
      prompt_tokens: 10,
      completion_tokens: 5,
      amount: 1_000n,
      ...values,
    })
    .execute()
}

/** The transfer row of a charge's log row, which has the time of the charge. Moves no money. */
export async function addTransfer(
  db: Kysely<Schema>,
  values: Partial<Insertable<Schema['transfer']>> & { readonly request_id: string; readonly at_ms: number },
): Promise<void> {
  const sums = { input_tokens: 0, cached_tokens: 0, cache_write_5m_tokens: 0, cache_write_1h_tokens: 0 }
  await db
    .insertInto('transfer')
    .values({
      kind: 'charge',
      debit: null,
      credit: null,
      limit_account: null,
      amount: 0n,
      price_id: null,
      ...sums,
      output_tokens: 0,
      channel_id: 0,
      model: '',
      actor: 0,
      reason: '',
      ...values,
    })
    .execute()
}

export async function addTrace(
  db: Kysely<Schema>,
  values: Partial<Insertable<Schema['trace']>> & { readonly request_id: string; readonly received_ms: number },
): Promise<void> {
  await db
    .insertInto('trace')
    .values({
      user_id: 1,
      url: '/v1/chat/completions',
      method: 'POST',
      status: 200,
      body_size: 120,
      forwarded_ms: values.received_ms + 5,
      first_upstream_ms: values.received_ms + 105,
      first_client_ms: values.received_ms + 106,
      upstream_completed_ms: values.received_ms + 306,
      completed_ms: values.received_ms + 310,
      attempts: '[]',
      ...values,
    })
    .execute()
}

async function addAccount(
  db: Kysely<Schema>,
  values: Partial<Insertable<Schema['account']>> & { readonly kind: 'user' | 'token'; readonly owner_id: number },
): Promise<void> {
  await db
    .insertInto('account')
    .values({
      posted: 0n,
      held: 0n,
      spent: 0n,
      requests: 0,
      credit_floor: 0n,
      unlimited: 0,
      last_ms: 0,
      ...values,
    })
    .execute()
}
