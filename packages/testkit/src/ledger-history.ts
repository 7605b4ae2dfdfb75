import type { BatchResult } from '@sluice/ledger/engine'
import { openSqliteLedger } from '@sluice/ledger/engines/sqlite'
import type { SqliteConnection } from '@sluice/ledger/engines/sqlite-connection'
import type { Operation, Settlement } from '@sluice/ledger/operation'
import { mqFromQuota } from '@sluice/ledger/units'
import type { ReadRows } from '@sluice/ledger/verify'
import * as fc from 'fast-check'
import { brokenInvariants } from './ledger-engine.ts'
import {
  LedgerModel,
  MODEL_CODES,
  MODEL_USER_OF,
  type ModelOperation,
  type ModelStep,
  payerOfRequest,
} from './ledger-model.ts'
import {
  testCode,
  testHold,
  testMove,
  type TestPayer,
  testRedeem,
  testRefund,
  testSettlement,
  testTrace,
  testUnitSettlement,
} from './ledger-operations.ts'
import { outcomeName } from './outcome-name.ts'

/** Six requests of three payers, small amounts: quota runs short, ids repeat, and phases meet. */
export const ledgerHistory: fc.Arbitrary<ModelStep[]> = fc.array(arbitraryStep(), { size: 'max', maxLength: 60 })

function arbitraryStep(): fc.Arbitrary<ModelStep> {
  const replica = fc.constantFrom('r1', 'r2')
  const batch = fc.record({
    step: fc.constant('batch' as const),
    replica,
    replay: fc.boolean(),
    operations: fc.array(arbitraryOperation(), { minLength: 1, maxLength: 6 }),
  })
  const recover = fc.record({ step: fc.constant('recover' as const), dead: replica })
  return fc.oneof({ weight: 7, arbitrary: batch }, { weight: 1, arbitrary: recover })
}

function arbitraryOperation(): fc.Arbitrary<ModelOperation> {
  const request = fc.nat({ max: 5 })
  const payer = fc.nat({ max: MODEL_USER_OF.length - 1 })
  const quota = fc.nat({ max: 60 })
  const tokens = fc.nat({ max: 8 })
  const op = <T extends string>(name: T): fc.Arbitrary<T> => fc.constant(name)
  const what = fc.constantFrom('gift', 'adjust-add', 'adjust-set', 'limit-add', 'limit-set')
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ op: op('hold'), request, quota }) },
    { weight: 2, arbitrary: fc.record({ op: op('extend'), request, quota }) },
    { weight: 2, arbitrary: fc.record({ op: op('renew'), request, tokens }) },
    { weight: 4, arbitrary: fc.record({ op: op('settle'), request, tokens }) },
    { weight: 2, arbitrary: fc.record({ op: op('void'), request }) },
    {
      weight: 4,
      arbitrary: fc.record({
        op: op('move'),
        id: fc.nat({ max: 9 }),
        payer,
        what,
        quota: fc.integer({ min: -40, max: 120 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        op: op('refund'),
        request,
        id: fc.nat({ max: 9 }),
        quota: fc.option(fc.integer({ min: -1, max: 60 }), { nil: undefined }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ op: op('redeem'), code: fc.nat({ max: MODEL_CODES.length - 1 }), payer }) },
    { weight: 1, arbitrary: fc.record({ op: op('unlimited'), payer, unlimited: fc.boolean() }) },
  )
}

/** The first difference between the ledger and what must be true of it; undefined when there is none. */
export interface HistoryFailure {
  readonly step: number
  readonly what: 'outcomes' | 'balances' | 'invariant' | 'replay' | 'thrown'
  /** Id of the first broken invariant. */
  readonly invariant?: string
  readonly expected?: unknown
  readonly actual?: unknown
}

/**
 * Runs a history on empty books and checks after every step: the outcomes and balances are the model's, every invariant
 * holds, and a replayed batch that had done all it said moves nothing.
 */
export async function runHistory(
  connection: SqliteConnection,
  read: ReadRows,
  history: readonly ModelStep[],
): Promise<HistoryFailure | undefined> {
  const ledger = openSqliteLedger(connection)
  const model = new LedgerModel()
  const payers = openPayers((batch) => ledger.apply(batch, 'r1'))
  for (const replica of ['r1', 'r2']) ledger.heartbeat(replica)
  addCodes(connection)
  for (const [step, each] of history.entries()) {
    try {
      let different: Difference | undefined
      if (each.step === 'recover') {
        ledger.recover({ deadAfterMs: 60_000, dead: [each.dead] })
        model.recover(each.dead)
      } else {
        const batch = each.operations.map((operation, i) => toOperation(payers, operation, step * 100 + i))
        const runBatch = (again: boolean): { readonly complete: boolean } => {
          const actual = ledger.apply(batch, each.replica, again).outcomes.map(outcomeName)
          const expected = model.batch(each.operations, each.replica, step * 100, again)
          if (!equal(actual, expected)) different ??= { what: 'outcomes', expected, actual }
          return { complete: actual.every((outcome) => EFFECTIVE.includes(outcome)) }
        }
        const { complete } = runBatch(false)
        if (each.replay) {
          const before = await read(TRANSFERS)
          runBatch(true)
          if (complete && !equal(await read(TRANSFERS), before)) different ??= { what: 'replay' }
        }
      }
      const failure = (await findBroken(read)) ?? different ?? (await compareBalances(read, model))
      if (failure !== undefined) return { step, ...failure }
    } catch (error) {
      return { step, what: 'thrown', actual: error }
    }
  }
  return undefined
}

/** Outcomes of operations that did what they say. */
const EFFECTIVE: readonly string[] = ['done', 'account', 'redeemed', 'refunded']

type Difference = Omit<HistoryFailure, 'step'>

const TRANSFERS = 'select request_id, kind, amount from transfer order by request_id, kind'

async function findBroken(read: ReadRows): Promise<Difference | undefined> {
  const [broken] = await brokenInvariants(read, 0)
  return broken && { what: 'invariant', invariant: broken.id, actual: broken.firstWrong }
}

async function compareBalances(read: ReadRows, model: LedgerModel): Promise<Difference | undefined> {
  const rows = await read(
    `select kind, owner_id, posted, held, spent, requests from account where kind <> 'system' order by kind, owner_id`,
  )
  const actual = rows.map((row) => [
    row['kind'],
    row['owner_id'],
    row['posted'],
    row['held'],
    row['spent'],
    row['requests'],
  ])
  const expected = [
    ...MODEL_USER_OF.map((_, payer) => ['token', payer + 1, model.token(payer)] as const),
    ...[...new Set(MODEL_USER_OF)].map((user) => ['user', user + 1, model.user(user)] as const),
  ].map(([kind, owner, { posted, held, spent, requests }]) => [
    kind,
    owner,
    mqFromQuota(posted),
    mqFromQuota(held),
    mqFromQuota(spent),
    requests,
  ])
  return equal(actual, expected) ? undefined : { what: 'balances', expected, actual }
}

function addCodes(connection: SqliteConnection): void {
  for (const [code, quota] of MODEL_CODES.entries()) {
    const row = testCode(code + 1, quota)
    const places = Object.keys(row).map(() => '?')
    connection
      .prepare(`insert into redemption (${Object.keys(row).join(', ')}) values (${places.join(', ')})`)
      .run(...Object.values(row))
  }
}

function openPayers(apply: (batch: Operation[]) => BatchResult): TestPayer[] {
  return MODEL_USER_OF.map((user, payer) => {
    const { outcomes } = apply([
      { op: 'account', id: { kind: 'user', owner: user + 1 }, unlimited: false },
      { op: 'account', id: { kind: 'token', owner: payer + 1 }, unlimited: false },
    ])
    const [account = 0, limitAccount = 0] = outcomes.map((each) => (each.outcome === 'account' ? each.account : 0))
    return { userId: user + 1, tokenId: payer + 1, account, limitAccount }
  })
}

function toOperation(payers: readonly TestPayer[], operation: ModelOperation, at: number): Operation {
  const payer = payers['payer' in operation ? operation.payer : payerOfRequest(operation.request)]
  if (payer === undefined) throw new Error('no such payer')
  if (operation.op === 'unlimited') {
    return { op: 'account', id: { kind: 'token', owner: payer.tokenId }, unlimited: operation.unlimited }
  }
  if (operation.op === 'redeem') return { ...testRedeem(payer, operation.code + 1), at }
  if (operation.op === 'move') return toMove(payer, operation, at)
  const requestId = `request-${operation.request}`
  switch (operation.op) {
    case 'hold':
      return { ...testHold(payer, requestId, operation.quota, at), durable: operation.request % 2 === 0 }
    case 'extend':
      return { op: 'extend', requestId, amount: mqFromQuota(operation.quota), at }
    case 'renew':
      return { op: 'renew', requestId, progress: settlementOf(payer, operation), at }
    case 'settle':
      return { op: 'settle', settlement: settlementOf(payer, operation) }
    case 'refund': {
      const { id, quota } = operation
      return { ...testRefund(payer, requestId, `refund-${id}`, quota), at }
    }
    case 'void':
      return { op: 'void', requestId, trace: testTrace(payer, requestId) }
  }
}

/** Every other request is charged for more than text. */
function settlementOf(payer: TestPayer, { request, tokens }: { request: number; tokens: number }): Settlement {
  const make = request % 2 === 0 ? testSettlement : testUnitSettlement
  return make(payer, `request-${request}`, tokens)
}

function toMove(payer: TestPayer, { id, what, quota }: ModelOperation & { op: 'move' }, at: number): Operation {
  return testMove({
    requestId: `move-${id}`,
    kind: what === 'gift' ? 'gift' : what.startsWith('limit') ? 'limit-set' : 'admin-adjust',
    mode: what.endsWith('-set') ? 'set' : 'add',
    account: what.startsWith('limit') ? payer.limitAccount : payer.account,
    amount: mqFromQuota(quota),
    at,
  })
}

function equal(a: unknown, b: unknown): boolean {
  const text = (value: unknown): string =>
    JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each))
  return text(a) === text(b)
}
