import { seedOf, unitOf } from './unit-hash.ts'

/** Decides among lanes by chance, or by the name of a conversation. */
export type Draw<L> =
  /** 0 to 1, excluding 1. */
  | { readonly random: () => number }
  /** `nameOf` must be stable: a lane's position in the order of a conversation depends on it. */
  | { readonly session: string; readonly nameOf: (lane: L) => string }

/**
 * Puts lanes in the order in which they should be tried. Each position goes to one of the remaining lanes, with a probability equal
 * to its share of their weights. Weights that are all 0 count as even; otherwise lanes of weight 0 come last.
 *
 * Each lane arrives after a time drawn from the exponential distribution at the rate of its weight, and the first to arrive comes
 * first. By chance that is a draw without replacement (Efraimidis and Spirakis, 2006); by session it is weighted rendezvous
 * hashing: a conversation's order is always the same, a removed lane moves only its own conversations, and an added lane takes its
 * share evenly from the others.
 */
export function orderLanes<L>(lanes: readonly L[], weightOf: (lane: L) => number, draw: Draw<L>): readonly L[] {
  if (lanes.length < 2) return lanes
  const weights = lanes.map((lane) => Math.max(0, weightOf(lane)) || 0)
  const isEven = weights.every((weight) => weight === 0)
  const unit = unitsOf(draw)
  return lanes
    .map((lane, at) => ({ lane, wait: -Math.log(unit(lane)) / (isEven ? 1 : weights[at] || VANISHING) }))
    .sort((a, b) => a.wait - b.wait)
    .map(({ lane }) => lane)
}

/** Far below any weight that anyone sets, so that lanes without one come last, and among themselves in their own order. */
const VANISHING = 1e-200

/** Whether a request is within its lane's `share` (0 to 1). For conversations, a growing share only adds to those within it. */
export function isWithin<L>(share: number, lane: L, draw: Draw<L>): boolean {
  if (share >= 1) return true
  return ('random' in draw ? draw.random() : unitOf(seedOf(draw.session), `share ${draw.nameOf(lane)}`)) < share
}

/** Above 0, at most 1. */
function unitsOf<L>(draw: Draw<L>): (lane: L) => number {
  if ('random' in draw) return () => 1 - draw.random()
  const seed = seedOf(draw.session)
  return (lane) => unitOf(seed, draw.nameOf(lane))
}
