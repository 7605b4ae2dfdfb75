import { brokenInvariants } from '@sluice/testkit/ledger-engine'
import {
  openTestPayer,
  TEST_SECONDS,
  type TestPayer,
  testMove,
  testSettlement,
} from '@sluice/testkit/ledger-operations'
import { openLedgerOnSqlite, type LedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LedgerEngine } from '../engine.ts'
import type { Settlement } from '../operation.ts'
import { mqFromQuota } from '../units.ts'
import { chooseBound, sumAccounts } from './checkpoint.ts'
import { type Scope, scopeStart, WHOLE } from './invariants/scope.ts'
import { verifyLedger } from './verify.ts'

const DAY_MS = 86_400_000
const START = TEST_SECONDS * 1_000
const LAST_DAY = 12
const REPLICA = 'r1'

const day = fc.nat({ max: LAST_DAY })
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      step: fc.constant('charge' as const),
      day,
      payer: fc.nat({ max: 1 }),
      tokens: fc.nat({ max: 5 }),
    }),
  },
  // Its id is up to twelve days older than its charge, so it can fall below an existing checkpoint.
  {
    weight: 1,
    arbitrary: fc.record({ step: fc.constant('late' as const), day, began: day, tokens: fc.nat({ max: 5 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ step: fc.constant('correct' as const), which: fc.nat(), tokens: fc.nat({ max: 5 }) }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('refund' as const), which: fc.nat(), day }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('gift' as const), day, named: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('checkpoint' as const), day }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Each fault changes what the ledger wrote: balances, or rows of days that the scope covers. */
const FAULTS: Readonly<Record<string, (scope: Scope) => string>> = {
  none: () => 'select 1',
  posted: () => `update account set posted = posted + 1 where kind = 'user'`,
  spent: () => `update account set spent = spent - 1 where kind = 'token'`,
  requests: () => `update account set requests = requests + 1 where id = (select max(id) from account)`,
  held: () => 'update account set held = held + 1 where id = (select min(id) from account)',
  price: () => 'update price set output = output + 1',
  log: (scope) => `update log set amount = amount + 1 where type = 2 and request_id >= '${scope.from}'`,
  'no log': (scope) => `delete from log where type = 2 and request_id >= '${scope.from}'`,
  transfer: (scope) =>
    `update transfer set amount = amount + 1 where kind = 'consume' and request_id >= '${scope.from}'`,
  'no transfer': (scope) => `delete from transfer where request_id >= '${scope.from}'`,
  'daily sum': (scope) =>
    `update usage_daily set amount = amount + 1 where day > ${Math.ceil(scopeStart(scope) / DAY_MS)}`,
  'no checkpoint': () => 'delete from account_checkpoint',
  'half a checkpoint': () => 'delete from account_checkpoint where account % 2 = 0',
  'another checkpoint': () => 'update account_checkpoint set posted = posted + 1, requests = requests + 2',
}

describe('a checkpoint', () => {
  let books: LedgerOnSqlite
  beforeAll(() => {
    books = openLedgerOnSqlite()
  })
  afterAll(() => books.close())

  const broken = async (scope: Scope): Promise<readonly string[]> => {
    const found: string[] = []
    for await (const { id, firstWrong } of verifyLedger(books.read, START + LAST_DAY * DAY_MS, { scope })) {
      if (firstWrong !== undefined) found.push(id)
    }
    return found
  }

  it('changes no result, whatever happens before and after it', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.constantFrom(...Object.keys(FAULTS)),
        async (steps, fault) => {
          books.empty()
          books.connection.exec('delete from account_checkpoint')
          const history = await begin(books)
          for (const each of steps) await history.run(each)
          expect(await brokenInvariants(books.read, START + LAST_DAY * DAY_MS)).toEqual([])
          books.connection.exec(FAULTS[fault]?.(history.scope()) ?? '')
          const answer = await broken(history.scope())
          expect(answer).toEqual(await broken(WHOLE))
          books.connection.exec('delete from account_checkpoint')
          expect(answer).toEqual(await broken(history.scope()))
        },
      ),
      { numRuns: 150 },
    )
  })

  it('spares the rows before it', async () => {
    books.empty()
    const history = await begin(books)
    for (const at of [0, 1, 2, 3, 11]) await history.run({ step: 'charge', day: at, payer: 0, tokens: 1 })
    await history.run({ step: 'checkpoint', day: 11 })
    const looked: string[] = []
    for await (const { id, checked, recounted } of verifyLedger(books.read, START, { scope: history.scope() })) {
      expect(recounted).toBeUndefined()
      if (checked === 1) looked.push(id)
    }
    expect(looked).toEqual(['I4', 'I5', 'I6', 'I8'])
  })

  it('never lies above an open hold', async () => {
    books.empty()
    const history = await begin(books)
    await history.engine.apply(
      [{ op: 'hold', requestId: idAt(2, 1), ...history.payers[0], amount: mqFromQuota(1), at: START, durable: true }],
      REPLICA,
    )
    expect(await chooseBound(books.read, START + 9 * DAY_MS, WHOLE)).toBe(idAt(2, 1).slice(0, 12))
  })
})

function idAt(atDay: number, serial: number): string {
  return `${(START + atDay * DAY_MS).toString(16).padStart(12, '0')}7000${String(serial).padStart(16, '0')}`
}

interface History {
  readonly engine: LedgerEngine
  readonly payers: readonly [TestPayer, TestPayer]
  run(step: Step): Promise<void>
  scope(): Scope
}

async function begin(books: LedgerOnSqlite): Promise<History> {
  const engine = books.openEngine()
  await engine.heartbeat(REPLICA)
  const payers = [
    await openTestPayer(engine, REPLICA, { userId: 1, tokenId: 1, quota: 1_000, limit: 500 }),
    await openTestPayer(engine, REPLICA, { userId: 2, tokenId: 2, quota: 10 }),
  ] as const
  const charges: Settlement[] = []
  let scope = WHOLE
  let serial = 0
  let lastCheckpoint = 0

  const settle = (settlement: Settlement) => engine.apply([{ op: 'settle', settlement }], REPLICA)
  const charge = async (payer: TestPayer, began: number, ended: number, tokens: number): Promise<void> => {
    const settlement = testSettlement(payer, idAt(began, serial), tokens)
    const createdAt = TEST_SECONDS + Math.max(began, ended) * 86_400
    charges.push({ ...settlement, log: { ...settlement.log, createdAt } })
    await settle(charges.at(-1) ?? settlement)
  }
  const checkpoint = async (atDay: number): Promise<void> => {
    const results = verifyLedger(books.read, START + atDay * DAY_MS, { scope })
    let base = scope
    for await (const { recounted } of results) if (recounted) base = WHOLE
    lastCheckpoint = Math.max(lastCheckpoint, atDay)
    const bound = await chooseBound(books.read, START + atDay * DAY_MS, base)
    if (bound === undefined) return
    const insert = books.connection.prepare('insert into account_checkpoint values (?, ?, ?, ?, ?)')
    for (const row of await sumAccounts(books.read, base, bound)) {
      insert.run(serial, row.account, row.posted, row.spent, row.requests)
    }
    scope = { from: bound, checkpoint: serial }
  }

  return {
    engine,
    payers,
    scope: () => scope,
    run: async (each) => {
      serial += 1
      switch (each.step) {
        case 'charge':
          return await charge(each.payer === 0 ? payers[0] : payers[1], each.day, each.day, each.tokens)
        case 'late':
          return await charge(payers[0], Math.min(each.began, each.day), each.day, each.tokens)
        case 'checkpoint':
          return await checkpoint(each.day)
        case 'gift': {
          const requestId = each.named ? `gift-${serial}` : idAt(each.day, serial)
          const { account } = payers[1]
          await engine.apply([testMove({ requestId, kind: 'gift', account, amount: mqFromQuota(5) })], REPLICA)
          return
        }
        case 'correct':
        case 'refund': {
          const before = charges[each.which % Math.max(1, charges.length)]
          if (before === undefined) return
          if (each.step === 'refund') {
            // Made at once under a new id, so after its charge and never below a bound, which is a day behind.
            const charged = (before.log.createdAt - TEST_SECONDS) / 86_400
            const refundId = idAt(Math.max(each.day, charged, lastCheckpoint), serial)
            await engine.apply(
              [
                {
                  op: 'refund',
                  refundId,
                  requestId: before.requestId,
                  amount: 'rest',
                  actor: 1,
                  reason: '',
                  at: START,
                },
              ],
              REPLICA,
            )
            return
          }
          const { amount, tokens } = testSettlement(payers[0], before.requestId, each.tokens)
          await settle({ ...before, amount, tokens })
        }
      }
    },
  }
}
