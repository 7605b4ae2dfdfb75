import type { CheckName, Found } from '@sluice/contract/findings/catalogue'

/** One thing that the doctor looks at. What it works with was given to it when it was made. */
export interface Check {
  readonly name: CheckName
  /** Milliseconds that it may take, where that is more than others get. */
  readonly withinMs?: number
  /** What it found: at least one finding, unless there is nothing to say. Should stop when `signal` aborts; nobody waits then. */
  readonly examine: (signal: AbortSignal) => Promise<readonly Found[]>
}

/** The findings, or the one that says that all is well. */
export function orWell(found: readonly Found[], well: Found): readonly Found[] {
  return found.length > 0 ? found : [well]
}
