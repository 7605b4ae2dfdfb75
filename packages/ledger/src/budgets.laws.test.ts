import { BudgetModel, type Limits } from '@sluice/testkit/budget-model'
import { brokenInvariants } from '@sluice/testkit/ledger-engine'
import {
  openTestPayer,
  TEST_SECONDS,
  testHold,
  type TestPayer,
  testSettlement,
} from '@sluice/testkit/ledger-operations'
import { openLedgerOnSqlite, type LedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import { outcomeName } from '@sluice/testkit/outcome-name'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BudgetPeriod } from './budget-window.ts'
import type { SqliteConnection } from './engines/sqlite-connection.ts'
import { createSqliteLedger } from './engines/sqlite.ts'
import type { Operation } from './operation.ts'
import { BUDGETED } from './proof/invariants/budgets.ts'
import { WHOLE } from './proof/invariants/scope.ts'
import { mqFromQuota } from './units.ts'

const HOUR = 3_600_000
const START = TEST_SECONDS * 1_000
const QUOTA_PER_TOKEN = 10
/** Payers 0 and 1 are one user. */
const USERS = [1, 1, 2] as const

type Step =
  | { readonly op: 'hold'; readonly request: number; readonly quota: number }
  | { readonly op: 'extend'; readonly request: number; readonly quota: number }
  | { readonly op: 'settle'; readonly request: number; readonly tokens: number }
  | { readonly op: 'void'; readonly request: number }
  | { readonly op: 'restart' }
  | { readonly op: 'budgets'; readonly payer: number; readonly kind: 'user' | 'token'; readonly limits: Limits }

interface Moment {
  /** Since the previous step. */
  readonly hours: number
  /** How far the clock of the acting replica is behind or, if negative, ahead. */
  readonly behind: number
  readonly step: Step
}

const request = fc.nat({ max: 8 })
const quota = fc.nat({ max: 60 })
const limit = fc.option(fc.nat({ max: 150 }), { nil: undefined, freq: 3 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constant('hold' as const), request, quota }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('extend' as const), request, quota }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('settle' as const), request, tokens: fc.nat({ max: 8 }) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('void' as const), request }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('restart' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('budgets' as const),
      payer: fc.nat({ max: USERS.length - 1 }),
      kind: fc.constantFrom('user' as const, 'token' as const),
      limits: fc.record({ day: limit, week: limit, month: limit }),
    }),
  },
)
const history: fc.Arbitrary<Moment[]> = fc.array(
  fc.record({ hours: fc.constantFrom(0, 0, 0, 1, 5, 20, 100), behind: fc.constantFrom(0, 0, 0, 1, 9, -2_000), step }),
  { size: 'max', maxLength: 50 },
)

describe('budgets after any history', () => {
  let books: LedgerOnSqlite
  beforeAll(() => {
    books = openLedgerOnSqlite()
  })
  afterAll(() => books.close())

  it('refuse exactly what would overrun them, count every charge in its window, and keep within the stated bound', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (moments) => {
        expect(await firstDifference(books, books.connection, moments)).toBeUndefined()
      }),
      { numRuns: 60 },
    )
  }, 60_000)

  it('hold for many requests at once, however they are batched and whatever each of them costs', async () => {
    const batches = fc.array(fc.array(fc.tuple(quota, fc.nat({ max: 6 })), { minLength: 1, maxLength: 12 }), {
      minLength: 1,
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(batches, fc.nat({ max: 200 }), async (given, budget) => {
        books.empty()
        const payers = await openPayers(books)
        const ledger = createSqliteLedger(books.connection)
        const apply = (batch: Operation[]) => ledger.apply(batch, 'r1').outcomes.map(outcomeName)
        const [payer] = payers
        if (payer === undefined) throw new Error('no payer')
        apply([budgetsOf(payer, 'user', { month: budget }, START)])
        const all = given.map((each, i) => each.map(([amount, tokens], j) => ({ id: `${i}-${j}`, amount, tokens })))
        const held = all.flatMap((batch, i) => {
          const by = payers[i % 2] ?? payer
          const answers = apply(batch.map(({ id, amount }) => testHold(by, id, amount)))
          return batch.filter((_, j) => answers[j] === 'done').map((each) => ({ ...each, by }))
        })
        expect(sumOf(held.map(({ amount }) => amount))).toBeLessThanOrEqual(budget)
        // No settlement charges more than was held.
        apply(
          held.map(({ id, amount, tokens, by }) => settleOf(by, id, Math.min(tokens, Math.floor(amount / 10)), START)),
        )
        const [row] = await books.read('select spent from budget')
        expect(row?.['spent']).toBeLessThanOrEqual(mqFromQuota(budget))
        expect(await brokenInvariants(books.read, 0)).toEqual([])
      }),
      { numRuns: 60 },
    )
  }, 60_000)

  it('cost no statement for accounts that have none', async () => {
    books.empty()
    const [payer] = await openPayers(books)
    if (payer === undefined) throw new Error('no payer')
    const requested: string[] = []
    const ledger = createSqliteLedger(
      withFault(books.connection, (sql) => {
        if (!/\bbudget\b|set budgeted/.test(sql)) return undefined
        return () => void requested.push(sql)
      }),
    )
    ledger.apply([testHold(payer, 'a', 10)], 'r1')
    ledger.apply([settleOf(payer, 'a', 1, START)], 'r1')
    expect(requested).toEqual([])
    ledger.apply([budgetsOf(payer, 'token', { day: 5 }, START)], 'r1')
    expect(requested).not.toEqual([])
  })

  // Each fault is planted between the ledger and its database; the first law must notice it.
  it.each<{
    readonly fault: string
    readonly found: string
    readonly plant: (sql: string) => 'skip' | 'empty' | undefined
  }>([
    {
      fault: 'does not write what was spent',
      found: 'I11',
      plant: (sql) => (sql.startsWith('insert into budget') ? 'skip' : undefined),
    },
    {
      fault: 'forgets to say that an account has budgets',
      found: 'I11',
      plant: (sql) => (sql.startsWith('update account set budgeted') ? 'skip' : undefined),
    },
    {
      fault: 'forgets to take a budget away',
      found: 'I11',
      plant: (sql) => (sql.startsWith('delete from budget') ? 'skip' : undefined),
    },
    {
      fault: 'does not look for budgets',
      found: 'outcome',
      plant: (sql) => (sql.startsWith('select period, amount') ? 'empty' : undefined),
    },
    {
      fault: 'lets a new budget begin with nothing spent',
      found: 'I11',
      plant: (sql) => (sql.startsWith('select amount from usage_daily') ? 'empty' : undefined),
    },
  ])('breaks at $found when the ledger $fault', { tags: 'slow', timeout: 60_000 }, async ({ found, plant }) => {
    const { counterexample } = await fc.check(
      fc.asyncProperty(history, async (moments) => {
        const difference = await firstDifference(books, withFault(books.connection, plant), moments)
        return difference?.what !== found
      }),
      { numRuns: 500, endOnFailure: true },
    )
    expect(counterexample).not.toBeNull()
  })
})

interface Difference {
  readonly at: number
  /** Id of the broken invariant, or the kind of difference. */
  readonly what: string
  readonly expected?: unknown
  readonly actual?: unknown
}

/** Runs a history on an empty ledger; returns the first difference from the model. */
async function firstDifference(
  books: LedgerOnSqlite,
  connection: SqliteConnection,
  moments: readonly Moment[],
): Promise<Difference | undefined> {
  books.empty()
  const payers = await openPayers(books)
  // Reopened, so that nothing is cached from before the fault.
  let ledger = createSqliteLedger(connection)
  const model = new BudgetModel()
  const heldAt = new Map<string, number>()
  let now = START
  for (const [at, { hours, behind, step: each }] of moments.entries()) {
    now += hours * HOUR
    if (each.op === 'restart') {
      ledger = createSqliteLedger(connection)
      continue
    }
    const payer = payers['payer' in each ? each.payer : each.request % payers.length]
    if (payer === undefined) throw new Error('no such payer')
    const time = now - behind * HOUR
    const { operation, expected } = expectedOf(model, heldAt, payer, each, time)
    const [outcome] = ledger.apply([operation], 'r1').outcomes
    const actual = outcome === undefined ? 'none' : outcomeName(outcome)
    if (actual.replace(/(user|token)_budget/, 'refused') !== expected) return { at, what: 'outcome', expected, actual }
    const { firstWrong } = await BUDGETED.check(books.read, 0, WHOLE)
    if (firstWrong !== undefined) return { at, what: BUDGETED.id, actual: firstWrong }
    const wrong = await wrongBudget(books, model)
    if (wrong !== undefined) return { at, ...wrong }
  }
  const [broken] = await brokenInvariants(books.read, 0)
  return broken && { at: moments.length, what: broken.id, actual: broken.firstWrong }
}

/** Takes the step in the model and returns the expected outcome. */
function expectedOf(
  model: BudgetModel,
  heldAt: Map<string, number>,
  payer: TestPayer,
  each: Exclude<Step, { readonly op: 'restart' }>,
  at: number,
): { readonly operation: Operation; readonly expected: string } {
  const owners = [ownerOf(payer, 'user'), ownerOf(payer, 'token')]
  if (each.op === 'budgets') {
    model.setBudgets(ownerOf(payer, each.kind), each.limits, at)
    return { operation: budgetsOf(payer, each.kind, each.limits, at), expected: 'done' }
  }
  const requestId = `request-${each.request}`
  const held = model.held(requestId)
  switch (each.op) {
    case 'hold': {
      const operation = testHold(payer, requestId, each.quota, at)
      if (held !== undefined || model.isCharged(requestId)) return { operation, expected: 'stale' }
      if (!model.allows(owners, each.quota, at)) return { operation, expected: 'refused' }
      model.hold(requestId, owners, each.quota)
      heldAt.set(requestId, at)
      return { operation, expected: 'done' }
    }
    case 'extend': {
      const operation: Operation = { op: 'extend', requestId, amount: mqFromQuota(each.quota), at }
      if (held === undefined) return { operation, expected: 'stale' }
      if (each.quota <= held) return { operation, expected: 'done' }
      if (!model.allows(owners, each.quota - held, at)) return { operation, expected: 'refused' }
      model.hold(requestId, owners, each.quota)
      heldAt.set(requestId, Math.max(at, heldAt.get(requestId) ?? 0))
      return { operation, expected: 'done' }
    }
    case 'settle': {
      // A request is charged by the clock that held it, so never before its hold.
      const time = Math.max(at, heldAt.get(requestId) ?? 0)
      model.settle(requestId, owners, each.tokens * QUOTA_PER_TOKEN, time)
      return { operation: settleOf(payer, requestId, each.tokens, time), expected: 'done' }
    }
    case 'void': {
      model.release(requestId)
      return { operation: { op: 'void', requestId }, expected: held === undefined ? 'stale' : 'done' }
    }
  }
}

/** The first stored budget whose spending differs from the model or exceeds its bound. */
async function wrongBudget(books: LedgerOnSqlite, model: BudgetModel): Promise<Omit<Difference, 'at'> | undefined> {
  const rows = await books.read(`select kind, owner_id, period, window_start_ms, budget.spent
    from budget join account on account.id = budget.account order by budget.account, period`)
  for (const row of rows) {
    const owner = `${String(row['kind'])} ${String(row['owner_id'])}`
    const [period, start] = [row['period'] as BudgetPeriod, Number(row['window_start_ms'])]
    const expected = model.spent(owner, period, start)
    if (row['spent'] !== mqFromQuota(expected)) return { what: 'spent', expected, actual: row }
    if (model.spentWithin(owner, period, start) > model.bound(owner, period, start))
      return { what: 'bound', actual: row }
  }
  return undefined
}

async function openPayers(books: LedgerOnSqlite): Promise<TestPayer[]> {
  const engine = books.openEngine()
  await engine.heartbeat('r1')
  const payers: TestPayer[] = []
  for (const [i, userId] of USERS.entries()) {
    payers.push(await openTestPayer(engine, 'r1', { userId, tokenId: i + 1, quota: 1_000_000 }))
  }
  return payers
}

function ownerOf({ userId, tokenId }: TestPayer, kind: 'user' | 'token'): string {
  return `${kind} ${kind === 'user' ? userId : tokenId}`
}

function budgetsOf(payer: TestPayer, kind: 'user' | 'token', limits: Limits, at: number): Operation {
  const account = kind === 'user' ? payer.account : payer.limitAccount
  const budgets = Object.entries(limits).flatMap(([period, amount]) =>
    amount === undefined ? [] : [{ period: period as BudgetPeriod, amount: mqFromQuota(amount) }],
  )
  return { op: 'budgets', account, userId: payer.userId, budgets, at }
}

function settleOf(payer: TestPayer, requestId: string, tokens: number, at: number): Operation {
  const settlement = testSettlement(payer, requestId, tokens)
  return { op: 'settle', settlement: { ...settlement, log: { ...settlement.log, createdAt: at / 1_000 } } }
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, each) => sum + each, 0)
}

/** `skip` writes nothing, `empty` finds nothing; a function is called whenever the statement runs. */
type Planted = 'skip' | 'empty' | (() => void)

function withFault(connection: SqliteConnection, plant: (sql: string) => Planted | undefined): SqliteConnection {
  return {
    exec: (sql) => connection.exec(sql),
    prepare: (sql) => {
      const statement = connection.prepare(sql)
      const fault = plant(sql)
      const reported = typeof fault === 'function' ? fault : () => {}
      return {
        run: (...params) => {
          reported()
          return fault === 'skip' ? { changes: 1 } : statement.run(...params)
        },
        values: (...params) => {
          reported()
          return fault === 'empty' ? [] : statement.values(...params)
        },
      }
    },
  }
}
