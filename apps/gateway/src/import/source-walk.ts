import type { ImportStage, ImportTotals } from '@sluice/contract/import'
import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import { ROLE } from '@sluice/store/statuses'
import { oidcIssuer } from '../sign-in-providers/oidc-issuer.ts'
import { channelsTable } from './bring/channels.ts'
import { codesTable } from './bring/codes.ts'
import { bringLogs } from './bring/logs.ts'
import { emptyRoot, findRoot, type RootHere } from './bring/root.ts'
import { tokensTable } from './bring/tokens.ts'
import { bringUsage, countUsage } from './bring/usage.ts'
import { usersTable } from './bring/users.ts'
import { type Recognised, type Walk, walkTable } from './bring/walk.ts'
import type { ImportContext } from './import-context.ts'
import { objectIn } from './take/fields.ts'
import { FACTORS_MAX, passkeysOf, PASSKEY_COLUMNS, totpSecrets, TWO_FA_COLUMNS } from './take/second-factors.ts'
import { SETTINGS_MAX, type SourceSettings, takeSettings } from './take/take-settings.ts'
import { type ChangedCodes, SourceTotals } from './totals.ts'

export interface Progress {
  readonly stage: (stage: ImportStage, total: number) => void
  readonly rows: (rows: number) => void
}

/** Groups of a source; a source with more is refused. */
const GROUPS_MAX = 1_000
const RAISED_MAX = 1_000
const LARK = 'https://open.feishu.cn'
/** The groups of the option AutoGroups, in their order. */
const AUTO = 'auto'
/** This many rows can change by accident. */
const FEW = 5

export interface Walked {
  readonly before: ImportTotals
  readonly groups: ReadonlySet<string>
  readonly models: ReadonlySet<string>
  /** Model names that a channel maps to another name. */
  readonly mapped: ReadonlyMap<string, string>
  /** Whether a root of the source takes the place of the unused root here. */
  readonly replacesRoot: boolean
  readonly changedCodes: ChangedCodes
}

/** Reads every table of the source, each after those that it refers to. With the result of a check, also writes them. */
export async function walkSource(
  context: ImportContext,
  progress: Progress,
  checked: Walked | undefined,
): Promise<Walked> {
  const root = await findRoot(context)
  // Only an imported root takes the place of the one here.
  if (checked?.replacesRoot === true) await emptyRoot(context, root)
  const walk = new SourceWalk(context, progress, checked)
  const channels = await walk.channels()
  const users = await walk.users(root)
  const tokens = await walk.tokens()
  const codes = await walk.codes()
  if (checked === undefined) refuseAnother(context, users, [channels, tokens, codes])
  await walk.usage()
  return walk.walked()
}

/** Goes through the tables in order, and keeps data that later tables need from earlier ones. */
class SourceWalk {
  readonly #context: ImportContext
  readonly #progress: Progress
  readonly #checked: Walked | undefined
  readonly #walk: Walk
  readonly #totals = new SourceTotals()
  readonly #users = new Set<number>()
  readonly #leftUsers = new Set<number>()
  readonly #groups = new Set<string>()
  readonly #models = new Set<string>()
  readonly #mapped = new Map<string, string>()
  #replacesRoot = false

  constructor(context: ImportContext, progress: Progress, checked: Walked | undefined) {
    this.#context = context
    this.#progress = progress
    this.#checked = checked
    this.#walk = { writes: checked !== undefined, progress: progress.rows }
  }

  async channels(): Promise<Recognised> {
    await this.#begin('channels', 'channels')
    const channels = channelsTable(this.#context, (_, { planned: { settings } }) => {
      this.#totals.channel()
      for (const group of settings.groups.split(',')) this.#addGroup(group)
      for (const model of settings.models.split(',')) this.#models.add(model)
      for (const [name, target] of Object.entries(objectIn(settings.modelMapping ?? '{}') ?? {})) {
        if (typeof target === 'string' && target !== name) this.#mapped.set(name, target)
      }
    })
    return await walkTable(this.#context, channels, this.#walk)
  }

  async users(root: RootHere): Promise<Recognised> {
    const { choices } = this.#context
    await this.#begin('users', 'users')
    const raised: Raised[] = []
    const users = usersTable(this.#context, {
      ...(await readFactors(this.#context)),
      raised: (id, username, role) => raised.push({ id, username, role }),
      issuers: { lark: LARK, oidc: await issuerOf(this.#context) },
      root: {
        ...root,
        isFresh: (id) => {
          const isFresh = root.isFresh(id)
          this.#replacesRoot ||= isFresh
          return isFresh
        },
      },
      left: (id) => this.#leftUsers.add(id),
      seen: (id, { quota, group }) => {
        this.#users.add(id)
        this.#addGroup(group)
        this.#totals.user(id, choices.debts === 'forgive' ? Math.max(0, quota) : quota)
        if (quota < 0 && choices.debts === 'refuse') refuseDebt(this.#context, id, quota)
      },
    })
    const recognised = await walkTable(this.#context, users, this.#walk)
    noteRaised(this.#context, raised)
    return recognised
  }

  async tokens(): Promise<Recognised> {
    await this.#begin('tokens', 'tokens')
    const tokens = tokensTable(this.#context, {
      isUserTaken: (id) => this.#users.has(id),
      isUserLeft: (id) => this.#leftUsers.has(id),
      seen: (_, token) => {
        this.#totals.token(token)
        for (const group of token.groups) if (group !== AUTO) this.#addGroup(group)
      },
    })
    return await walkTable(this.#context, tokens, this.#walk)
  }

  async codes(): Promise<Recognised> {
    await this.#begin('codes', 'redemptions')
    const codes = codesTable(this.#context, {
      seen: (_, code) => this.#totals.code(code),
      settled: (unused, amount) => this.#totals.changedCode(unused, amount),
    })
    return await walkTable(this.#context, codes, this.#walk)
  }

  async usage(): Promise<void> {
    const { rows } = this.#progress
    await this.#begin('usage', 'logs')
    if (this.#walk.writes) {
      await bringUsage(this.#context, rows)
      await this.#begin('logs', 'logs')
      await bringLogs(this.#context, rows)
    } else {
      this.#totals.usage = await countUsage(this.#context, (id) => this.#users.has(id), rows)
    }
  }

  walked(): Walked {
    const { requests, used } = this.#checked?.before ?? {}
    const before = this.#totals.totals()
    return {
      before: requests === undefined || used === undefined ? before : { ...before, requests, used },
      groups: this.#groups,
      models: this.#models,
      mapped: this.#mapped,
      replacesRoot: this.#replacesRoot,
      changedCodes: this.#totals.changedCodes,
    }
  }

  async #begin(stage: ImportStage, table: string): Promise<void> {
    const { columns, source } = this.#context
    const rows = columns.has(table) ? await source.count(table) : 0
    this.#progress.stage(this.#walk.writes ? stage : 'check', rows)
  }

  #addGroup(group: string): void {
    this.#groups.add(group)
    if (this.#groups.size === GROUPS_MAX)
      this.#context.report.refuse(`Users, tokens and channels belong to more than ${GROUPS_MAX} groups.`)
  }
}

interface Raised {
  readonly id: number
  readonly username: string
  readonly role: number
}

/** The report names every user who can change this gateway after the import. */
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

/** Balances can be negative in the family; the operator must decide whether to import a debt. */
function refuseDebt({ report }: ImportContext, id: number, quota: number): void {
  report.problem('users', id, { field: 'quota', problem: `is negative (${quota})` }, 'adapted')
  report.refuse(`users ${id}: quota is negative (${quota}). Choose whether to keep or forgive debts.`)
}

/** A few rows may be different ones under reused ids; a database with mostly different rows is another database. */
function refuseAnother(
  { report, name, choices }: ImportContext,
  users: Recognised,
  tables: readonly Recognised[],
): void {
  const known = tables.reduce((sum, table) => sum + table.known, 0)
  const others = tables.reduce((sum, table) => sum + table.others, 0)
  const isAnother = (users.others > 1 && users.others * 10 > users.known) || (others >= FEW && others * 2 > known)
  // An operator who agreed to import what is left knows that it is little.
  const isEmptied = !choices.leaveOut && users.gone >= FEW && users.gone > users.known
  if (!isAnother && !isEmptied) return
  const what = isAnother ? 'has other rows' : `lacks ${users.gone} of the users`
  report.refuse(
    `The source ${what} under the ids that were imported as "${name}". If it is a different gateway, give it a different name.`,
  )
}

/** Reads the source's settings that have a meaning here. */
export async function readSettings({ source, family, columns }: ImportContext): Promise<SourceSettings> {
  if (!columns.has('options')) return takeSettings(family, [])
  return takeSettings(family, await source.small({ table: 'options', columns: ['key', 'value'], limit: SETTINGS_MAX }))
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
