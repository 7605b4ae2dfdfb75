import type { ImportReport, ImportTotals } from '@sluice/contract/import'
import { bringPending } from './bring/money.ts'
import { planPrices } from './bring/prices.ts'
import { bringSettings, planSettings } from './bring/settings.ts'
import type { ImportContext } from './import-context.ts'
import { createReportWriter } from './report-writer.ts'
import { type Progress, readSettings, walkSource } from './source-walk.ts'
import type { SourceSettings } from './take/take-settings.ts'
import { type ChangedCodes, totalsHere } from './totals.ts'
import { unknownColumns } from './unknown-columns.ts'

export interface ProvedLine {
  readonly id: string
  readonly statement: string
  readonly ok: boolean
}

export type ImportResult =
  | { readonly outcome: 'done' | 'refused'; readonly report: ImportReport }
  | { readonly outcome: 'failed'; readonly report: ImportReport; readonly reason: string }

/** Balances are counted in thousandths, in 64 bits. */
const MQ_PER_POINT = 1_000n
const SUM_MAX = 9_000_000_000_000_000n

/** Checks a source, and imports it if nothing prevents that and `writes` is set. */
export async function runImport(
  context: ImportContext,
  { writes, progress, prove }: RunOptions,
): Promise<ImportResult> {
  if (writes) await bringPending(context)
  const checked = await walkSource(context, progress, undefined)
  const found = await readSettings(context)
  const prices = planPrices(context, found.ratios, checked)
  const settings = await planSettings(context, [...found.settings, ...prices.settings], checked.groups)
  judge(context, checked.before)
  const rest = {
    unknown: unknownColumns(context),
    prices: prices.differences,
    settings: [...settings.entries, ...found.faults.map(invalidSetting)],
  }
  if (!writes || context.report.isRefused()) {
    const report = context.report.finished({
      ...rest,
      before: checked.before,
      after: null,
      balances_now: null,
      proof: null,
    })
    return { outcome: report.refused.length > 0 ? 'refused' : 'done', report }
  }
  progress.stage('settings', settings.changes.length)
  await bringSettings(context, settings)
  // Writing reads the rows again, so the report describes what was actually written.
  const writing = { ...context, report: createReportWriter(() => {}) }
  for (const note of context.report.notes()) writing.report.note(note)
  const { before, changedCodes } = await walkSource(writing, progress, checked)
  progress.stage('verify', 0)
  const { totals: after, balancesNow } = await totalsHere(context)
  const proof = await prove()
  const report = writing.report.finished({ ...rest, before, after, balances_now: balancesNow, proof: [...proof] })
  const wrong = wrongSum(withChanged(before, changedCodes), after) ?? proof.find(({ ok }) => !ok)?.statement
  return wrong === undefined
    ? { outcome: 'done', report }
    : { outcome: 'failed', report, reason: `After the import, a check failed: ${wrong}.` }
}

interface RunOptions {
  readonly writes: boolean
  readonly progress: Progress
  readonly prove: () => Promise<readonly ProvedLine[]>
}

/** Adds reasons against writing, apart from those found in single rows. */
function judge({ report, choices }: ImportContext, { balances, limits }: ImportTotals): void {
  const share = report.leftOutShare()
  if (share !== undefined && !choices.leaveOut) {
    const { table, leftOut, rows } = share
    report.refuse(
      `${table}: ${leftOut} of ${rows} rows cannot be imported, more than one in a hundred. Fix them, or choose to skip them.`,
    )
  }
  const largest = [balances, limits].find((sum) => BigInt(sum) > SUM_MAX || BigInt(sum) < -SUM_MAX)
  if (largest !== undefined) report.refuse(`The sum ${largest} is more than the ledger can record.`)
}

/** The totals expected here after changes to some codes. */
function withChanged(before: ImportTotals, { unused, amount }: ChangedCodes): ImportTotals {
  const codes = String((BigInt(before.codes) * MQ_PER_POINT + amount) / MQ_PER_POINT)
  return { ...before, codes_unused: before.codes_unused + unused, codes }
}

/** The difference between the source and its import; undefined for none. */
function wrongSum(before: ImportTotals, after: ImportTotals): string | undefined {
  const names = ['users', 'balances', 'digest', 'tokens', 'limits', 'channels', 'codes_unused', 'codes'] as const
  const wrong = names.find((name) => before[name] !== after[name])
  return wrong === undefined ? undefined : `${wrong} is ${before[wrong]} in the source and ${after[wrong]} here`
}

function invalidSetting({ key, problem }: SourceSettings['faults'][number]): ImportReport['settings'][number] {
  return { key, effect: 'invalid', reason: problem }
}
