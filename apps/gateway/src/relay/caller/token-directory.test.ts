import { PLAIN_TOKEN } from '@sluice/contract/fields/token'
import type { TokenSnapshot } from '@sluice/store/snapshots/tokens'
import { expect, test } from 'vitest'
import { createTokenDirectory } from './token-directory.ts'

function snapshot(id: number, more: Partial<TokenSnapshot['token']> = {}): TokenSnapshot {
  return {
    token: {
      ...PLAIN_TOKEN,
      id,
      name: `t${id}`,
      status: 1,
      unlimited: true,
      models: [],
      subnet: [],
      groups: [],
      limits: PLAIN_TOKEN,
      guard: PLAIN_TOKEN,
      ...more,
    },
    user: { id: 1, username: 'ann', status: 1, role: 1, group: 'default' },
    userAccount: undefined,
    tokenAccount: undefined,
  }
}

/** A directory over a map of rows that counts queries. */
function directory(rows: Map<string, TokenSnapshot>, limits = { known: 2, absent: 2, pending: 2 }) {
  const requested: string[] = []
  const errors: unknown[] = []
  const tokens = createTokenDirectory({
    find: async (digest) => {
      requested.push(digest)
      await Promise.resolve()
      return rows.get(digest)
    },
    openOwnKey: () => undefined,
    onError: (error) => void errors.push(error),
    limits,
  })
  return { tokens, requested, errors }
}

const idOf = (entry: unknown) => (entry as { snapshot: TokenSnapshot }).snapshot.token.id

test('keys that share a long prefix have entries of their own', () => {
  const { tokens } = directory(new Map())
  const prefix = 'A'.repeat(47)
  expect(tokens.digest(`${prefix}1`)).not.toBe(tokens.digest(`${prefix}2`))
  expect(tokens.digest(`${prefix}1`)).toMatch(/^[0-9a-f]{64}$/)
})

test('a loaded token is cached until the rows change', async () => {
  const rows = new Map([['d1', snapshot(1)]])
  const { tokens, requested } = directory(rows)
  expect(tokens.cached('d1')).toBeUndefined()
  expect(idOf(await tokens.load('d1'))).toBe(1)
  expect(idOf(tokens.cached('d1'))).toBe(1)
  rows.delete('d1')
  tokens.clear()
  expect(tokens.cached('d1')).toBeUndefined()
  expect(await tokens.load('d1')).toBe('absent')
  expect(tokens.cached('d1')).toBe('absent')
  expect(requested).toHaveLength(2)
})

test('equal look-ups at the same time share one query', async () => {
  const { tokens, requested } = directory(new Map([['d1', snapshot(1)]]))
  await Promise.all([tokens.load('d1'), tokens.load('d1'), tokens.load('d1')])
  expect(requested).toEqual(['d1'])
})

test('a row read before a change is not cached after it', async () => {
  const { tokens, requested } = directory(new Map([['d1', snapshot(1)]]))
  const early = tokens.load('d1')
  tokens.clear()
  await early
  expect(tokens.cached('d1')).toBeUndefined()
  expect(idOf(await tokens.load('d1'))).toBe(1)
  expect(requested).toHaveLength(2)
})

test('known and unknown keys are bounded; the oldest make room', async () => {
  const rows = new Map([1, 2, 3].map((id) => [`d${id}`, snapshot(id)]))
  const { tokens } = directory(rows)
  for (const digest of ['d1', 'd2', 'd3', 'x1', 'x2', 'x3']) await tokens.load(digest)
  expect(tokens.cached('d1')).toBeUndefined()
  expect(idOf(tokens.cached('d3'))).toBe(3)
  expect(tokens.cached('x1')).toBeUndefined()
  expect(tokens.cached('x3')).toBe('absent')
})

test('a flood of different keys is refused instead of queued', async () => {
  const { tokens } = directory(new Map())
  const answers = await Promise.all(['a', 'b', 'c'].map((digest) => tokens.load(digest)))
  expect(answers).toEqual(['absent', 'absent', 'overloaded'])
})

test('a failing database is not cached as an unknown key', async () => {
  const errors: unknown[] = []
  const tokens = createTokenDirectory({
    find: () => Promise.reject(new Error('away')),
    openOwnKey: () => undefined,
    onError: (error) => void errors.push(error),
  })
  expect(await tokens.load('d1')).toBe('unavailable')
  expect(tokens.cached('d1')).toBeUndefined()
  expect(errors).toHaveLength(1)
})

test('subnets are addresses or ranges of both IP versions; an unreadable one allows no address', async () => {
  const rows = new Map([
    ['d1', snapshot(1, { subnet: ['10.0.0.0/8', '192.0.2.7', 'fd00::/8'] })],
    ['d2', snapshot(2, { subnet: ['intranet', '10.0.0.0/99'] })],
  ])
  const { tokens } = directory(rows)
  const first = await tokens.load('d1')
  const second = await tokens.load('d2')
  if (typeof first === 'string' || typeof second === 'string') throw new Error('not loaded')
  expect(first.subnet?.check('10.9.9.9', 'ipv4')).toBe(true)
  expect(first.subnet?.check('192.0.2.7', 'ipv4')).toBe(true)
  expect(first.subnet?.check('fd12::1', 'ipv6')).toBe(true)
  expect(first.subnet?.check('192.0.2.8', 'ipv4')).toBe(false)
  expect(second.subnet?.check('10.0.0.1', 'ipv4')).toBe(false)
})
