import type { Effort } from '../canon/codec.ts'
import { nearestEffort } from '../canon/efforts.ts'

/** Efforts of every model that thinks: to turn a number of tokens into a word where the model's own efforts are unknown. */
const USUAL: readonly Effort[] = ['low', 'medium', 'high']

/**
 * The closest effort that the model knows. If its efforts are unknown, the client's own word; a number of tokens (`isCounted`)
 * becomes a word that every model knows. Only a client that wants no thinking gets an effort of none.
 */
export function knownEffort(wanted: Effort, efforts: readonly Effort[] | undefined, isCounted = false): Effort {
  const known = efforts ?? (isCounted && wanted !== 'none' ? USUAL : [])
  const [first, ...rest] = wanted === 'none' ? known : known.filter((effort) => effort !== 'none')
  return first === undefined ? wanted : nearestEffort(wanted, [first, ...rest])
}
