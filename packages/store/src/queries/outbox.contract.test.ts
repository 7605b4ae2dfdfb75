import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { claimMessages, finishAttempt, insertMessage, listMessages, OUTBOX_CAPACITY, sweepMessages } from './outbox.ts'

describe.each(databaseEngines)('the outbox on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const add = (recipient: string, now = 1_000) =>
    insertMessage(database.kysely, { kind: 'plain', recipient, contentSealed: 'sealed', now, expires: 9_000 })
  const claim = (lease: string, now: number, limit = 10) =>
    claimMessages(database.kysely, { lease, now, until: now + 500, limit })
  const ids = (messages: readonly { readonly id: number }[]) => messages.map(({ id }) => id)

  test('gives what is due, oldest first, up to the limit, and each message once', async () => {
    for (const to of ['a', 'b', 'c']) await add(to)
    await add('later', 5_000)
    expect(ids(await claim('one', 1_000, 2))).toHaveLength(2)
    expect(await claim('two', 1_000)).toMatchObject([{ recipient: 'c', attempts: 1, created: 1_000, expires: 9_000 }])
    expect(await claim('three', 1_000)).toEqual([])
  })

  test('never gives one message to two senders that ask at the same time', async () => {
    for (let i = 0; i < 20; i++) await add(`user${i}`)
    const other = await database.reopen()
    const claims = await Promise.all(
      [database, other, database, other].map(({ kysely }, i) =>
        claimMessages(kysely, { lease: `lease${i}`, now: 1_000, until: 2_000, limit: 5 }),
      ),
    )
    await other.close()
    const claimed = claims.flatMap(ids)
    expect(new Set(claimed).size).toBe(claimed.length)
    expect(claimed.length).toBeGreaterThanOrEqual(5)
  })

  test('accepts the result only from the sender that holds the lease', async () => {
    await add('a')
    const [message] = await claim('first', 1_000)
    const id = message?.id ?? 0
    expect(await claim('second', 1_400)).toEqual([])
    expect(await claim('second', 1_500)).toMatchObject([{ id, attempts: 2 }])
    expect(await finishAttempt(database.kysely, id, 'first', { state: 'sent' }, 1_600)).toBe(false)
    expect(
      await finishAttempt(database.kysely, id, 'second', { state: 'waiting', problem: 'busy', due: 2_000 }, 1_600),
    ).toBe(true)
    expect(await claim('third', 1_999)).toEqual([])
    expect(ids(await claim('third', 2_000))).toEqual([id])
  })

  test('drops the content of what is done, keeps the row for a while, then removes it', async () => {
    await add('a')
    const [message] = await claim('x', 1_000)
    await finishAttempt(database.kysely, message?.id ?? 0, 'x', { state: 'dead', problem: 'no such user' }, 1_600)
    const { rows, total } = await listMessages(database.kysely, 'dead', { limit: 10, offset: 0 })
    expect({ rows, total }).toMatchObject({
      rows: [{ recipient: 'a', problem: 'no such user', done: 1_600 }],
      total: 1,
    })
    expect(await sweepMessages(database.kysely, 'sent', 9_000, 10)).toBe(0)
    expect(await sweepMessages(database.kysely, 'dead', 1_600, 10)).toBe(0)
    expect(await sweepMessages(database.kysely, 'dead', 1_601, 10)).toBe(1)
  })

  test('refuses more than it is allowed to hold', async () => {
    const row = {
      kind: 'plain',
      recipient: 'a',
      content_sealed: '',
      state: 'waiting',
      attempts: 0,
      due_ms: 1,
      lease: '',
    }
    const full = Array.from({ length: 1_000 }, () => ({
      ...row,
      expires_ms: 9,
      problem: '',
      created_ms: 1,
      done_ms: 0,
    }))
    for (let i = 0; i < OUTBOX_CAPACITY; i += full.length)
      await database.kysely.insertInto('outbox').values(full).execute()
    expect(await add('b')).toBe('full')
  })
})
