import { createHash } from 'node:crypto'
import type { ImportFamily } from '@sluice/contract/import'
import { createTestSource, type SourceRows, type SourceType, type TestSource } from './foreign-sources.ts'
import { HOSTILE, type HostileValue } from './hostile-values.ts'

/** `sluice` is left out, because an export is a different kind of source. */
export type GeneratedFamily = Exclude<ImportFamily, 'sluice'>

/** A generated gateway of the family. Amounts in whole points. */
export interface GeneratedGateway {
  readonly family: GeneratedFamily
  readonly users: readonly GeneratedUser[]
  readonly tokens: readonly GeneratedToken[]
  readonly channels: readonly GeneratedChannel[]
  readonly codes: readonly GeneratedCode[]
  readonly logs: readonly GeneratedLog[]
}

interface Row {
  readonly id: number
  /** Why the row cannot be imported: index into the hostile values of its table; undefined for a valid row. */
  readonly hostile: number | undefined
}
export interface GeneratedUser extends Row {
  readonly name: string
  readonly isRoot: boolean
  readonly hasCode: boolean
  /** Had an invitation code at the last import; users without a code are identified by name. */
  readonly isRenamable?: boolean
  readonly isDeleted: boolean
  readonly quota: number
  readonly reward: number
}
export interface GeneratedToken extends Row {
  readonly userId: number
  readonly key: string
  readonly isUnlimited: boolean
  readonly remain: number
}
export interface GeneratedChannel extends Row {
  readonly type: number
  readonly createdTime: number
}
export interface GeneratedCode extends Row {
  readonly code: string
  readonly status: number
  readonly quota: number
}
export interface GeneratedLog {
  readonly id: number
  readonly userId: number
  readonly quota: number
}

const USERS: Readonly<Record<string, SourceType>> = {
  id: 'integer',
  username: 'text',
  password: 'text',
  display_name: 'text',
  role: 'integer',
  status: 'integer',
  email: 'text',
  group: 'text',
  aff_code: 'text',
  inviter_id: 'integer',
  quota: 'integer',
  used_quota: 'integer',
  request_count: 'integer',
}
const TOKENS: Readonly<Record<string, SourceType>> = {
  id: 'integer',
  user_id: 'integer',
  key: 'text',
  name: 'text',
  status: 'integer',
  created_time: 'integer',
  expired_time: 'integer',
  unlimited_quota: 'boolean',
  remain_quota: 'integer',
  used_quota: 'integer',
}
const CHANNELS: Readonly<Record<string, SourceType>> = {
  id: 'integer',
  type: 'integer',
  key: 'text',
  status: 'integer',
  name: 'text',
  created_time: 'integer',
  models: 'text',
  group: 'text',
  used_quota: 'integer',
  priority: 'integer',
  base_url: 'text',
}
const CODES: Readonly<Record<string, SourceType>> = {
  id: 'integer',
  user_id: 'integer',
  key: 'text',
  status: 'integer',
  name: 'text',
  quota: 'integer',
  created_time: 'integer',
  redeemed_time: 'integer',
}
const LOGS: Readonly<Record<string, SourceType>> = {
  id: 'integer',
  user_id: 'integer',
  created_at: 'integer',
  type: 'integer',
  token_name: 'text',
  model_name: 'text',
  quota: 'integer',
  prompt_tokens: 'integer',
  completion_tokens: 'integer',
  channel_id: 'integer',
}

/** Columns by which each program is recognised, because no other has them. */
const OWN: Readonly<Record<GeneratedFamily, Readonly<Record<string, Readonly<Record<string, SourceType>>>>>> = {
  'one-api': { users: {}, tokens: { models: 'text', subnet: 'text' }, channels: { config: 'text' } },
  laisky: {
    users: { totp_secret: 'text' },
    tokens: { models: 'text', subnet: 'text' },
    channels: { config: 'text', model_configs: 'text' },
  },
  'new-api': {
    users: { aff_quota: 'integer', deleted_at: 'text' },
    tokens: { model_limits: 'text', model_limits_enabled: 'boolean', allow_ips: 'text', deleted_at: 'text' },
    channels: { channel_info: 'text' },
  },
}
export const CREATED = 1_700_000_000
const DELETED = '2026-11-24 15:14:04.83+00:00'
/** A bcrypt hash of the password `a`, at the lowest cost. */
const BCRYPT = '$2a$04$abcdefghijklmnopqrstuuJ3XGfWgb9b0mRoNpHg4oWPGFjqsGmxa'

/** Writes a SQLite file, which the caller must remove. */
export async function writeGateway(gateway: GeneratedGateway): Promise<TestSource> {
  const { family, users, tokens, channels, codes, logs } = gateway
  const own = OWN[family]
  const table = (name: string, columns: SourceRows['columns'], rows: readonly Readonly<Record<string, Value>>[]) => {
    const all = { ...columns, ...own[name] }
    return { table: name, columns: all, rows: rows.map((row) => Object.keys(all).map((column) => row[column] ?? null)) }
  }
  const source = await createTestSource('sqlite', [
    table(
      'users',
      USERS,
      users.map((user) => ({ ...userRow(user, family) })),
    ),
    table(
      'tokens',
      TOKENS,
      tokens.map(({ id, userId, key, isUnlimited, remain }) => ({
        id,
        user_id: userId,
        key,
        name: `token ${id}`,
        status: 1,
        created_time: CREATED,
        expired_time: -1,
        unlimited_quota: isUnlimited ? 1 : 0,
        remain_quota: remain,
        used_quota: 5,
      })),
    ),
    table(
      'channels',
      CHANNELS,
      channels.map(({ id, type, createdTime }) => ({
        id,
        type,
        key: `key-of-channel-${id}`,
        status: 1,
        name: `channel ${id}`,
        created_time: createdTime,
        models: 'gpt-4o,gpt-4o-mini',
        group: 'default',
        used_quota: 7,
        priority: 0,
        base_url: '',
      })),
    ),
    table(
      'redemptions',
      CODES,
      codes.map(({ id, code, status, quota }) => ({
        id,
        user_id: 1,
        key: code,
        status,
        name: 'codes',
        quota,
        created_time: CREATED,
        redeemed_time: status === 3 ? CREATED : 0,
      })),
    ),
    table(
      'logs',
      LOGS,
      logs.map(({ id, userId, quota }) => ({
        id,
        user_id: userId,
        created_at: CREATED + id * 4e4,
        type: 2,
        token_name: 'token 1',
        quota,
        model_name: 'gpt-4o',
        prompt_tokens: 10,
        completion_tokens: 2,
        channel_id: 1,
      })),
    ),
  ])
  const named = { users, tokens, channels, redemptions: codes }
  const updates = (['users', 'tokens', 'channels', 'redemptions'] as const).flatMap((name) =>
    named[name].flatMap(({ id, hostile }) => {
      const value = hostile === undefined ? undefined : hostileValue(family, name, hostile)
      return value === undefined ? [] : [`update "${name}" set "${value.column}" = ${value.sql} where id = ${id}`]
    }),
  )
  if (updates.length > 0) await source.run(updates.join(';'))
  return source
}

type Value = string | number | null

function userRow(user: GeneratedUser, family: GeneratedFamily): Readonly<Record<string, Value>> {
  const { id, name, isRoot, hasCode, isDeleted, quota, reward } = user
  return {
    id,
    username: name,
    password: BCRYPT,
    display_name: '',
    role: isRoot ? 100 : 1,
    email: '',
    group: 'default',
    status: isDeleted && family !== 'new-api' ? 3 : 1,
    aff_code: hasCode ? `c${id}` : '',
    inviter_id: id > 2 ? 1 : 0,
    quota,
    used_quota: 3,
    request_count: 1,
    ...(family === 'new-api'
      ? {
          aff_quota: reward,
          deleted_at: isDeleted ? DELETED : null,
        }
      : {}),
  }
}

function hostileValue(family: GeneratedFamily, table: keyof typeof HOSTILE, at: number): HostileValue | undefined {
  const values = HOSTILE[table].filter((value) => value.family === undefined || value.family === family)
  return values[at % values.length]
}

/** A gateway with every hostile value in a row of its own, and the fields that the report has to name. */
export function hostileGateway(family: GeneratedFamily): {
  readonly gateway: GeneratedGateway
  readonly fields: readonly { readonly table: string; readonly id: string; readonly field: string }[]
} {
  const rows = <R extends Row>(table: keyof typeof HOSTILE, row: (id: number) => Omit<R, 'hostile' | 'id'>) => {
    const values = HOSTILE[table].filter((value) => value.family === undefined || value.family === family)
    const fields = values.map(({ column }, at) => ({ table, id: String(at + 2), field: column }))
    const all = [undefined, ...values.keys()].map((hostile, at) => ({ ...row(at + 1), id: at + 1, hostile }))
    return { fields, rows: all as unknown as readonly R[] }
  }
  const users = rows<GeneratedUser>('users', (id) => ({
    name: `user${id}`,
    isRoot: false,
    hasCode: true,
    isDeleted: false,
    quota: 100 + id,
    reward: 0,
  }))
  const tokens = rows<GeneratedToken>('tokens', (id) => ({
    userId: 1,
    key: `key${id}${'x'.repeat(40)}`,
    isUnlimited: false,
    remain: 50 + id,
  }))
  const channels = rows<GeneratedChannel>('channels', (id) => ({ type: 1, createdTime: CREATED + id }))
  const codes = rows<GeneratedCode>('redemptions', (id) => ({ code: `code-${id}-0123456789`, status: 1, quota: id }))
  return {
    gateway: { family, users: users.rows, tokens: tokens.rows, channels: channels.rows, codes: codes.rows, logs: [] },
    fields: [users, tokens, channels, codes].flatMap(({ fields }) => fields),
  }
}

/** Expected results of an import, calculated from the rows. */
export interface ExpectedTotals {
  readonly users: number
  readonly balances: string
  readonly digest: string
  readonly tokens: number
  readonly limits: string
  readonly channels: number
  readonly codes_unused: number
  readonly codes: string
}

export function takenUsers({ users }: GeneratedGateway): readonly GeneratedUser[] {
  return users.filter(({ hostile, isDeleted }) => hostile === undefined && !isDeleted)
}

export function takenTokens(gateway: GeneratedGateway): readonly GeneratedToken[] {
  const users = new Set(takenUsers(gateway).map(({ id }) => id))
  return gateway.tokens.filter(({ hostile, userId }) => hostile === undefined && users.has(userId))
}

/** Includes what the user earned by invitations. */
export function balanceOf({ family }: GeneratedGateway, { quota, reward }: GeneratedUser): number {
  return family === 'new-api' ? quota + reward : quota
}

export function expectedTotals(gateway: GeneratedGateway): ExpectedTotals {
  const users = takenUsers(gateway).toSorted((a, b) => a.id - b.id)
  const lines = users.map((user) => `${user.id}:${balanceOf(gateway, user)}\n`)
  const tokens = takenTokens(gateway)
  const unused = gateway.codes.filter(({ hostile, status }) => hostile === undefined && status === 1)
  const sum = (amounts: readonly number[]): string => String(amounts.reduce((total, one) => total + BigInt(one), 0n))
  return {
    users: users.length,
    balances: sum(users.map((user) => balanceOf(gateway, user))),
    digest: createHash('sha256').update(lines.join('')).digest('hex'),
    tokens: tokens.length,
    limits: sum(tokens.map(({ isUnlimited, remain }) => (isUnlimited ? 0 : remain))),
    channels: gateway.channels.filter(({ hostile }) => hostile === undefined).length,
    codes_unused: unused.length,
    codes: sum(unused.map(({ quota }) => quota)),
  }
}

export function isHostile({ family, logs: _logs, ...tables }: GeneratedGateway): boolean {
  // A deleted row is not examined further, unless the hostile value is in the column that marks it as deleted.
  const deletion = family === 'new-api' ? 'deleted_at' : 'status'
  const hides = (at: number) => hostileValue(family, 'users', at)?.column === deletion
  const { users, ...others } = tables
  return (
    Object.values(others).some((rows) => rows.some(({ hostile }) => hostile !== undefined)) ||
    users.some(({ hostile, isDeleted }) => hostile !== undefined && (!isDeleted || hides(hostile)))
  )
}
