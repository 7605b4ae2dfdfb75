import { setTimeout as sleep } from 'node:timers/promises'
import { databaseEngines } from '@sluice/testkit/databases'
import { openTestPayer, testHold, testSettlement, testTrace, type TestPayer } from '@sluice/testkit/ledger-operations'
import { useLedger } from '@sluice/testkit/ledger-suite'
import * as fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { Ledger } from '../ledger.ts'
import type { Operation } from '../operation.ts'
import { mqFromQuota } from '../units.ts'
import { openLedger } from './group-commit.ts'

const RUNS = 8

describe.each(databaseEngines)('quota that replicas lease on %s', { tags: 'S23' }, (name) => {
  const suite = useLedger(name)
  let ledgers: Ledger[] = []
  afterEach(async () => {
    // The suite closes the engines and checks the invariants after this.
    for (const ledger of ledgers) await ledger.close()
    ledgers = []
    expect(await suite.read('select request_id from hold')).toEqual([])
  })

  /** A replica; `batches` collects what it commits. */
  async function openReplica(replica: string, batches: Operation[][] = []): Promise<Ledger> {
    const engine = await suite.openEngine()
    const ledger = await openLedger({
      engine: {
        ...engine,
        apply: (batch, ...rest) => {
          batches.push([...batch])
          return engine.apply(batch, ...rest)
        },
      },
      replica,
      alone: false,
      now: Date.now,
      maxBacklog: 10_000,
      drainMs: 5_000,
      onDead: () => {},
      onFailure: () => {},
    })
    ledgers.push(ledger)
    return ledger
  }

  const openPayer = (quota: number, id = 1): Promise<TestPayer> =>
    openTestPayer(suite.engine, 'r1', { userId: id, tokenId: id, quota, limit: quota })
  const hold = (ledger: Ledger, { account, limitAccount }: TestPayer, requestId: string, quota: number) =>
    ledger.hold({ requestId, account, limitAccount, amount: mqFromQuota(quota), durable: false })
  /** Holds 100 and charges 10, again and again. */
  async function call(ledger: Ledger, payer: TestPayer, times: number, prefix = 'call'): Promise<void> {
    for (let i = 0; i < times; i++) {
      expect(await hold(ledger, payer, `${prefix}-${i}`, 100)).toBe('held')
      expect(await ledger.settle(testSettlement(payer, `${prefix}-${i}`, 1))).toBe('charged')
    }
  }

  it('let a call that follows others cost one commit', async () => {
    const batches: Operation[][] = []
    const payer = await openPayer(100_000)
    const ledger = await openReplica('a', batches)
    await call(ledger, payer, 3)
    batches.splice(0)
    await call(ledger, payer, 10, 'later')
    expect(batches).toHaveLength(10)
    expect(batches.flat().filter(({ op }) => op === 'hold')).toEqual([])
  })

  it('come back when they are idle, so another replica can hold all that is left', async () => {
    const payer = await openPayer(10_000)
    const [one, other] = [await openReplica('a'), await openReplica('b')]
    await call(one, payer, 5)
    expect(Number((await suite.read('select held from account where held > 0'))[0]?.['held'])).toBeGreaterThan(0)
    expect(await hold(other, payer, 'rest', 9_950)).toBe('held')
    expect(await hold(one, payer, 'more', 1)).toBe('user_quota')
    await other.void('rest', testTrace(payer, 'rest'))
  })

  it('of a replica never make it refuse what the account has', async () => {
    const payer = await openPayer(10_000)
    const ledger = await openReplica('a')
    await call(ledger, payer, 5)
    const started = performance.now()
    expect(await hold(ledger, payer, 'rest', 9_950)).toBe('held')
    expect(performance.now() - started).toBeLessThan(1_000)
    await ledger.void('rest', testTrace(payer, 'rest'))
  })

  it('hand out a hold that is renewed, extended or voided', async () => {
    const payer = await openPayer(100_000)
    const ledger = await openReplica('a')
    await call(ledger, payer, 3)
    for (const requestId of ['renewed', 'extended', 'voided']) {
      expect(await hold(ledger, payer, requestId, 50)).toBe('held')
    }
    await ledger.renew(testSettlement(payer, 'renewed', 2))
    expect(await ledger.extend('extended', mqFromQuota(90_000))).toBe('held')
    await ledger.void('voided', testTrace(payer, 'voided'))
    expect(
      await suite.read(`select request_id, amount from hold where request_id in ('renewed', 'extended')
      order by request_id`),
    ).toEqual([
      { request_id: 'extended', amount: mqFromQuota(90_000) },
      { request_id: 'renewed', amount: mqFromQuota(50) },
    ])
    expect(await ledger.settle(testSettlement(payer, 'renewed', 3))).toBe('charged')
    expect(await ledger.settle(testSettlement(payer, 'extended', 900))).toBe('charged')
  })

  it('end with a replica that dies, and charges within them stand', async () => {
    const payer = await openPayer(10_000)
    const ledger = await openReplica('a')
    await call(ledger, payer, 5)
    expect(await hold(ledger, payer, 'late', 100)).toBe('held')
    await suite.engine.recover({ deadAfterMs: 60_000, dead: ['a'] })
    expect(await suite.read('select request_id from hold')).toEqual([])
    expect(await ledger.settle(testSettlement(payer, 'late', 10))).toBe('charged')
    const [row] = await suite.read(`select posted, held from account where id = ${payer.account}`)
    expect(row).toEqual({ posted: mqFromQuota(10_000 - 50 - 100), held: 0n })
  })

  it('are spent once by a batch that is applied twice', async () => {
    const { account, limitAccount, ...payer } = await openPayer(1_000)
    const lease = { op: 'lease', requestId: 'lease', account, limitAccount, amount: mqFromQuota(500), at: 1 } as const
    const settle = {
      op: 'settle',
      settlement: testSettlement({ account, limitAccount, ...payer }, 'a', 10),
      lease: { lease: 'lease', amount: mqFromQuota(150) },
    } as const
    const held = { ...testHold({ account, limitAccount, ...payer }, 'b', 30), lease: settle.lease }
    for (const again of [false, true]) {
      await suite.engine.apply([lease, settle, held], 'r1', { again })
      expect(await suite.read('select request_id, amount from hold order by request_id')).toEqual([
        { request_id: 'b', amount: mqFromQuota(30) },
        { request_id: 'lease', amount: mqFromQuota(again ? 500 : 370) },
      ])
    }
    await suite.apply({ ...lease, amount: mqFromQuota(0) }, { op: 'void', requestId: 'b' })
  })

  const calls = fc.array(
    fc.record({
      replica: fc.nat(1),
      amount: fc.integer({ min: 1, max: 60 }),
      charged: fc.integer({ min: 0, max: 6 }),
      waitsMs: fc.nat(8),
      worksMs: fc.nat(4),
      voided: fc.boolean(),
    }),
    { minLength: 30, maxLength: 120, size: 'max' },
  )

  // Slow, because a quick run interrupts laws, and this one would go on beside the next test.
  it('never let two replicas hold more than there is', { tags: 'slow', timeout: 120_000 }, async () => {
    const replicas = [await openReplica('a'), await openReplica('b')]
    let id = 0
    let leased = 0
    const property = fc.asyncProperty(fc.integer({ min: 300, max: 8_000 }), calls, async (quota, each) => {
      id += 1
      const payer = await openPayer(quota, id)
      let used = 0
      await Promise.all(
        each.map(async ({ replica, amount, charged, waitsMs, worksMs, voided }, i) => {
          const ledger = replicas[replica]
          if (ledger === undefined) return
          await sleep(waitsMs * (i % 12))
          const requestId = `${id}-${i}`
          if ((await hold(ledger, payer, requestId, amount)) !== 'held') return
          used += amount
          expect(used).toBeLessThanOrEqual(quota)
          await sleep(worksMs)
          const spent = voided ? 0 : Math.min(charged, Math.floor(amount / 10)) * 10
          // Another hold may use what this gives back before its own answer has arrived here.
          used -= amount - spent
          if (voided) await ledger.void(requestId, testTrace(payer, requestId))
          else expect(await ledger.settle(testSettlement(payer, requestId, spent / 10))).toBe('charged')
        }),
      )
      leased += (await suite.read(`select request_id from hold where account = ${payer.account}`)).length
      const [row] = await suite.read(`select posted from account where id = ${payer.account}`)
      expect(row).toEqual({ posted: mqFromQuota(quota - used) })
    })
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true })
    expect(leased).toBeGreaterThan(0)
  })
})
