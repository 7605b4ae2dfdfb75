import type { Draw } from './order-lanes.ts'
import { seedOf, unitOf } from './unit-hash.ts'

/**
 * The index at which a request starts looking among very many keys, so that it need not examine all of them. `fingerprints` are
 * sorted. By chance, every position is equally probable; for a conversation, it is the first key after the conversation's own point
 * on the ring, so that keys added or removed elsewhere change nothing for it.
 */
export function windowStart<K>(fingerprints: readonly string[], draw: Draw<K>): number {
  const { length } = fingerprints
  if ('random' in draw) return Math.min(length - 1, Math.floor(draw.random() * length))
  const point = Math.floor((unitOf(seedOf(draw.session), 'window') * RING) % RING)
  const name = point.toString(16).padStart(DIGITS, '0')
  let from = 0
  let to = length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((fingerprints[middle] ?? '') < name) from = middle + 1
    else to = middle
  }
  return from % length
}

/** Hexadecimal digits of a fingerprint. */
const DIGITS = 12
const RING = 16 ** DIGITS
