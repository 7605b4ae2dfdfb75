import type { ImportReport, ImportStage, ImportTotals } from '@sluice/contract/import'
import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import { ROLE } from '@sluice/store/statuses'
import { oidcIssuer } from '../sign-in-providers/oidc-issuer.ts'
import { channelsTable } from './bring/channels.ts'
import { codesTable } from './bring/codes.ts'
import { bringLogs } from './bring/logs.ts'
import { bringPending } from './bring/money.ts'
import { planPrices } from './bring/prices.ts'
import { emptyRoot, findRoot } from './bring/root.ts'
import { bringSettings, planSettings } from './bring/settings.ts'
import { tokensTable } from './bring/tokens.ts'
import { bringUsage, countUsage } from './bring/usage.ts'
import { usersTable } from './bring/users.ts'
import { type Recognised, walkTable } from './bring/walk.ts'
import type { ImportContext } from './import-context.ts'
import { createReportWriter } from './report-writer.ts'
import { objectIn } from './take/fields.ts'
import { FACTORS_MAX, passkeysOf, PASSKEY_COLUMNS, totpSecrets, TWO_FA_COLUMNS } from './take/second-factors.ts'
import { SETTINGS_MAX, type SourceSettings, takeSettings } from './take/take-settings.ts'
import { type ChangedCodes, SourceTotals, totalsHere } from './totals.ts'
import { unknownColumns } from './unknown-columns.ts'

/** How far a run has come. */
export interface Progress {
  readonly stage: (stage: ImportStage, total: number) => void
  readonly rows: (rows: number) => void
}

export interface ProvedLine {
  readonly id: string
  readonly statement: string
  readonly ok: boolean
}

export type ImportResult =
  | { readonly outcome: 'done' | 'refused'; readonly report: ImportReport }
  | { readonly outcome: 'failed'; readonly report: ImportReport; readonly reason: string }

/** Groups of a source that are named; a source with more is refused. */
const GROUPS_MAX = 1_000
/** Administrators that are named. */
const RAISED_MAX = 1_000
const LARK = 'https://open.feishu.cn'
/** The groups of the option AutoGroups, in their order. */
const AUTO = 'auto'
/** So many rows can change by accident. */
const FEW = 5
/** Balances are counted in thousandths, in 64 bits. */
const MQ_PER_POINT = 1_000n
const SUM_MAX = 9_000_000_000_000_000n

/** Checks a source, and imports it when nothing stands against it and `writes` says so. */
export async function runImport(
  context: ImportContext,
  { writes, progress, prove }: RunOptions,
): Promise<ImportResult> {
  if (writes) await bringPending(context)
  const checked = await walkAll(context, progress, undefined)
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
  // The rows are read again as they are written: what is reported is what became of them.
  const writing = { ...context, report: createReportWriter(() => {}) }
  for (const note of context.report.notes()) writing.report.note(note)
  const { before, changedCodes } = await walkAll(writing, progress, checked)
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
  /** Proves the ledger. */
  readonly prove: () => Promise<readonly ProvedLine[]>
}

interface Walked {
  readonly before: ImportTotals
  readonly groups: ReadonlySet<string>
  readonly models: ReadonlySet<string>
  /** Names that a channel sends on under another name. */
  readonly mapped: ReadonlyMap<string, string>
  /** Whether a root of the source takes the place of the one here, which nobody has used. */
  readonly replacesRoot: boolean
  readonly changedCodes: ChangedCodes
}

/**
 * Reads every table of the source, in the order in which one refers to another. With what a check found, it writes them; the log
 * was added up by the check.
 */
async function walkAll(context: ImportContext, progress: Progress, checked: Walked | undefined): Promise<Walked> {
  const { source, choices, report } = context
  const writes = checked !== undefined
  const totals = new SourceTotals()
  const users = new Set<number>()
  const leftUsers = new Set<number>()
  const groups = new Set<string>()
  const models = new Set<string>()
  const mapped = new Map<string, string>()
  const walk = { writes, progress: progress.rows }
  const begin = async (stage: ImportStage, table: string): Promise<void> => {
    const rows = context.columns.has(table) ? await source.count(table) : 0
    progress.stage(writes ? stage : 'check', rows)
  }
  const addGroup = (group: string): void => {
    groups.add(group)
    if (groups.size === GROUPS_MAX)
      report.refuse(`Users, tokens and channels belong to more than ${GROUPS_MAX} groups.`)
  }
  const root = await findRoot(context)
  let replacesRoot = false
  // Only an imported root takes the place of the one here.
  if (checked?.replacesRoot === true) await emptyRoot(context, root)

  await begin('channels', 'channels')
  const channels = channelsTable(context, (_, { planned: { settings } }) => {
    totals.channel()
    for (const group of settings.groups.split(',')) addGroup(group)
    for (const model of settings.models.split(',')) models.add(model)
    for (const [name, target] of Object.entries(objectIn(settings.modelMapping ?? '{}') ?? {})) {
      if (typeof target === 'string' && target !== name) mapped.set(name, target)
    }
  })
  const recognised = [await walkTable(context, channels, walk)]

  await begin('users', 'users')
  const raised: Raised[] = []
  const usersHere = usersTable(context, {
    ...(await readFactors(context)),
    raised: (id, username, role) => raised.push({ id, username, role }),
    issuers: { lark: LARK, oidc: await issuerOf(context) },
    root: {
      ...root,
      isFresh: (id) => {
        const isFresh = root.isFresh(id)
        replacesRoot ||= isFresh
        return isFresh
      },
    },
    left: (id) => leftUsers.add(id),
    seen: (id, { quota, group }) => {
      users.add(id)
      addGroup(group)
      totals.user(id, choices.debts === 'forgive' ? Math.max(0, quota) : quota)
      if (quota < 0 && choices.debts === 'refuse') refuseDebt(context, id, quota)
    },
  })
  const usersRecognised = await walkTable(context, usersHere, walk)
  noteRaised(context, raised)

  await begin('tokens', 'tokens')
  const tokens = tokensTable(context, {
    isUserTaken: (id) => users.has(id),
    isUserLeft: (id) => leftUsers.has(id),
    seen: (_, token) => {
      totals.token(token)
      for (const group of token.groups) if (group !== AUTO) addGroup(group)
    },
  })
  recognised.push(await walkTable(context, tokens, walk))

  await begin('codes', 'redemptions')
  const codes = codesTable(context, {
    seen: (_, code) => totals.code(code),
    settled: (unused, amount) => totals.changedCode(unused, amount),
  })
  recognised.push(await walkTable(context, codes, walk))
  if (!writes) refuseAnother(context, usersRecognised, recognised)

  await begin('usage', 'logs')
  if (writes) {
    await bringUsage(context, progress.rows)
    await begin('logs', 'logs')
    await bringLogs(context, progress.rows)
  } else {
    totals.usage = await countUsage(context, (id) => users.has(id), progress.rows)
  }
  const { requests, used } = checked?.before ?? {}
  const before = totals.totals()
  return {
    before: requests === undefined || used === undefined ? before : { ...before, requests, used },
    groups,
    models,
    mapped,
    replacesRoot,
    changedCodes: totals.changedCodes,
  }
}

interface Raised {
  readonly id: number
  readonly username: string
  readonly role: number
}

/** Every user who may change this gateway after this import is named. */
function noteRaised({ report }: ImportContext, raised: readonly Raised[]): void {
  for (const [role, words] of [
    [ROLE.root, 'Root'],
    [ROLE.admin, 'Administrators'],
  ] as const) {
    const named = raised.filter((one) => one.role === role)
    if (named.length === 0) continue
    const listed = named.slice(0, RAISED_MAX).map(({ id, username }) => `"${username}" (${id} there)`)
    const more = named.length > RAISED_MAX ? ` and ${named.length - RAISED_MAX} more` : ''
    report.note(`${words} here by this import: ${listed.join(', ')}${more}.`)
  }
}

/** The family knows no floor of a balance; whether a debt is brought is a decision about money, which nobody else can make. */
function refuseDebt({ report }: ImportContext, id: number, quota: number): void {
  report.problem('users', id, { field: 'quota', problem: `is negative (${quota})` }, 'adapted')
  report.refuse(`users ${id}: quota is negative (${quota}). Choose whether to keep or forgive debts.`)
}

/** A few rows may be others under ids that were given away again; a database of which most rows are others is another one. */
function refuseAnother(
  { report, name, choices }: ImportContext,
  users: Recognised,
  tables: readonly Recognised[],
): void {
  const known = tables.reduce((sum, table) => sum + table.known, 0)
  const others = tables.reduce((sum, table) => sum + table.others, 0)
  const isAnother = (users.others > 1 && users.others * 10 > users.known) || (others >= FEW && others * 2 > known)
  // An operator who takes what is left knows that it is little.
  const isEmptied = !choices.leaveOut && users.gone >= FEW && users.gone > users.known
  if (!isAnother && !isEmptied) return
  const what = isAnother ? 'has other rows' : `lacks ${users.gone} of the users`
  report.refuse(
    `The source ${what} under the ids that were imported as "${name}". If it is a different gateway, give it a different name.`,
  )
}

/** Adds what stands against writing, beyond what single rows said. */
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

/** What has to be here, since some codes were changed here. */
function withChanged(before: ImportTotals, { unused, amount }: ChangedCodes): ImportTotals {
  const codes = String((BigInt(before.codes) * MQ_PER_POINT + amount) / MQ_PER_POINT)
  return { ...before, codes_unused: before.codes_unused + unused, codes }
}

/** What differs between the source and what it became here; undefined when nothing does. */
function wrongSum(before: ImportTotals, after: ImportTotals): string | undefined {
  const names = ['users', 'balances', 'digest', 'tokens', 'limits', 'channels', 'codes_unused', 'codes'] as const
  const wrong = names.find((name) => before[name] !== after[name])
  return wrong === undefined ? undefined : `${wrong} is ${before[wrong]} in the source and ${after[wrong]} here`
}

async function readSettings({ source, family, columns }: ImportContext): Promise<SourceSettings> {
  if (!columns.has('options')) return takeSettings(family, [])
  return takeSettings(family, await source.small({ table: 'options', columns: ['key', 'value'], limit: SETTINGS_MAX }))
}

function invalidSetting({ key, problem }: SourceSettings['faults'][number]): ImportReport['settings'][number] {
  return { key, effect: 'invalid', reason: problem }
}

async function issuerOf(context: ImportContext): Promise<string | undefined> {
  const { settings } = await readSettings(context)
  return oidcIssuer(settings.find(({ key }) => key === 'OidcWellKnown')?.value ?? '')
}

async function readFactors({ source, columns, report }: ImportContext) {
  const rowsOf = async (table: string, wanted: readonly string[]): Promise<readonly ForeignRow[]> => {
    const present = columns.get(table)
    if (present === undefined) return []
    return await source.small({ table, columns: wanted.filter((column) => present.has(column)), limit: FACTORS_MAX })
  }
  const { secrets, faults, ofNobody } = totpSecrets(await rowsOf('two_fas', TWO_FA_COLUMNS))
  for (const fault of ofNobody) report.problem('two_fas', '?', fault, 'left_out')
  const { passkeys, faults: passkeyFaults } = passkeysOf(await rowsOf('passkey_credentials', PASSKEY_COLUMNS))
  for (const { user, ...fault } of passkeyFaults)
    report.problem('passkey_credentials', `of user ${user}`, fault, 'left_out')
  return { totpSecrets: secrets, totpFaults: faults, passkeys }
}
