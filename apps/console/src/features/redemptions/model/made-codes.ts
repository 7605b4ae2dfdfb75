/** The reply of the generate call, passed from the form to the dialog that shows it; in memory only, because codes are money. */
export interface MadeCodes {
  readonly name: string
  readonly codes: readonly string[]
}

/** Key of `MadeCodes` in the query cache. */
export const MADE_CODES = ['redemptions-made'] as const
