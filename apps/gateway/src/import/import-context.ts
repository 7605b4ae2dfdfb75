import type { Refusal } from '@sluice/contract/errors'
import type { ChannelSettings } from '@sluice/contract/fields/channel'
import type { ImportFamily } from '@sluice/contract/import'
import type { BodyOutput } from '@sluice/contract/route'
import type { createChannel } from '@sluice/contract/routes/channels'
import type { Ledger } from '@sluice/ledger/ledger'
import type { Database } from '@sluice/store/database'
import type { ForeignDatabase } from '@sluice/store/foreign/foreign-database'
import type { Vault } from '@sluice/store/vault'
import type { ReportWriter } from './report-writer.ts'

export interface PlannedChannel {
  readonly settings: ChannelSettings
  readonly keys: readonly string[]
}

/** Plans a channel from the form that would create it. */
export type ChannelPlanner = (form: BodyOutput<typeof createChannel>) => PlannedChannel | Refusal

export interface ImportDeps {
  readonly database: Database
  readonly ledger: Pick<Ledger, 'openAccount' | 'move'>
  readonly vault: Vault
  /** Unix milliseconds. */
  readonly now: () => number
  readonly planChannel: ChannelPlanner
  /** Whether a stored hash is the initial one of root: that of the well-known password, or none. */
  readonly isUnsetPassword: (hash: string) => Promise<boolean>
}

export interface ImportContext extends ImportDeps {
  readonly source: ForeignDatabase
  readonly family: ImportFamily
  /** The name by which later runs recognise the same gateway. */
  readonly name: string
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>
  readonly choices: Choices
  /** Id of the user who started it; 0 for the command line. */
  readonly actor: number
  readonly report: ReportWriter
  readonly signal: AbortSignal
}

export interface Choices {
  readonly logs: 'none' | 'sums' | 'rows'
  /** Unix seconds; 0 takes all. */
  readonly since: number
  readonly debts: 'refuse' | 'keep' | 'forgive'
  readonly prices: 'keep' | 'book'
  readonly leaveOut: boolean
  /** Whether every root of the source becomes a root here, or only the one that takes the place of the root here. */
  readonly roots: 'one' | 'all'
}

/** Why the run cannot continue, as a sentence for the operator. Written data is complete; a repeated run continues from there. */
export class ImportTrouble extends Error {
  override readonly name = 'ImportTrouble'
}

/** Ends an import when the ledger could not commit despite all its retries. */
export const LEDGER_AWAY =
  'The database cannot be written: it is unreachable or its disk is full. Once that is fixed, repeat the import to continue it.'
