import { openTestPayer, TEST_SECONDS, testHold, testSettle } from '@sluice/testkit/ledger-operations'
import { useLedger } from '@sluice/testkit/ledger-suite'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Operation } from './operation.ts'
import { type Mq, mqFromQuota } from './units.ts'

const RUNS = 6
const BATCH = 5

/** What a payer can spend under each of the four limits, and the requested amounts. Whole quota. */
const rushes = fc.record({
  quota: fc.nat({ max: 400 }),
  limit: fc.nat({ max: 400 }),
  dayBudget: fc.nat({ max: 400 }),
  tokenBudget: fc.nat({ max: 400 }),
  requested: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 10, maxLength: 60 }),
})

// PGlite has one session: nothing runs concurrently there.
describe.each(['sqlite', 'postgres'] as const)(
  'holds that come through two replicas at once on %s',
  { tags: ['postgres', 'S23'] },
  (name) => {
    const suite = useLedger(name)

    it(
      'never grant more than the balance, the limit of the token and each budget',
      { tags: 'S23', timeout: 120_000 },
      async () => {
        let id = 0
        const property = fc.asyncProperty(rushes, async ({ quota, limit, dayBudget, tokenBudget, requested }) => {
          id += 1
          const payer = await openTestPayer(suite.engine, 'r1', { userId: id, tokenId: id, quota, limit })
          const at = TEST_SECONDS * 1_000
          const { userId, account, limitAccount } = payer
          await suite.apply(
            { op: 'budgets', account, userId, at, budgets: [{ period: 'day', amount: mqFromQuota(dayBudget) }] },
            {
              op: 'budgets',
              account: limitAccount,
              userId,
              at,
              budgets: [{ period: 'month', amount: mqFromQuota(tokenBudget) }],
            },
          )
          const requests = requested.map((amount, i) => ({ requestId: `${id}-${i}`, amount }))
          const held = await throughBoth((request) => testHold(payer, request.requestId, request.amount), requests)
          const granted = requests.filter((_, i) => held[i] === 'done')
          const total = granted.reduce((sum, { amount }) => sum + amount, 0)
          expect(total).toBeLessThanOrEqual(Math.min(quota, limit, dayBudget, tokenBudget))
          // No refused request would fit now either, because everything granted still stands.
          const least = Math.min(...requests.filter((_, i) => held[i] !== 'done').map(({ amount }) => amount))
          expect(total + least).toBeGreaterThan(Math.min(quota, limit, dayBudget, tokenBudget))
          const settled = await throughBoth(
            ({ requestId, amount }) => testSettle(payer, requestId, Math.floor(amount / 10)),
            granted,
          )
          expect(new Set(settled)).toEqual(new Set(granted.length === 0 ? [] : ['done']))
          const [spent] = await suite.read(`select spent from account where id = ${limitAccount}`)
          expect(spent?.['spent'] as Mq).toBeLessThanOrEqual(mqFromQuota(total))
        })
        await fc.assert(property, { numRuns: RUNS, endOnFailure: true })
      },
    )

    /** Sends every other operation through each replica, in batches that meet in the database; returns the answers in order. */
    async function throughBoth<T>(toOperation: (item: T) => Operation, items: readonly T[]) {
      const other = await suite.openEngine()
      const answers = new Map<T, string>()
      const send = async (engine: typeof other, replica: string, mine: readonly T[]): Promise<void> => {
        for (let first = 0; first < mine.length; first += BATCH) {
          const batch = mine.slice(first, first + BATCH)
          const { outcomes } = await engine.apply(batch.map(toOperation), replica)
          for (const [i, item] of batch.entries()) answers.set(item, outcomes[i]?.outcome ?? '')
        }
      }
      const half = (rest: number): T[] => items.filter((_, i) => i % 2 === rest)
      await Promise.all([send(suite.engine, 'r1', half(0)), send(other, 'r2', half(1))])
      return items.map((item) => answers.get(item) ?? '')
    }
  },
)
