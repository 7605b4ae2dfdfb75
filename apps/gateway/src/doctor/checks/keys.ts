import type { Found } from '@sluice/contract/findings/catalogue'
import { type Check, orWell } from '../check.ts'

export interface KeyFacts {
  /** Ids of the present master keys, the sealing one first, and of those declared lost. */
  readonly present: readonly [sealing: string, ...older: string[]]
  readonly lost: readonly string[]
  /** Ids of all master keys with which something is sealed. */
  readonly inUse: () => Promise<readonly string[]>
}

/** Checks for master keys that are missing, lost, or to be rotated out. */
export function keyCheck({ present, lost, inUse }: KeyFacts): Check {
  const [key, ...older] = present
  return {
    name: 'keys',
    examine: async () => {
      const used = new Set(await inUse())
      const found = [
        ...[...used]
          .filter((each) => !present.includes(each) && !lost.includes(each))
          .map((subject): Found => ({ id: 'keys.missing', subject })),
        ...lost.map((subject): Found => ({ id: used.has(subject) ? 'keys.lost' : 'keys.lost_unused', subject })),
        ...older.map((subject): Found => ({
          id: used.has(subject) ? 'keys.rotate' : 'keys.removable',
          subject,
          params: { key },
        })),
      ]
      return orWell(found, { id: 'keys.ok', params: { key } })
    },
  }
}
