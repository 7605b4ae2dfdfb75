import { ROLE } from '@sluice/contract/capability'
import type { RouteSpec } from '@sluice/contract/route'
import { ROUTES } from '@sluice/contract/routes/all'
import type { AskOptions, ManagementBench } from '@sluice/testkit/management-bench'
import { addChannel, addLog, addTrace, addUsage } from '@sluice/testkit/rows'

/**
 * Fields that programs of the One API family declare as integers, by their names on the wire: the structs of users, tokens,
 * channels, logs, redemptions, transactions, traces and dashboard rows. A Go program discards a whole reply if any of them has a
 * fraction.
 */
const FAMILY_INTEGERS: ReadonlySet<string> = new Set([
  'id',
  'user_id',
  'UserId',
  'inviter_id',
  'token_id',
  'channel',
  'role',
  'status',
  'type',
  'priority',
  'weight',
  'quota',
  'used_quota',
  'remain_quota',
  'total_quota',
  'pre_quota',
  'final_quota',
  'Quota',
  'request_count',
  'RequestCount',
  'prompt_tokens',
  'completion_tokens',
  'PromptTokens',
  'CompletionTokens',
  'cached_prompt_tokens',
  'cached_completion_tokens',
  'ephemeral_5m',
  'ephemeral_1h',
  'ratelimit',
  'created_at',
  'created_time',
  'accessed_time',
  'expired_time',
  'redeemed_time',
  'test_time',
  'updated_at',
  'balance_updated_time',
  'response_time',
  'response_time_ms',
  'elapsed_time',
  'elapsed_time_ms',
  'body_size',
  'expires_at',
  'confirmed_at',
  'canceled_at',
  'access_until',
  'start_time',
  'total',
  'request_received',
  'request_forwarded',
  'first_upstream_response',
  'first_client_response',
  'upstream_completed',
  'request_completed',
  'processing_time',
  'upstream_response_time',
  'response_processing_time',
  'streaming_time',
  'total_time',
])

/** In sub2api's shape, whose amounts are dollars. */
const IN_DOLLARS: ReadonlySet<string> = new Set(['/v1/usage'])

export interface SeenIntegers {
  /** `GET /api/log/: data.0.quota = 1.5` */
  readonly fractions: readonly string[]
  /** Calls with fields whose accompanying exact amount has a fraction: `GET /api/log/ quota`. */
  readonly exact: ReadonlySet<string>
  /** Exact amounts that do not round to the whole number next to them. */
  readonly apart: readonly string[]
}

/** Makes charges with fractions of a point everywhere, then requests every reply that can be read without changing anything. */
export async function walkFractions(bench: ManagementBench): Promise<SeenIntegers> {
  const { idOf, asked } = await chargeFractions(bench)
  const fractions: string[] = []
  const apart: string[] = []
  const exact = new Set<string>()
  const look = (call: string, path: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) {
      look(call, `${path}${name}.`, inner)
      if (typeof inner !== 'number' || !FAMILY_INTEGERS.has(name)) continue
      if (!Number.isInteger(inner)) fractions.push(`${call}: ${path}${name} = ${inner}`)
      const beside: unknown = Reflect.get(value, name === 'Quota' ? 'QuotaExact' : `${name}_exact`)
      if (typeof beside !== 'string') continue
      if (beside.includes('.')) exact.add(`${call} ${name}`)
      if (Math.abs(Number(beside) - inner) >= 1) apart.push(`${call}: ${path}${name} = ${inner}, ${beside}`)
    }
  }
  for (const { spec } of ROUTES) {
    if (spec.method !== 'GET' || spec.changes || IN_DOLLARS.has(spec.path)) continue
    const path = spec.path.replace(/:\w+/, idOf(spec)) + (spec.path.endsWith('/search') ? '?keyword=ro' : '')
    const { headers: _headers, ...reply } = await bench.ask(spec.method, path, asked(spec))
    look(`GET ${spec.path}`, '', reply)
  }
  return { fractions, exact, apart }
}

const REQUEST = '0199f000000070008000000000000001'

/** Root has spent a fractional amount of points on a token and a channel; `idOf` names an existing object for each call. */
async function chargeFractions(bench: ManagementBench) {
  const db = bench.database.kysely
  const root = await bench.addCaller('root', ROLE.root)
  const made = await bench.ask<{ id: number; key: string }>('POST', '/api/token/', {
    as: root,
    body: { name: 'root token', remain_quota: 100, budgets: [{ period: 'day', quota: 50 }] },
  })
  const token = made.data ?? { id: 0, key: '' }
  const channel = await addChannel(db, { name: 'root channel' })
  await bench.ask('POST', '/api/redemption/', { as: root, body: { name: 'root code', count: 1, quota: 7 } })
  const createdAt = Math.floor(bench.clock.now / 1_000) - 60
  const charge = { user_id: root.id, token_id: token.id, channel_id: channel, amount: 1_234n }
  await addLog(db, {
    ...charge,
    created_at: createdAt,
    username: 'root',
    token_name: 'root token',
    request_id: REQUEST,
  })
  await addUsage(db, { ...charge, day: Math.floor(createdAt / 86_400) })
  await addTrace(db, { request_id: REQUEST, received_ms: createdAt * 1_000, user_id: root.id })
  const fraction = { posted: 98_766n, spent: 1_234n, last_ms: bench.clock.now }
  for (const [kind, owner] of [['user', root.id] as const, ['token', token.id] as const]) {
    await bench.ledger.openAccount(kind, owner, false)
    await db.updateTable('account').set(fraction).where('kind', '=', kind).where('owner_id', '=', owner).execute()
  }
  const log = await db.selectFrom('log').select('id').executeTakeFirstOrThrow()
  const ids: Readonly<Record<string, number | bigint>> = {
    channel,
    token: token.id,
    user: root.id,
    trace: log.id,
    receipt: log.id,
  }
  const idOf = ({ path }: RouteSpec): string => {
    if (!path.includes(':id')) return REQUEST
    return String(Object.entries(ids).find(([word]) => path.includes(`/${word}/`))?.[1] ?? 1)
  }
  const asked = ({ access }: RouteSpec): AskOptions =>
    access === 'api_key' ? { headers: { authorization: `Bearer ${token.key}` } } : { as: root }
  return { idOf, asked }
}
