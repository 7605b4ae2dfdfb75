import { useState } from 'react'
import * as v from 'valibot'
import { STORAGE_KEYS } from '~/lib/storage/keys.ts'
import { browserStorage, storedRecord } from '~/lib/storage/stored-record.ts'

export type Density = 'compact' | 'comfortable'

/** Height of a row in pixels, the skeleton's included, so that nothing moves when the rows arrive. */
export const ROW_PX: Readonly<Record<Density, number>> = { compact: 36, comfortable: 44 }

/** Row density of all tables, stored in this browser. */
export function useDensity(): readonly [Density, (density: Density) => void] {
  const record = storedRecord(browserStorage(), STORAGE_KEYS.density, v.picklist(['compact', 'comfortable']))
  const [density, setDensity] = useState<Density>(() => record.read() ?? 'compact')
  const change = (next: Density) => {
    record.write(next)
    setDensity(next)
  }
  return [density, change]
}
