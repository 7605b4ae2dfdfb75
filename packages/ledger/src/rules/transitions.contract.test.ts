import { databaseEngines } from '@sluice/testkit/databases'
import {
  openTestPayer,
  type TestPayer,
  testHold,
  testRefund,
  testSettle,
  testSettlement,
} from '@sluice/testkit/ledger-operations'
import { useLedger } from '@sluice/testkit/ledger-suite'
import { describe, expect, it } from 'vitest'
import type { Operation } from '../operation.ts'
import { mqFromQuota } from '../units.ts'
import { type RequestOperation, type RequestState, TRANSITIONS } from './transitions.ts'

const STATES = Object.keys(TRANSITIONS) as RequestState[]
/** The recovery comes last because it closes any open hold. */
const OPERATIONS: readonly RequestOperation[] = ['hold', 'extend', 'renew', 'settle', 'void', 'refund', 'recover']

describe.each(databaseEngines)('one request on %s', (name) => {
  const suite = useLedger(name)
  const openPayer = () => openTestPayer(suite.engine, 'r1', { userId: 1, tokenId: 1, quota: 1_000 })

  const bring = async (payer: TestPayer, id: string, state: RequestState): Promise<void> => {
    const steps: Record<RequestState, readonly Operation[]> = {
      absent: [],
      open: [testHold(payer, id, 100)],
      charged: [testSettle(payer, id, 10)],
      corrected: [testSettle(payer, id, 10), testSettle(payer, id, 8)],
      refunded: [testSettle(payer, id, 10), testRefund(payer, id, `${id}-first`, 30)],
    }
    if (steps[state].length > 0) await suite.apply(...steps[state])
  }
  const perform = async (payer: TestPayer, id: string, operation: RequestOperation): Promise<string> => {
    if (operation === 'recover') {
      return (await suite.engine.recover({ deadAfterMs: 60_000, dead: ['r1'] })) > 0 ? 'done' : 'stale'
    }
    const progress = testSettlement(payer, id, 6)
    const operations: Record<Exclude<RequestOperation, 'recover'>, Operation> = {
      hold: testHold(payer, id, 50, 2),
      extend: { op: 'extend', requestId: id, amount: mqFromQuota(200), at: 2 },
      renew: { op: 'renew', requestId: id, progress, at: 2 },
      settle: { op: 'settle', settlement: progress },
      void: { op: 'void', requestId: id },
      refund: testRefund(payer, id, `${id}-second`, 20),
    }
    return (await suite.apply(operations[operation])).join()
  }
  /** The state according to the rows, without the rules. */
  const stateNow = async (id: string): Promise<RequestState> => {
    const [row] = await suite.read(`select (select count(*) from hold where request_id = '${id}') as holds,
      (select count(*) from transfer where kind = 'consume' and request_id = '${id}') as charges,
      (select count(*) from transfer where kind in ('adjust', 'refund') and request_id = '${id}') as corrections,
      (select count(*) from transfer where kind = 'admin-refund' and refers_to = '${id}') as refunds`)
    const has = (column: string): boolean => Number(row?.[column]) > 0
    if (has('holds')) return 'open'
    return has('refunds') ? 'refunded' : has('corrections') ? 'corrected' : has('charges') ? 'charged' : 'absent'
  }
  const allRows = async () =>
    JSON.stringify(
      await Promise.all(
        ['account', 'hold', 'transfer', 'log', 'usage_daily'].map((table) =>
          suite.read(`select * from ${table} order by 1, 2`),
        ),
      ),
      (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value),
    )

  it.each(STATES)('that is %s takes each operation as the table says', async (state) => {
    const payer = await openPayer()
    for (const operation of OPERATIONS) {
      await bring(payer, operation, state)
      expect(await stateNow(operation)).toBe(state)
      const before = await allRows()
      const outcome = await perform(payer, operation, operation)
      const next = TRANSITIONS[state][operation]
      if (next === undefined) {
        expect([operation, outcome]).toEqual([operation, 'stale'])
        expect(await allRows()).toBe(before)
      } else {
        expect([operation, outcome]).toEqual([operation, operation === 'refund' ? 'refunded' : 'done'])
        expect(next).toContain(await stateNow(operation))
      }
      if ((await stateNow(operation)) === 'open') await suite.apply({ op: 'void', requestId: operation })
    }
  })

  it('that is open is charged its progress by recovery', async () => {
    const payer = await openPayer()
    await bring(payer, 'a', 'open')
    await perform(payer, 'a', 'renew')
    await perform(payer, 'a', 'recover')
    expect(await stateNow('a')).toBe('charged')
  })

  it('that is charged stays so when a late settlement charges the same', async () => {
    const payer = await openPayer()
    await bring(payer, 'a', 'charged')
    expect(await suite.apply(testSettle(payer, 'a', 10))).toEqual(['done'])
    expect(await stateNow('a')).toBe('charged')
  })
})
