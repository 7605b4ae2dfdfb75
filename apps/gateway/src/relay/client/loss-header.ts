import { type Loss, lossesText } from '@sluice/dialects/canon/losses'

export function lossHeader(losses: readonly Loss[]): readonly string[] {
  return losses.length === 0 ? NONE : ['X-Sluice-Losses', lossesText(losses)]
}

const NONE: readonly string[] = []
