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

/** A channel that keeps every rule, as it is stored. */
export interface PlannedChannel {
  readonly settings: ChannelSettings
  readonly keys: readonly string[]
}

/** Plans what a form that creates a channel would send. */
export type ChannelPlanner = (form: BodyOutput<typeof createChannel>) => PlannedChannel | Refusal

/** What an import is given of this gateway. */
export interface ImportDeps {
  readonly database: Database
  readonly ledger: Pick<Ledger, 'openAccount' | 'move'>
  readonly vault: Vault
  /** Unix milliseconds. */
  readonly now: () => number
  /** Checks a channel by every rule of creating it. */
  readonly planChannel: ChannelPlanner
  /** Whether a stored hash is what root has at the start: that of the well-known password, or none. */
  readonly isUnsetPassword: (hash: string) => Promise<boolean>
}

/** One run on one source, from the moment its family is known. */
export interface ImportContext extends ImportDeps {
  readonly source: ForeignDatabase
  readonly family: ImportFamily
  /** The name by which the same gateway is recognised. */
  readonly name: string
  /** Columns of each table of the source. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>
  readonly choices: Choices
  /** Id of the user who started it; 0 for the command line. */
  readonly actor: number
  readonly report: ReportWriter
  /** Aborts when the run has to stop. */
  readonly signal: AbortSignal
}

export interface Choices {
  readonly logs: 'none' | 'sums' | 'rows'
  /** Unix seconds; 0 takes all. */
  readonly since: number
  readonly debts: 'refuse' | 'keep' | 'forgive'
  readonly prices: 'keep' | 'book'
  readonly leaveOut: boolean
  /** Whether every root of the source is one here, or only the one in the place of the root here. */
  readonly roots: 'one' | 'all'
}

/** The run cannot go on. What was written is whole; a repeated run continues. In a sentence for the operator. */
export class ImportTrouble extends Error {
  override readonly name = 'ImportTrouble'
}

/** What ends an import when the ledger could not commit, although it tried again for as long as it waits for its database. */
export const LEDGER_AWAY =
  'The database cannot be written: it is unreachable or its disk is full. Once that is fixed, repeat the import to continue it.'
