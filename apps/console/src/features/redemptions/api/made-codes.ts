/** What the generate call answered, between the form and the dialog that shows it; in memory only, codes are money. */
export interface MadeCodes {
  readonly name: string
  readonly codes: readonly string[]
}

/** Where `MadeCodes` stand in the query cache. */
export const MADE_CODES = ['redemptions-made'] as const
