import { addToPause, readPause, releasePause } from '@sluice/store/queries/token-pauses'
import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addToken, addUser } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
// @module-tag postgres
import { LOOP_PAUSE_MS } from './body-counts.ts'
import { createTokenGuard, type TokenGuard } from './token-guard.ts'

describe.each(databaseEngines)('two replicas on %s', (engine) => {
  let database: TestDatabase
  let now: number
  let owner: number
  let token: number
  let errors: unknown[]
  /** `close` writes pending changes; a test may call it as often as it likes. */
  let one: TokenGuard
  let other: TokenGuard

  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(async () => {
    await database.reset()
    now = 1_800_000_000_000
    errors = []
    owner = await addUser(database.kysely, { username: 'ann' })
    token = await addToken(database.kysely, { user_id: owner, name: 'agent', session_quota: 100n })
    one = replica()
    other = replica()
  })
  afterAll(() => database.close())

  const replica = (): TokenGuard =>
    createTokenGuard({
      read: (key) => readPause(database.kysely, key),
      add: (change) => addToPause(database.kysely, change, now),
      replicas: () => 2,
      now: () => now,
      after: () => () => {},
      onError: (error) => errors.push(error),
    })
  const take = (guard: TokenGuard, id: string, amount: bigint) =>
    guard.take(id, { tokenId: token, subject: 's', limit: 100n }, amount)

  it('count what a session has cost at both, a second later', async () => {
    expect(await take(one, 'a', 60n)).toBe('within')
    one.end('a', 60n)
    await one.close()
    now += 1_001
    expect(await take(other, 'b', 41n)).toMatchObject({ reason: 'session', spent: 60n, limit: 100n })
    expect(await take(other, 'b', 40n)).toBe('within')
    other.end('b', 40n)
    await other.close()
    now += 1_001
    expect(await take(one, 'c', 1n)).toMatchObject({ reason: 'session', spent: 100n })
    expect(errors).toEqual([])
  })

  it('learn of a release by the owner alone, which allows as much again', { tags: 'S11' }, async () => {
    await take(one, 'a', 100n)
    one.end('a', 100n)
    expect(await take(one, 'b', 1n)).toMatchObject({ reason: 'session' })
    await one.close()
    const key = { tokenId: token, rule: 'session', subject: 's' } as const
    expect(await releasePause(database.kysely, owner + 1, key)).toBeUndefined()
    expect(await releasePause(database.kysely, owner, key)).toMatchObject({ allowance: 100n })
    expect(await releasePause(database.kysely, owner, key)).toBeUndefined()
    now += 1_001
    expect(await take(other, 'c', 100n)).toBe('within')
    expect(await take(one, 'd', 101n)).toMatchObject({ reason: 'session', limit: 200n })
  })

  it('hold what runs, grow with it, and give it back once', async () => {
    expect(await take(one, 'a', 50n)).toBe('within')
    one.grow('a', 80n)
    expect(await take(one, 'b', 21n)).toEqual({ reason: 'session_busy' })
    one.end('a', 0n)
    one.end('a', 0n)
    expect(await take(one, 'b', 100n)).toBe('within')
  })

  it('pause a loop at the limit exactly, until it is released or its time is over', async () => {
    const count = () => one.countBody(token, 'body', 2)
    expect([await count(), await count()]).toEqual([undefined, undefined])
    expect(await count()).toBe(now + LOOP_PAUSE_MS)
    await one.close()
    const key = { tokenId: token, rule: 'loop', subject: 'body' } as const
    await releasePause(database.kysely, owner, key)
    now += 2_001
    expect([await count(), await count()]).toEqual([undefined, undefined])
    const until = now + LOOP_PAUSE_MS
    expect(await count()).toBe(until)
    await one.close()
    now = until
    expect(await count()).toBeUndefined()
    // Each minute is counted separately.
    now += 60_000
    expect([await count(), await count()]).toEqual([undefined, undefined])
  })
})
