import type { ComparedTable } from '@sluice/store/copy/copy-tables'

/** One sum of money or rows on both sides, as decimal texts; money is mq. */
export interface ComparedSum {
  readonly name: string
  readonly source: string
  readonly target: string
}

export interface ProvedInvariant {
  readonly id: string
  readonly statement: string
  readonly ok: boolean
}

export interface MoveReport {
  /**
   * `copied`: a gateway works on the source, so the target lacks later changes; `moved`: the target is in charge; `unequal`: the
   * proof failed, and the source stays in charge.
   */
  readonly outcome: 'copied' | 'moved' | 'unequal'
  readonly source: string
  readonly target: string
  /** Number of rows that this run added, replaced or removed. */
  readonly written: number
  readonly removed: number
  /** The following are empty unless the source was halted. */
  readonly tables: readonly ComparedTable[]
  readonly sums: readonly ComparedSum[]
  readonly proof: readonly ProvedInvariant[]
  /** Unequal or unproved items, in one sentence each. */
  readonly problems: readonly string[]
}
