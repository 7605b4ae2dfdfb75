import { brokenInvariants } from '@sluice/testkit/ledger-engine'
import { openTestPayer, type TestPayer, testTrace } from '@sluice/testkit/ledger-operations'
import { openLedgerOnSqlite, type LedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { openTestLedger } from '@sluice/testkit/test-ledger'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LedgerEngine } from '../engine.ts'
import type { Ledger } from '../ledger.ts'
import { mqFromQuota } from '../units.ts'
import type { GroupCommitOptions } from './group-commit.ts'

describe('the ledger when the database cannot be written, or the clock is set', () => {
  let books: LedgerOnSqlite
  let engine: LedgerEngine
  let timers: ManualTimers
  let payer: TestPayer

  beforeAll(() => {
    books = openLedgerOnSqlite()
  })
  beforeEach(async () => {
    books.empty()
    engine = books.openEngine()
    timers = openManualTimers()
    payer = await openTestPayer(engine, 'setup', { userId: 1, tokenId: 1, quota: 1_000, limit: 100 })
  })
  afterEach(async () => {
    expect(await brokenInvariants(books.read, 0)).toEqual([])
  })
  afterAll(() => books.close())

  const open = (options: Partial<Omit<GroupCommitOptions, 'timers'>>): Promise<Ledger> =>
    openTestLedger({ engine, timers, ...options })
  const hold = (ledger: Ledger, requestId: string) =>
    ledger.hold({
      requestId,
      account: payer.account,
      limitAccount: payer.limitAccount,
      amount: mqFromQuota(10),
      durable: true,
    })

  it(
    'says that it is stuck after 2 s in which nothing became durable, and when it no longer is, whatever the clock does',
    { tags: 'S45' },
    async () => {
      let isFull = false
      let clock = timers.now()
      const full = () => Promise.reject(new Error('database or disk is full'))
      const ledger = await open({
        now: () => clock,
        engine: {
          ...engine,
          apply: (batch, replica, again) => (isFull ? full() : engine.apply(batch, replica, again)),
          heartbeat: (replica) => (isFull ? full() : engine.heartbeat(replica)),
        },
      })
      isFull = true
      const first = hold(ledger, 'a')
      await timers.advance(1_500)
      clock += 86_400_000
      expect(ledger.stuck).toBe(false)
      await timers.advance(1_000)
      expect(ledger.stuck).toBe(true)
      clock -= 2 * 86_400_000
      await timers.advance(4_000)
      // No caller waits any more, and it is still stuck.
      expect([await first, ledger.backlog, ledger.stuck]).toEqual(['unavailable', 0, true])
      isFull = false
      await timers.advance(1_000)
      expect(ledger.stuck).toBe(false)
      expect(await hold(ledger, 'b')).toBe('held')
      await ledger.void('b', testTrace(payer, 'b'))
      await ledger.close()
    },
  )

  it('considers a known balance old in time, even if the clock was set back', { tags: 'S45' }, async () => {
    let clock = timers.now()
    const ledger = await open({ now: () => clock })
    expect(await hold(ledger, 'a')).toBe('held')
    expect(ledger.isComfortable(payer.account, mqFromQuota(1))).toBe(true)
    clock -= 86_400_000
    await timers.advance(6_000)
    expect(ledger.isComfortable(payer.account, mqFromQuota(1))).toBe(false)
    await ledger.void('a', testTrace(payer, 'a'))
    await ledger.close()
  })
})
