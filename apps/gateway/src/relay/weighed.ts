import { type Draw, isWithin, orderLanes } from '@sluice/routing/order-lanes'

/** What is put in order: channels, or the keys of one channel. */
export interface Weighed {
  readonly weight: number
  /** Above 0, at most 1: how well it does. */
  readonly worth: number
  /** Calls under way. */
  readonly open: number
  /** Names it for good. */
  readonly name: string
}

/** A key of a channel for one model, as it stands. */
export interface WeighedKey extends Weighed {
  /** Part of its load that it takes after a rest; 1 at other times. */
  readonly share: number
  /** The request is not in that part: channels of a lower priority come first. */
  readonly isHeldBack: boolean
}

/** How a request is led: by chance, or as part of a conversation. */
export type Lead = { readonly random: () => number } | { readonly session: string }

type Named = Pick<Weighed, 'name'>

export const drawOf = (lead: Lead): Draw<Named> => ('random' in lead ? lead : { ...lead, nameOf: ({ name }) => name })

/** Whether a request is not in the `share` of its load that a key takes after a rest. */
export function isBeyond(share: number, name: string, lead: () => Lead): boolean {
  return share < 1 && !isWithin(share, { name }, drawOf(lead()))
}

/** By chance according to weight and worth; a conversation in its own order, but for what it is better to leave for now. */
export function inOrder<W extends Weighed>(weighed: readonly W[], lead: () => Lead): readonly W[] {
  if (weighed.length < 2) return weighed
  const draw = drawOf(lead())
  // Channels without weights share evenly.
  const isEven = weighed.every(({ weight }) => weight === 0)
  const baseOf = ({ weight }: Weighed) => (isEven ? 1 : weight)
  if ('random' in draw) return orderLanes(weighed, (each) => baseOf(each) * each.worth, draw)
  return escaped(orderLanes(weighed, baseOf, draw), baseOf, draw)
}

/** Conversations leave what is worth less than this, the more of them the less it is worth … */
const LEAST_WORTH = 0.5
/** … or has more open calls than this, and than this many times its share. */
const CROWD = 4
const CROWD_FACTOR = 2

function escaped<W extends Weighed>(
  ordered: readonly W[],
  baseOf: (each: Weighed) => number,
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
    return isCrowded || !isWithin(each.worth / LEAST_WORTH, each, draw)
  }
  const kept = ordered.filter((each) => !isEscaped(each))
  return kept.length === ordered.length ? ordered : [...kept, ...ordered.filter((each) => isEscaped(each))]
}
