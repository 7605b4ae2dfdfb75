import * as v from 'valibot'
import { essential } from './absence.ts'

/** Largest number of a 32-bit column. */
export const INT_MAX = 2_147_483_647

/** Integer row id, as the family emits it. */
export const rowId = essential(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(INT_MAX)))
