import { databaseEngines } from '@sluice/testkit/databases'
import {
  availableOf,
  openTestPayer,
  testHold,
  testMove,
  testSettle,
  testSettlement,
  testTrace,
} from '@sluice/testkit/ledger-operations'
import { useLedger } from '@sluice/testkit/ledger-suite'
import { outcomeName } from '@sluice/testkit/outcome-name'
import { describe, expect, it } from 'vitest'
import type { Operation } from './operation.ts'
import { mqFromQuota } from './units.ts'

describe.each(databaseEngines)('recovery on %s', (name) => {
  const suite = useLedger(name)
  const openPayer = () => openTestPayer(suite.engine, 'r1', { userId: 1, tokenId: 1, quota: 1_000, limit: 1_000 })
  const renew = (payer: Awaited<ReturnType<typeof openPayer>>, requestId: string, output: number): Operation => ({
    op: 'renew',
    requestId,
    progress: testSettlement(payer, requestId, output),
    at: 1,
  })
  const declareDead = (replica: string) => suite.engine.recover({ deadAfterMs: 60_000, dead: [replica] })

  it('voids the open holds of a dead replica and leaves those of the living', async () => {
    const payer = await openPayer()
    await suite.engine.heartbeat('r2')
    await suite.apply(testHold(payer, 'mine', 10))
    await suite.engine.apply([testHold(payer, 'theirs', 100)], 'r2')
    expect(await declareDead('r2')).toBe(1)
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(990))
    expect(await suite.read('select request_id from hold')).toEqual([{ request_id: 'mine' }])
  })

  it('charges the last recorded progress, marked as such', async () => {
    const payer = await openPayer()
    await suite.apply(testHold(payer, 'a', 100))
    expect(await suite.apply(renew(payer, 'a', 2), renew(payer, 'a', 4))).toEqual(['done', 'done'])
    expect(await declareDead('r1')).toBe(1)
    expect(await availableOf(suite.engine, payer)).toEqual({ user: mqFromQuota(960), limit: mqFromQuota(960) })
    expect(await suite.read('select amount, ended from log')).toEqual([{ amount: 40_000n, ended: 'replica_died' }])
  })

  it('considers a replica dead after its silence, by the clock of the database, and tells it', async () => {
    const payer = await openPayer()
    await suite.apply(testHold(payer, 'a', 100))
    expect(await suite.engine.recover({ deadAfterMs: 60_000, dead: [] })).toBe(0)
    expect(await suite.engine.heartbeat('r1')).toBe(true)
    expect(await suite.engine.recover({ deadAfterMs: 0, dead: [] })).toBe(1)
    expect(await suite.engine.heartbeat('r1')).toBe(false)
  })

  it('counts the silence of others only while the checking replica was itself heard', { tags: 'S45' }, async () => {
    const pass = (replica: string) =>
      suite.read(`update replica set heartbeat_ms = heartbeat_ms - 70000, started_ms = started_ms - 70000
        where id = '${replica}' returning id`)
    const look = async () => {
      await suite.engine.heartbeat('r1')
      await suite.engine.recover({ deadAfterMs: 60_000, by: 'r1', dead: [] })
      return await suite.read(`select dead from replica where id = 'r2'`)
    }
    await suite.engine.heartbeat('r2')
    // No replica could be heard: the database was away, the machines slept, or its clock jumped.
    await pass('r1')
    await pass('r2')
    expect(await look()).toEqual([{ dead: 0 }])
    // A replica that has just started has heard nothing yet.
    expect(await suite.engine.recover({ deadAfterMs: 60_000, by: 'r3', dead: [] })).toBe(0)
    expect(await look()).toEqual([{ dead: 0 }])
    await suite.read(`update replica set started_ms = started_ms - 70000 where id = 'r1' returning id`)
    expect(await look()).toEqual([{ dead: 1 }])
  })

  it('recovers holds of a replica that left or never registered', async () => {
    const payer = await openPayer()
    await suite.apply(testHold(payer, 'a', 100))
    await suite.engine.leave('r1')
    expect(await suite.engine.recover({ deadAfterMs: 60_000, dead: [] })).toBe(1)
  })

  it('charges the late settlement of a replica that was only paused: once, the difference, up or down', async () => {
    const payer = await openPayer()
    for (const id of ['voided', 'more', 'less', 'same']) await suite.apply(testHold(payer, id, 100))
    await suite.apply(renew(payer, 'more', 2), renew(payer, 'less', 4), renew(payer, 'same', 3))
    expect(await declareDead('r1')).toBe(4)
    const late = ['voided', 'more', 'less', 'same'].map((id) => testSettle(payer, id, 3))
    expect(await suite.apply(...late)).toEqual(['done', 'done', 'done', 'done'])
    expect(await suite.apply(...late)).toEqual(['done', 'done', 'done', 'done'])
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(1_000 - 4 * 30))
    expect(
      await suite.read(`select kind, amount from transfer where kind in ('adjust', 'refund') order by kind`),
    ).toEqual([
      { kind: 'adjust', amount: 10_000n },
      { kind: 'refund', amount: 10_000n },
    ])
    expect(await suite.read(`select ended from log where request_id = 'more'`)).toEqual([{ ended: 'complete' }])
  })

  it('closes every hold once when two replicas recover the same dead one', async () => {
    const payer = await openPayer()
    const other = await suite.openEngine()
    await suite.engine.heartbeat('r2')
    const ids = Array.from({ length: 40 }, (_, i) => `request-${i}`)
    await suite.engine.apply(
      ids.map((id) => testHold(payer, id, 10)),
      'r2',
    )
    await suite.engine.apply(
      ids.slice(0, 20).map((id) => renew(payer, id, 1)),
      'r2',
    )
    const [mine, theirs, ...late] = await Promise.all([
      declareDead('r2'),
      other.recover({ deadAfterMs: 60_000, dead: ['r2'] }),
      ...ids.slice(0, 10).map((id) => other.apply([testSettle(payer, id, 1)], 'r2')),
    ])
    expect(mine + theirs).toBeLessThanOrEqual(40)
    expect(late.flatMap(({ outcomes }) => outcomes.map(outcomeName))).toEqual(ids.slice(0, 10).map(() => 'done'))
    expect(await suite.read('select request_id from hold')).toEqual([])
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(1_000 - 20 * 10))
  })

  it('changes nothing when a batch whose answer was lost is applied again, and gives the same answer', async () => {
    const payer = await openPayer()
    await suite.apply(testHold(payer, 'open', 10), testHold(payer, 'gone', 10))
    const batch: Operation[] = [
      { op: 'account', id: { kind: 'user', owner: 1 }, unlimited: false },
      testHold(payer, 'new', 10),
      testHold(payer, 'new', 10),
      testHold(payer, 'large', 5_000),
      { op: 'extend', requestId: 'open', amount: mqFromQuota(20), at: 1 },
      renew(payer, 'open', 1),
      testSettle(payer, 'late', 2),
      testSettle(payer, 'late', 3),
      testMove({ requestId: 'gift', kind: 'gift', account: payer.account, amount: mqFromQuota(7) }),
      testMove({
        requestId: 'set',
        kind: 'admin-adjust',
        mode: 'set',
        account: payer.account,
        amount: mqFromQuota(900),
      }),
      testMove({ requestId: 'limit', kind: 'limit-set', account: payer.limitAccount, amount: mqFromQuota(-7) }),
    ]
    const first = await suite.engine.apply(batch, 'r1')
    const before = await suite.read('select * from transfer order by request_id, kind')
    const again = await suite.engine.apply(batch, 'r1', { again: true })
    expect(again).toEqual(first)
    expect(first.outcomes.slice(1, 4).map(outcomeName)).toEqual(['done', 'stale', 'user_quota'])
    expect(await suite.read('select * from transfer order by request_id, kind')).toEqual(before)
    expect(await suite.read('select request_id from log')).toHaveLength(1)
  })

  it('changes nothing when a batch that closes requests is applied again', async () => {
    const payer = await openPayer()
    await suite.apply(testHold(payer, 'a', 10), testHold(payer, 'b', 10))
    const batch: Operation[] = [
      testSettle(payer, 'a', 1),
      { op: 'void', requestId: 'b', trace: testTrace(payer, 'b') },
      testHold(payer, 'c', 10),
      testSettle(payer, 'c', 1),
    ]
    await suite.engine.apply(batch, 'r1')
    const before = await availableOf(suite.engine, payer)
    await suite.engine.apply(batch, 'r1', { again: true })
    expect(await availableOf(suite.engine, payer)).toEqual(before)
    expect(await suite.read('select request_id from hold')).toEqual([])
  })
})
