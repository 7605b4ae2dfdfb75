import type { Effort } from '../canon/codec.ts'
import { nearestEffort } from '../canon/efforts.ts'

/** What every model that thinks knows: for a number of tokens that must become a word where the model's own are not known. */
const USUAL: readonly Effort[] = ['low', 'medium', 'high']

/**
 * The closest effort that the model knows. Where nothing is known, the word that the client said itself; what a number of
 * tokens comes to (`isCounted`) is one that every model knows. Only who wants no thinking gets none.
 */
export function knownEffort(wanted: Effort, efforts: readonly Effort[] | undefined, isCounted = false): Effort {
  const known = efforts ?? (isCounted && wanted !== 'none' ? USUAL : [])
  const [first, ...rest] = wanted === 'none' ? known : known.filter((effort) => effort !== 'none')
  return first === undefined ? wanted : nearestEffort(wanted, [first, ...rest])
}
