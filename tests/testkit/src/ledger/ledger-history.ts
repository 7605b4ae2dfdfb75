import type { LedgerEngine } from '@sluice/ledger/engine'
import type { ReadRows } from '@sluice/ledger/proof/verify'
import { mqFromQuota } from '@sluice/ledger/units'
import { brokenInvariants } from './ledger-engine.ts'
import { toOperation } from './ledger-history-operations.ts'
import { bringBalance, type ImportingLedger } from './ledger-import.ts'
import { MODEL_CODES, MODEL_USED_CODE, MODEL_USER_OF, type ModelReplica, type ModelStep } from './ledger-model-step.ts'
import { LedgerModel } from './ledger-model.ts'
import { TEST_SECONDS, testCode, type TestPayer, testUsedCode } from './ledger-operations.ts'
import { outcomeName } from './outcome-name.ts'

/** An empty ledger, and an engine for each of the two replicas of a history. */
export interface HistoryLedger {
  readonly engines: Readonly<Record<ModelReplica, LedgerEngine>>
  readonly read: ReadRows
  readonly addCode: (row: ReturnType<typeof testCode>) => Promise<void>
  readonly write: (text: string) => Promise<void>
}

export interface HistoryFailure {
  readonly step: number
  readonly what: 'outcomes' | 'balances' | 'invariant' | 'replay' | 'thrown'
  readonly invariant?: string
  readonly expected?: unknown
  readonly actual?: unknown
}

/** Ten hours per step, so that histories cross into new days, weeks and months. */
const STEP_MS = 36_000_000

/**
 * Runs a history on an empty ledger and checks after every step: outcomes and balances match the model, every invariant holds, and
 * a replayed batch that was applied in full moves nothing. For slow databases, `proveEvery` above 1 proves the invariants only
 * after this many steps, at the end, and when something differs.
 */
export async function runHistory(
  { engines, read, addCode, write }: HistoryLedger,
  history: readonly ModelStep[],
  { proveEvery = 1 } = {},
): Promise<HistoryFailure | undefined> {
  const model = new LedgerModel()
  const payers = await openPayers(engines.r1)
  for (const replica of ['r1', 'r2'] as const) await engines[replica].heartbeat(replica)
  for (const [code, quota] of MODEL_CODES.entries()) {
    await addCode(code === MODEL_USED_CODE ? testUsedCode(code + 1, quota) : testCode(code + 1, quota))
  }
  for (const [step, each] of history.entries()) {
    const at = TEST_SECONDS * 1_000 + step * STEP_MS
    try {
      const different = await runStep({ engines, read, write }, model, payers, each, at)
      const suspicious = different ?? (await compareBalances(read, model))
      const isDue = step % proveEvery === proveEvery - 1 || step === history.length - 1
      const broken = isDue || suspicious !== undefined ? await findBroken(read) : undefined
      const failure = broken ?? suspicious
      if (failure !== undefined) return { step, ...failure }
    } catch (error) {
      return { step, what: 'thrown', actual: error }
    }
  }
  return undefined
}

type Difference = Omit<HistoryFailure, 'step'>

const EFFECTIVE: readonly string[] = ['done', 'account', 'redeemed', 'refunded']

async function runStep(
  { engines, read, write }: Pick<HistoryLedger, 'engines' | 'read' | 'write'>,
  model: LedgerModel,
  payers: readonly TestPayer[],
  each: ModelStep,
  at: number,
): Promise<Difference | undefined> {
  if (each.step === 'recover') {
    const other = each.dead === 'r1' ? engines.r2 : engines.r1
    await other.recover({ deadAfterMs: 60_000, dead: [each.dead] })
    model.recover(each.dead)
    return undefined
  }
  if (each.step === 'import')
    return await bring({ engine: engines[each.replica], read, write }, model, payers, each, at)
  const batch = each.operations.map((operation, i) => toOperation(payers, operation, at + i))
  const runBatch = async (again: boolean): Promise<{ isComplete: boolean; different?: Difference }> => {
    const { outcomes } = await engines[each.replica].apply(batch, each.replica, { again })
    const actual = outcomes.map(outcomeName)
    const expected = model.batch(each.operations, each.replica, at, again)
    const isComplete = actual.every((outcome) => EFFECTIVE.includes(outcome))
    return equal(actual, expected) ? { isComplete } : { isComplete, different: { what: 'outcomes', expected, actual } }
  }
  const first = await runBatch(false)
  if (!each.replay) return first.different
  const before = await read(TRANSFERS)
  const second = await runBatch(true)
  const isMoved = first.isComplete && !equal(await read(TRANSFERS), before)
  return first.different ?? second.different ?? (isMoved ? { what: 'replay' } : undefined)
}

async function bring(
  ledger: ImportingLedger,
  model: LedgerModel,
  payers: readonly TestPayer[],
  { replica, user, quota, isNoted }: ModelStep & { step: 'import' },
  at: number,
): Promise<Difference | undefined> {
  const payer = payers.find(({ userId }) => userId === user + 1)
  if (payer === undefined) throw new Error('no such user')
  const actual = await bringBalance(ledger, payer, { quota, isNoted, replica, at })
  const expected = quota === 0 ? 'stale' : 'done'
  if (quota !== 0) model.import(user, quota, at)
  return actual === expected ? undefined : { what: 'outcomes', expected, actual }
}

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

async function openPayers(engine: LedgerEngine): Promise<readonly TestPayer[]> {
  const payers: TestPayer[] = []
  for (const [payer, user] of MODEL_USER_OF.entries()) {
    const { outcomes } = await engine.apply(
      [
        { op: 'account', id: { kind: 'user', owner: user + 1 }, unlimited: false },
        { op: 'account', id: { kind: 'token', owner: payer + 1 }, unlimited: false },
      ],
      'r1',
    )
    const [account = 0, limitAccount = 0] = outcomes.map((each) => (each.outcome === 'account' ? each.account : 0))
    payers.push({ userId: user + 1, tokenId: payer + 1, account, limitAccount })
  }
  return payers
}

function equal(a: unknown, b: unknown): boolean {
  const text = (value: unknown): string =>
    JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each))
  return text(a) === text(b)
}
