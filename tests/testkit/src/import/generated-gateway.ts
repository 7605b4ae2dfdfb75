import { createHash } from 'node:crypto'
import type { ImportFamily } from '@sluice/contract/import'
import * as fc from 'fast-check'
import { createTestSource, type SourceRows, type SourceType, type TestSource } from './foreign-sources.ts'

/** An export from here is a source of its own kind. */
type GeneratedFamily = Exclude<ImportFamily, 'sluice'>

/** A gateway of the family as a test imagines it. Amounts in whole points. */
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
  /** Why the row cannot be taken: index into the hostile values of its table; undefined for a sound row. */
  readonly hostile: number | undefined
}
export interface GeneratedUser extends Row {
  readonly name: string
  readonly isRoot: boolean
  readonly hasCode: boolean
  /** Had a code when it was last imported: users without one are known by their names. */
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

/** A column and what stands in it as SQL of SQLite: the row cannot be taken. */
interface HostileValue {
  readonly column: string
  readonly sql: string
  readonly family?: GeneratedFamily
}

const BAD_TEXTS = [
  `cast(x'c328' as text)`,
  `x'00ff00ff'`,
  `'a' || char(0) || 'b'`,
  `printf('%.*c', 1048576, 'x')`,
] as const
const of = (column: string, ...values: readonly string[]): readonly HostileValue[] =>
  values.map((sql) => ({ column, sql }))

/** Wrong types, NULLs where none belong, megabytes, other encodings, dates of year 0. */
export const HOSTILE: Readonly<Record<'users' | 'tokens' | 'channels' | 'redemptions', readonly HostileValue[]>> = {
  users: [
    ...of('username', 'null', `''`, ...BAD_TEXTS, `'a' || char(10) || 'b'`),
    ...of('password', 'null', `x'24'`, `printf('%.*c', 1048576, '$')`),
    ...of('quota', 'null', `'many'`, '1.5', '1e300', '9223372036854775807', `x'01'`, `'12 points'`),
    ...of('used_quota', `'many'`, '-9223372036854775808'),
    ...of('role', `'admin'`, '-1', '9000'),
    ...of('status', `'on'`, '99'),
    ...of('group', ...BAD_TEXTS, `'a,b'`, `'vip' || char(10)  || 'x'`),
    ...of('inviter_id', '-3', `'root'`),
    ...of('email', `cast(x'ff' as text)`),
    { column: 'totp_secret', sql: `'not base 32!'`, family: 'laisky' },
    { column: 'deleted_at', sql: `'0000-00-00 00:00:00'`, family: 'new-api' },
    { column: 'aff_quota', sql: '-1', family: 'new-api' },
  ],
  tokens: [
    ...of('user_id', 'null', '0', '-1', `'root'`),
    ...of('key', 'null', `''`, `'short'`, `'key with blanks in it'`, `'abcdefgh-12345'`, ...BAD_TEXTS),
    ...of('remain_quota', 'null', `'all'`, '0.5', `x'01'`),
    ...of('unlimited_quota', '7', `'perhaps'`, `x'01'`),
    ...of('expired_time', `'never'`, '-5', '1e15'),
    ...of('name', ...BAD_TEXTS),
    { column: 'subnet', sql: `'10.0.0.0/99'`, family: 'one-api' },
    { column: 'allow_ips', sql: `'everywhere'`, family: 'new-api' },
    { column: 'deleted_at', sql: `'0000-00-00'`, family: 'new-api' },
  ],
  channels: [
    ...of('type', 'null', '-1', `'OpenAI'`, '1e9'),
    ...of('key', 'null', `cast(x'c328' as text)`, `x'00'`, `'a' || char(0)`, `printf('%.*c', 1048576, 'x')`),
    ...of('models', `cast(x'c328' as text)`, `printf('%.*c', 1048576, 'x')`),
    ...of('used_quota', `'much'`),
    ...of('priority', `'first'`, '2147483648'),
  ],
  redemptions: [
    ...of('key', 'null', `''`, `'a b c d'`, ...BAD_TEXTS),
    ...of('quota', 'null', '0', '-5', `'free'`, '1e300'),
    ...of('status', 'null', '0', '4', `'used'`),
  ],
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

/** Columns that only one program has: by them it is recognised. */
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
const CREATED = 1_700_000_000
const DELETED = '2026-11-24 15:14:04.83+00:00'
/** A hash of the password `a`, in bcrypt's cheapest cost. */
const BCRYPT = '$2a$04$abcdefghijklmnopqrstuuJ3XGfWgb9b0mRoNpHg4oWPGFjqsGmxa'

/** Writes it as a SQLite file; remove it yourself. */
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
        ...{ id, user_id: userId, key, name: `token ${id}`, status: 1, created_time: CREATED, expired_time: -1 },
        ...{ unlimited_quota: isUnlimited ? 1 : 0, remain_quota: remain, used_quota: 5 },
      })),
    ),
    table(
      'channels',
      CHANNELS,
      channels.map(({ id, type, createdTime }) => ({
        ...{ id, type, key: `key-of-channel-${id}`, status: 1, name: `channel ${id}`, created_time: createdTime },
        ...{ models: 'gpt-4o,gpt-4o-mini', group: 'default', used_quota: 7, priority: 0, base_url: '' },
      })),
    ),
    table(
      'redemptions',
      CODES,
      codes.map(({ id, code, status, quota }) => ({
        ...{ id, user_id: 1, key: code, status, name: 'codes', quota, created_time: CREATED },
        redeemed_time: status === 3 ? CREATED : 0,
      })),
    ),
    table(
      'logs',
      LOGS,
      logs.map(({ id, userId, quota }) => ({
        ...{ id, user_id: userId, created_at: CREATED + id * 40_000, type: 2, token_name: 'token 1', quota },
        ...{ model_name: 'gpt-4o', prompt_tokens: 10, completion_tokens: 2, channel_id: 1 },
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
    ...{ id, username: name, password: BCRYPT, display_name: '', role: isRoot ? 100 : 1, email: '', group: 'default' },
    status: isDeleted && family !== 'new-api' ? 3 : 1,
    ...{ aff_code: hasCode ? `c${id}` : '', inviter_id: id > 2 ? 1 : 0, quota, used_quota: 3, request_count: 1 },
    ...(family === 'new-api' ? { aff_quota: reward, deleted_at: isDeleted ? DELETED : null } : {}),
  }
}

function hostileValue(family: GeneratedFamily, table: keyof typeof HOSTILE, at: number): HostileValue | undefined {
  const values = HOSTILE[table].filter((value) => value.family === undefined || value.family === family)
  return values[at % values.length]
}

/** A gateway in which every hostile value stands in a row of its own, and the fields of those rows as a report has to name them. */
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
    ...{ name: `user${id}`, isRoot: false, hasCode: true, isDeleted: false, quota: 100 + id, reward: 0 },
  }))
  const tokens = rows<GeneratedToken>('tokens', (id) => ({
    ...{ userId: 1, key: `key${id}${'x'.repeat(40)}`, isUnlimited: false, remain: 50 + id },
  }))
  const channels = rows<GeneratedChannel>('channels', (id) => ({ type: 1, createdTime: CREATED + id }))
  const codes = rows<GeneratedCode>('redemptions', (id) => ({ code: `code-${id}-0123456789`, status: 1, quota: id }))
  return {
    gateway: { family, users: users.rows, tokens: tokens.rows, channels: channels.rows, codes: codes.rows, logs: [] },
    fields: [users, tokens, channels, codes].flatMap(({ fields }) => fields),
  }
}

/** What has to arrive of a gateway, added up from its rows. */
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

/** Balance of a user: what invitations earned is part of it. */
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

/** Whether some row cannot be taken. */
export function isHostile({ family: _family, logs: _logs, ...tables }: GeneratedGateway): boolean {
  // A deleted row is not looked at any further.
  const { users, ...others } = tables
  return (
    Object.values(others).some((rows) => rows.some(({ hostile }) => hostile !== undefined)) ||
    users.some(({ hostile, isDeleted }) => hostile !== undefined && !isDeleted)
  )
}

const amount = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 1_000_000 }) },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 500_000_000_000_000) },
)
const balance = fc.oneof({ weight: 9, arbitrary: amount }, { weight: 1, arbitrary: fc.integer({ min: -500, max: -1 }) })

/** `hostility`: the weight of hostile rows beside that of sound ones, 20. */
export function generatedGateways(hostility: number): fc.Arbitrary<GeneratedGateway> {
  const hostile = fc.oneof(
    { weight: 20, arbitrary: fc.constant(undefined) },
    ...(hostility === 0 ? [] : [{ weight: hostility, arbitrary: fc.nat(999) }]),
  )
  return fc
    .record({
      family: fc.constantFrom<GeneratedFamily>('one-api', 'laisky', 'new-api'),
      users: fc.array(
        fc.record({ hostile, quota: balance, reward: fc.nat(50), isDeleted: rare, hasCode: often, gap: fc.nat(2) }),
        { maxLength: 8 },
      ),
      tokens: fc.array(
        fc.record({ hostile, owner: fc.nat(9), isUnlimited: fc.boolean(), remain: balance, gap: fc.nat(2) }),
        { maxLength: 8 },
      ),
      channels: fc.array(fc.record({ hostile, type: fc.integer({ min: 0, max: 60 }) }), { maxLength: 4 }),
      codes: fc.array(fc.record({ hostile, status: fc.constantFrom(1, 1, 2, 3), quota: amount.map((n) => n + 1) }), {
        maxLength: 4,
      }),
      logs: fc.array(fc.record({ user: fc.nat(9), quota: fc.nat(500) }), { maxLength: 6 }),
    })
    .map(({ family, users, tokens, channels, codes, logs }) => {
      let id = 1
      const root = {
        id,
        name: 'root',
        isRoot: true,
        hasCode: false,
        isDeleted: false,
        quota: 5_000,
        reward: 0,
        hostile: undefined,
      }
      const others = users.map(({ gap, ...user }) => {
        id += 1 + gap
        return { ...user, id, name: `user${id}`, isRoot: false }
      })
      const everyone = [root, ...others]
      let tokenId = 0
      return {
        family,
        users: everyone,
        tokens: tokens.map(({ gap, owner, ...token }) => {
          tokenId += 1 + gap
          const userId = everyone[owner % everyone.length]?.id ?? 1
          return { ...token, id: tokenId, userId, key: `key${tokenId}${'x'.repeat(40)}` }
        }),
        channels: channels.map((channel, at) => ({ ...channel, id: at + 1, createdTime: CREATED + at })),
        codes: codes.map((code, at) => ({ ...code, id: at + 1, code: `code-${at}-0123456789abcdef` })),
        logs: logs.map(({ user, quota }, at) => ({ id: at + 1, userId: user + 1, quota })),
      }
    })
}

const rare = fc.integer({ min: 0, max: 9 }).map((n) => n === 0)
const often = fc.integer({ min: 0, max: 9 }).map((n) => n > 0)

/** What happens at a gateway between two imports; numbers choose rows. */
export type GatewayChange =
  | { readonly kind: 'balance' | 'limit'; readonly at: number; readonly to: number }
  | { readonly kind: ChangeKind; readonly at: number; readonly other: number }
type ChangeKind =
  | 'add-user'
  | 'delete-user'
  | 'drop-user'
  | 'swap-names'
  | 'take-name'
  | 'gain-code'
  | 'switch-limit'
  | 'renew-token'
  | 'drop-token'
  | 'add-token'
  | 'use-code'
  | 'change-channel'
  | 'renew-channel'
  | 'drop-channel'
  | 'add-log'

export const gatewayChanges: fc.Arbitrary<readonly GatewayChange[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('balance', 'limit'), at: fc.nat(20), to: amount }),
    fc.record({
      kind: fc.constantFrom<ChangeKind>(
        'add-user',
        'delete-user',
        'drop-user',
        'swap-names',
        'take-name',
        'gain-code',
        'switch-limit',
        'renew-token',
        'drop-token',
        'add-token',
        'use-code',
        'change-channel',
        'renew-channel',
        'drop-channel',
        'add-log',
      ),
      at: fc.nat(20),
      other: fc.nat(20),
    }),
  ),
  { maxLength: 6 },
)

/** The gateway after these changes. */
export function changed(gateway: GeneratedGateway, changes: readonly GatewayChange[]): GeneratedGateway {
  const users = gateway.users.map((user) => ({ ...user, isRenamable: user.hasCode }))
  return changes.reduce(changedOnce, { ...gateway, users })
}

const idAfter = (rows: readonly { readonly id: number }[]): number => Math.max(0, ...rows.map(({ id }) => id)) + 1

function changedOnce(gateway: GeneratedGateway, change: GatewayChange, step: number): GeneratedGateway {
  const { users, tokens, channels, codes, logs } = gateway
  const replace = <R>(rows: readonly R[], at: number, next: (row: R) => R): readonly R[] =>
    rows.map((row, i) => (i === at % rows.length ? next(row) : row))
  const drop = <R>(rows: readonly R[], at: number): readonly R[] => rows.filter((_, i) => i !== at % rows.length)
  const { kind, at } = change
  // Root, the first, stays what it is.
  const [root, ...people] = users
  const withPeople = (next: readonly GeneratedUser[]) => ({
    ...gateway,
    users: root === undefined ? next : [root, ...next],
  })
  const [person, another] = [
    people[at % people.length],
    'other' in change ? people[change.other % people.length] : undefined,
  ]
  const canRename = person?.isRenamable === true && another?.isRenamable === true && person !== another
  switch (kind) {
    case 'balance':
      return { ...gateway, users: replace(users, at, (user) => ({ ...user, quota: change.to })) }
    case 'limit':
      return { ...gateway, tokens: replace(tokens, at, (token) => ({ ...token, remain: change.to })) }
    case 'add-user': {
      const id = idAfter(users) + 100
      const fresh = { isRoot: false, hasCode: true, isDeleted: false, quota: at, reward: 1, hostile: undefined }
      return withPeople([...people, { id, name: `user${id}`, ...fresh }])
    }
    case 'delete-user':
      return withPeople(replace(people, at, (user) => ({ ...user, isDeleted: true })))
    case 'drop-user':
      return withPeople(drop(people, at))
    case 'swap-names':
      if (!canRename) return gateway
      return withPeople(
        people.map((user) =>
          user === person ? { ...user, name: another.name } : user === another ? { ...user, name: person.name } : user,
        ),
      )
    case 'take-name':
      // The name of somebody who is dropped at the same time.
      if (!canRename) return gateway
      return withPeople(
        people.flatMap((user) =>
          user === another ? [] : user === person ? [{ ...user, name: another.name }] : [user],
        ),
      )
    case 'gain-code':
      return withPeople(replace(people, at, (user) => ({ ...user, hasCode: true })))
    case 'switch-limit':
      return { ...gateway, tokens: replace(tokens, at, (token) => ({ ...token, isUnlimited: !token.isUnlimited })) }
    case 'renew-token':
      // Dropped, and another one made that is given the same id.
      return {
        ...gateway,
        tokens: replace(tokens, at, (token) => ({ ...token, key: `${token.key}r${step}`, remain: 11 })),
      }
    case 'drop-token':
      return { ...gateway, tokens: drop(tokens, at) }
    case 'add-token': {
      const id = idAfter(tokens) + 100
      const userId = users[at % users.length]?.id ?? 1
      const key = `key${id}${'x'.repeat(40)}`
      return {
        ...gateway,
        tokens: [...tokens, { id, userId, key, isUnlimited: false, remain: at, hostile: undefined }],
      }
    }
    case 'use-code':
      return { ...gateway, codes: replace(codes, at, (code) => ({ ...code, status: 3 })) }
    case 'change-channel':
      return {
        ...gateway,
        channels: replace(channels, at, (channel) => ({ ...channel, type: (channel.type + 1) % 60 })),
      }
    case 'renew-channel':
      return {
        ...gateway,
        channels: replace(channels, at, (channel) => ({ ...channel, createdTime: channel.createdTime + 500 })),
      }
    case 'drop-channel':
      return { ...gateway, channels: drop(channels, at) }
    case 'add-log':
      return { ...gateway, logs: [...logs, { id: idAfter(logs), userId: at + 1, quota: at }] }
  }
}
