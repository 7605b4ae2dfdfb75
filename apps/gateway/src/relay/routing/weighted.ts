import { type Draw, isWithin, orderLanes } from '@sluice/routing/order-lanes'

export interface Weighted {
  readonly weight: number
  /** Health score, above 0 and at most 1. */
  readonly score: number
  /** Calls in progress. */
  readonly open: number
  /** A name that never changes. */
  readonly name: string
}

export interface WeightedKey extends Weighted {
  /** Part of its load that it takes after a cooldown; 1 at other times. */
  readonly share: number
  /** The request is outside that share: channels of a lower priority come first. */
  readonly isHeldBack: boolean
}

/** How a request is routed: at random, or as part of a conversation. */
export type Lead = { readonly random: () => number } | { readonly session: string }

type Named = Pick<Weighted, 'name'>

export const drawOf = (lead: Lead): Draw<Named> => ('random' in lead ? lead : { ...lead, nameOf: ({ name }) => name })

/** Whether a request is outside the `share` of its load that a key takes after a cooldown. */
export function isBeyond(share: number, name: string, lead: () => Lead): boolean {
  return share < 1 && !isWithin(share, { name }, drawOf(lead()))
}

/** At random by weight and score; for a conversation in its own order, except for lanes that it should leave for now. */
export function inOrder<W extends Weighted>(weighted: readonly W[], lead: () => Lead): readonly W[] {
  if (weighted.length < 2) return weighted
  const draw = drawOf(lead())
  // Channels without weights share evenly.
  const isEven = weighted.every(({ weight }) => weight === 0)
  const baseOf = ({ weight }: Weighted) => (isEven ? 1 : weight)
  if ('random' in draw) return orderLanes(weighted, (each) => baseOf(each) * each.score, draw)
  return escaped(orderLanes(weighted, baseOf, draw), baseOf, draw)
}

/** Conversations leave lanes with a lower score than this; the lower the score, the more of them leave. */
const LEAST_SCORE = 0.5
/** Conversations also leave lanes with more open calls than this and than `CROWD_FACTOR` times their share of all open calls. */
const CROWD = 4
const CROWD_FACTOR = 2

function escaped<W extends Weighted>(
  ordered: readonly W[],
  baseOf: (each: Weighted) => number,
  draw: Draw<Named>,
): readonly W[] {
  let open = 0
  let weights = 0
  for (const each of ordered) {
    open += each.open
    weights += baseOf(each)
  }
  const isEscaped = (each: W) => {
    const share = weights === 0 ? 0 : (open * baseOf(each)) / weights
    const isCrowded = each.open > CROWD && each.open > CROWD_FACTOR * share
    return isCrowded || !isWithin(each.score / LEAST_SCORE, each, draw)
  }
  const kept = ordered.filter((each) => !isEscaped(each))
  return kept.length === ordered.length ? ordered : [...kept, ...ordered.filter((each) => isEscaped(each))]
}
