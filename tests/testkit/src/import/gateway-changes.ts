import * as fc from 'fast-check'
import { type GeneratedFamily, type GeneratedGateway, type GeneratedUser, CREATED } from './generated-gateway.ts'

const amount = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 1_000_000 }) },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 500_000_000_000_000) },
)
const balance = fc.oneof({ weight: 9, arbitrary: amount }, { weight: 1, arbitrary: fc.integer({ min: -500, max: -1 }) })

/** `hostility`: weight of hostile rows; valid rows have 20. */
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

/** A change at a gateway between two imports; numbers select rows. */
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
  // Root, the first user, does not change.
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
      // The name belongs to a user who is dropped at the same time.
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
      // Dropped, and recreated with the same id.
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
