import { mqFromQuota } from '@sluice/ledger/units'
import { brokenInvariants } from '@sluice/testkit/ledger-engine'
import { openTestPayer } from '@sluice/testkit/ledger-operations'
import { openLedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import { openManualTimers } from '@sluice/testkit/manual-timers'
import { openTestLedger } from '@sluice/testkit/test-ledger'
import { expect, test } from 'vitest'
import { CHARGE_WAIT_MS } from '../charge/charge-in-time.ts'
import { type SessionLedgerDeps, SessionLedger } from './session-ledger.ts'
import type { AdmittedSession } from './session-rows.ts'
import { SessionSize } from './session-size.ts'

const NANO = 1_000_000_000n
const rates = { input: NANO, cachedInput: NANO, cacheWrite5m: NANO, cacheWrite1h: NANO, output: NANO }

test.each(['void', 'counted'] as const)(
  'a session that ends (%s) while nothing can be written takes no longer to close than a charge can take',
  async (charges) => {
    const books = openLedgerOnSqlite()
    const engine = books.openEngine()
    const timers = openManualTimers()
    const payer = await openTestPayer(engine, 'setup', { userId: 1, tokenId: 1, quota: 10_000, limit: 1_000 })
    let isAway = false
    const ledger = await openTestLedger({
      engine: {
        ...engine,
        apply: async (...batch) => {
          if (isAway) throw new Error('database or disk is full')
          return await engine.apply(...batch)
        },
      },
      timers,
    })
    const { account, limitAccount } = payer
    await ledger.hold({ requestId: 'r', account, limitAccount, amount: mqFromQuota(20), durable: true })
    const session = {
      accepted: { id: 'r', received: timers.now(), path: '/v1/realtime', method: 'GET', headers: {} },
      identity: { account, limitAccount, userId: 1, tokenId: 1, username: 'ann', tokenName: 't' },
      session: '',
      model: 'm',
      candidate: {
        model: 'm',
        upstreamModel: 'm',
        route: { channel: { id: 5, name: 'c' }, key: { fingerprint: '', position: 1, of: 1 } },
        quote: { rates, tiers: [], source: 'channel', context: undefined, maxOutput: undefined },
        groupRatio: 1_000_000n,
      },
      hold: { amount: mqFromQuota(20), open: true, pending: undefined },
    } as unknown as AdmittedSession
    const deps = { ledger, after: (ms: number, task: () => void) => timers.after(ms, task), now: timers.now }
    const size = new SessionSize()
    size.received({ kind: 'part', response: 'a', audioBytes: 0, textBytes: 8 })
    const sessionLedger = new SessionLedger(deps as unknown as SessionLedgerDeps, session, size)
    isAway = true
    let isOver = false
    const done = sessionLedger
      .renew()
      .then(() => sessionLedger.close(charges, { ended: 'client_gone', status: 499 }))
      .then(() => (isOver = true))
    await timers.advance(2 * CHARGE_WAIT_MS + 1_000)
    expect(isOver).toBe(true)
    isAway = false
    await timers.advance(10_000)
    await done
    expect(await books.read("select request_id from hold where request_id = 'r'")).toEqual([])
    const charged = await books.read("select amount from transfer where request_id = 'r'")
    expect(charged).toHaveLength(charges === 'void' ? 0 : 1)
    expect(await brokenInvariants(books.read, 0)).toEqual([])
    books.close()
  },
  10_000,
)
