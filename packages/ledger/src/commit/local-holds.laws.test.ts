import { brokenInvariants } from '@sluice/testkit/ledger-engine'
import { openTestPayer, testSettlement, testTrace } from '@sluice/testkit/ledger-operations'
import { openLedgerOnSqlite, type LedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import { openManualTimers } from '@sluice/testkit/manual-timers'
import { openTestLedger } from '@sluice/testkit/test-ledger'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemTimers } from '../timers.ts'
import { mqFromQuota } from '../units.ts'

const RUNS = 150

/** A step of a request, which charges no more than it held. Whole quota, in steps of ten. */
interface Step {
  readonly kind: 'hold' | 'settle' | 'void' | 'extend' | 'move' | 'wait'
  readonly durable: boolean
  readonly amount: number
  readonly which: number
}

/** Most steps open something, so that accounts run short. */
const HOLDS = Array.from({ length: 8 }, () => 'hold' as const)

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...HOLDS, 'settle', 'void', 'extend', 'move', 'wait' as const),
    durable: fc.boolean(),
    amount: fc.oneof(fc.nat(3), fc.nat(12)).map((tens) => tens * 10),
    which: fc.nat(20),
  }),
  { minLength: 20, maxLength: 80 },
)

describe('holds of a process, kept or written', () => {
  let books: LedgerOnSqlite
  beforeAll(() => {
    books = openLedgerOnSqlite()
  })
  afterAll(() => books.close())

  it(
    'never promise more than there is, whatever happens in between, and leave nothing behind',
    { tags: 'S23', timeout: 120_000 },
    async () => {
      const property = fc.asyncProperty(steps, fc.integer({ min: 0, max: 600 }), async (history, quota) => {
        books.empty()
        const engine = books.openEngine()
        const payer = await openTestPayer(engine, 'setup', { userId: 1, tokenId: 1, quota: 5_000, limit: quota })
        // Nothing here depends on how long a commit waits for more.
        const timers = { ...openManualTimers(), after: (ms: number, task: () => void) => systemTimers.after(ms, task) }
        let kept = 0
        const ledger = await openTestLedger({ engine, timers, onFailure: (error) => expect.unreachable(String(error)) })
        const { account, limitAccount } = payer
        let left = quota
        const open = new Map<string, number>()
        const promised = () => [...open.values()].reduce((sum, amount) => sum + amount, 0)
        const pending: Promise<void>[] = []
        let last = 0
        const run = async ({ kind, durable, amount, which }: Step): Promise<void> => {
          const [id, held] = [...open][which % Math.max(1, open.size)] ?? []
          if (kind === 'hold') {
            const requestId = `request-${(last += 1)}`
            const answer = await ledger.hold({ requestId, account, limitAccount, amount: mqFromQuota(amount), durable })
            if (answer !== 'held') return
            open.set(requestId, amount)
            expect(promised()).toBeLessThanOrEqual(left)
          } else if (kind === 'move') {
            // Only quota that is promised to no request can be taken away.
            const less = Math.min(amount, Math.max(0, left - promised()))
            left -= less
            const move = {
              requestId: `move-${(last += 1)}`,
              kind: 'limit-set',
              account: limitAccount,
              mode: 'add',
            } as const
            await ledger.move({ ...move, amount: mqFromQuota(-less), actor: 0, reason: '' })
          } else if (id === undefined || held === undefined) return
          else if (kind === 'settle') {
            open.delete(id)
            const charged = Math.min(held, amount)
            left -= charged
            expect(await ledger.settle(testSettlement(payer, id, charged / 10))).toBe('charged')
          } else if (kind === 'void') {
            open.delete(id)
            await ledger.void(id, testTrace(payer, id))
          } else if (kind === 'extend') {
            const answer = await ledger.extend(id, mqFromQuota(held + amount))
            if (answer === 'held' && open.has(id)) open.set(id, held + amount)
            expect(promised()).toBeLessThanOrEqual(left)
          }
        }
        for (const step of history) {
          if (step.kind === 'wait' || step.kind === 'extend' || step.kind === 'move')
            await Promise.all(pending.splice(0))
          const done = run(step)
          if (step.kind === 'hold') pending.push(done)
          else await done
          if (await isKept()) kept += 1
        }
        await Promise.all(pending)
        for (const id of open.keys()) await ledger.void(id, testTrace(payer, id))
        await ledger.close()
        expect(await books.read('select request_id from hold')).toEqual([])
        const [token] = await books.read(`select posted, held from account where id = ${limitAccount}`)
        expect(token).toEqual({ posted: mqFromQuota(left), held: 0n })
        expect(await brokenInvariants(books.read, 0)).toEqual([])
        async function isKept(): Promise<boolean> {
          const written = await books.read('select request_id from hold')
          return written.length < open.size
        }
        everKept += kept
      })
      let everKept = 0
      await fc.assert(property, { numRuns: RUNS, endOnFailure: true })
      expect(everKept).toBeGreaterThan(0)
    },
  )
})
