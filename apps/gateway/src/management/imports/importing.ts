import type { ImportChoices, ImportMode } from '@sluice/contract/import'

export interface ImportStart {
  /** An address names user and password; neither is stored. */
  readonly source: { readonly file: string; readonly label: string } | { readonly address: string }
  readonly mode: ImportMode
  readonly choices: ImportChoices
  /** Id of the user who starts it. */
  readonly startedBy: number
  /** Called once when the run is over, whatever became of it; never when it did not begin. */
  readonly ended?: () => void
}

export interface Importing {
  /** Starts a run that goes on after the answer; returns its id; 'busy' while one runs anywhere. */
  start(order: ImportStart): Promise<number | 'busy'>
  /** Asks the run that is under way, wherever it is, to stop. */
  stop(): Promise<void>
}
