import type { Effort } from '../canon/codec.ts'
import { nearestEffort } from '../canon/efforts.ts'

/** The closest effort that the model knows; the wanted one where nothing is known. Only who wants no thinking gets none. */
export function knownEffort(wanted: Effort, efforts: readonly Effort[] = []): Effort {
  const [first, ...rest] = wanted === 'none' ? efforts : efforts.filter((effort) => effort !== 'none')
  return first === undefined ? wanted : nearestEffort(wanted, [first, ...rest])
}
