import type { ImportReport } from '@sluice/contract/import'
import type { ImportContext } from '../import-context.ts'
import type { SourceRatios, SourceSetting } from '../take/take-settings.ts'

/** Where the prices of the source differ from the price book, and the setting that keeps them. */
export interface PlannedPrices {
  readonly differences: ImportReport['prices']
  readonly settings: readonly SourceSetting[]
}

export function planPrices(
  _context: ImportContext,
  _ratios: SourceRatios,
  _models: ReadonlySet<string>,
): PlannedPrices {
  return { differences: [], settings: [] }
}
