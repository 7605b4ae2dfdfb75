import type { ImportFamily } from '@sluice/contract/import'
import { kindOf } from '@sluice/providers/kinds/all'

/** Type of a channel here; `reported`: no type matches, so the channel is stored switched off as a Custom channel. */
export type TypeHere = number | 'reported'

export const CUSTOM_TYPE = 8

const LAISKY: ReadonlyMap<number, TypeHere> = new Map<number, TypeHere>([
  [52, 14],
  [53, 'reported'],
  [54, 54],
  [55, 55],
  [56, 56],
  [57, 57],
])

/** new-api has its own numbers from 26 on, and some before. */
const NEW_API: ReadonlyMap<number, TypeHere> = new Map<number, TypeHere>([
  [2, 'reported'],
  [4, 30],
  [5, 'reported'],
  [26, 16],
  [27, 61],
  [31, 31],
  [33, 33],
  [34, 35],
  [35, 27],
  [38, 59],
  [39, 37],
  [40, 44],
  [41, 42],
  [42, 28],
  [43, 36],
  [45, 40],
  [46, 47],
  [47, 50],
  [48, 45],
  [49, 34],
  [56, 46],
])
/** Below this, new-api's numbers are those of One API, except for the ones above. */
const NEW_API_OWN = 26
const ONE_API_LAST = 51

/** Source: the channel type constants of the three programs. */
export function typeHere(family: ImportFamily, type: number): TypeHere {
  if (family === 'sluice') return kindOf(type) === undefined ? 'reported' : type
  if (family === 'new-api') {
    return NEW_API.get(type) ?? (type >= 1 && type < NEW_API_OWN ? type : 'reported')
  }
  const isShared = type >= 1 && type <= ONE_API_LAST
  if (isShared) return type
  return family === 'laisky' ? (LAISKY.get(type) ?? 'reported') : 'reported'
}
