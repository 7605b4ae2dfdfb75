import type { CheckName, Found } from '@sluice/contract/findings/catalogue'

/** One examination of the doctor. A check gets its dependencies when it is created. */
export interface Check {
  readonly name: CheckName
  /** Time limit in milliseconds, if it is longer than for other checks. */
  readonly withinMs?: number
  /** Returns at least one finding, unless there is nothing to report. Should stop on `signal`, because nobody waits any more. */
  readonly examine: (signal: AbortSignal) => Promise<readonly Found[]>
}

export function orWell(found: readonly Found[], well: Found): readonly Found[] {
  return found.length > 0 ? found : [well]
}
