import { type Loss, lossesText } from '@sluice/dialects/canon/losses'

/** Name and value of the header that lists losses; nothing if there are none. */
export function lossHeader(losses: readonly Loss[]): readonly string[] {
  return losses.length === 0 ? NONE : ['X-Sluice-Losses', lossesText(losses)]
}

const NONE: readonly string[] = []
