import { quoteForPicture } from '@sluice/providers/prices/picture-price'
import { type Quote, quoteForTools } from '@sluice/providers/prices/quote'
import { unpricedQuote } from '@sluice/providers/prices/rates'
import { windowStart } from '@sluice/routing/key-window'
import type { CallerCredential } from '../stages/caller-credential.ts'
import type { Route, TakesCallers } from '../stages/route.ts'
import {
  type Asked,
  type Choice,
  type CoolingLane,
  leftOut,
  type LeftOutLane,
  type PossibleLane,
  type ReadyLane,
} from './choice.ts'
import type { ChannelRoutes } from './routing-table.ts'
import type { Turn } from './turns.ts'
import { drawOf, inOrder, isBeyond } from './weighted.ts'

/** Keys of one channel that a request checks at a time, and in total: a channel can have a thousand. */
const WINDOW = 16
const LOOKS = 64

/**
 * Checks one channel: whose keys it is called with, what the model costs there, and the health of its lanes. Returns the lanes that
 * can be called, in order, and puts the others into `lanes`. `known` are those of earlier turns, which are not checked again: a
 * model and its fallback can have the same name at a provider, and a channel can serve several groups.
 */
export function lookAt(
  choice: Choice,
  turn: Turn,
  channel: ChannelRoutes,
  lanes: PossibleLane[],
  known: readonly PossibleLane[] | undefined,
): readonly ReadyLane[] {
  const gathered = gather(choice, turn, channel)
  if (gathered === undefined) return NONE
  const priced = 'excluded' in gathered ? gathered : price(choice, gathered)
  if (!('excluded' in priced)) return standing(choice, priced, lanes, known)
  lanes.push(priced)
  return NONE
}

const NONE: readonly ReadyLane[] = []

interface GatheredChannel {
  readonly asked: Asked
  readonly channel: ChannelRoutes
  readonly first: Route
}

/** The channel with its own keys or the caller's; undefined if it does not belong to this turn. */
function gather(
  { request, vendor, credential }: Choice,
  { offer: asked, use }: Turn,
  channel: ChannelRoutes,
): GatheredChannel | LeftOutLane | undefined {
  const [first] = channel.routes
  if (first === undefined) return undefined
  const { callers } = first
  const { callerCredential, ownKeys } = request.identity
  if (use === 'own' || use === 'own_only') {
    const own = callers && ownKeys?.get(callers.vendor)?.credential
    const bound = own && withCallersKey(asked, callers, own)
    return bound ?? (use === 'own_only' ? leftOut(asked, first, 'credential_not_taken') : undefined)
  }
  if (callerCredential === undefined && callers?.mode !== 'caller') return { asked, channel, first }
  // The turn for such keys is over.
  if (use === 'platform' && callers !== undefined && ownKeys?.has(callers.vendor) === true) return undefined
  const isItsVendor = callers?.vendor === vendor
  const bound = callers && callerCredential && isItsVendor && withCallersKey(asked, callers, callerCredential)
  return bound || leftOut(asked, first, credential)
}

/** A channel with a caller's key, at the price for that; undefined if the key is not of the channel's provider. */
function withCallersKey(
  asked: Asked,
  callers: TakesCallers,
  credential: CallerCredential,
): GatheredChannel | undefined {
  const bound = callers.bind(credential)
  if (bound === undefined) return undefined
  const groupRatio = (asked.groupRatio * callers.ratio) / RATIO_ONE
  const channel = { routes: [bound], fingerprints: [bound.key.fingerprint] }
  return { asked: { ...asked, groupRatio }, channel, first: bound }
}

/** Ratios are in millionths. */
const RATIO_ONE = 1_000_000n

interface PricedChannel extends GatheredChannel {
  readonly upstreamModel: string
  readonly quote: Quote
}

function price(choice: Choice, gathered: GatheredChannel): PricedChannel | LeftOutLane {
  const { asked, channel, first } = gathered
  const { parsed, kind } = choice.request
  const upstreamModel = first.upstreamModel(asked.model)
  if (first.adapter(kind.endpoint, parsed, upstreamModel) === undefined) return leftOut(asked, first, 'not_served')
  const quote = quoteOf(choice, first, upstreamModel)
  return quote === 'missing' ? leftOut(asked, first, 'price_missing') : { asked, channel, first, upstreamModel, quote }
}

function quoteOf({ deps, request, tools }: Choice, route: Route, upstreamModel: string): Quote | 'missing' {
  const { UnpricedModelPolicy: policy, UnpricedModelRatio: ratio } = deps.options()
  const { picture, steering } = request.parsed
  const listed = route.quote(upstreamModel, request.accepted.received)
  if (listed === 'missing') deps.onUnpriced({ channel: route.channel.id, model: upstreamModel })
  const quote = listed === 'missing' ? unpricedQuote(route.kind.code, policy, ratio) : listed
  if (quote === 'missing') return quote
  const steered: Quote = steering?.isDearer === true ? { charges: 'at_least_reported', ...quote } : quote
  const { tooling } = route
  const priced = tooling === undefined ? steered : quoteForTools(steered, tooling, tools())
  return picture === undefined ? priced : quoteForPicture(priced, picture.size, picture.quality)
}

/** The callable lanes, in order: from the first group of keys that has any, because a channel can have a thousand keys. */
function standing(
  choice: Choice,
  priced: PricedChannel,
  lanes: PossibleLane[],
  known: readonly PossibleLane[] | undefined,
): readonly ReadyLane[] {
  const { routes, fingerprints } = priced.channel
  const { length } = routes
  const start = length > WINDOW ? windowStart(fingerprints, drawOf(choice.lead())) : 0
  for (let from = 0; from < Math.min(length, LOOKS); from += WINDOW) {
    const until = Math.min(length, from + WINDOW)
    const ready: ReadyLane[] = []
    for (let at = from; at < until; at++) {
      const route = routes[(start + at) % length]
      const lane = route && laneOf(choice, priced, route, known)
      if (lane?.kind === 'ready') ready.push(lane)
      else if (lane !== undefined) lanes.push(lane)
    }
    if (ready.length === 0) continue
    choice.unlooked += length - until
    if (ready.length === 1) return ready
    const ordered = inOrder(ready, choice.lead)
    const isAnyHeldBack = ordered.some(({ isHeldBack }) => isHeldBack)
    return isAnyHeldBack ? ordered.toSorted((a, b) => Number(a.isHeldBack) - Number(b.isHeldBack)) : ordered
  }
  return NONE
}

function laneOf(
  { deps, now, lead }: Choice,
  { asked: { model, group, groupRatio }, upstreamModel, quote }: PricedChannel,
  route: Route,
  known: readonly PossibleLane[] | undefined,
): ReadyLane | CoolingLane | undefined {
  const lane = route.lane(upstreamModel)
  const isKnown = known?.some(
    (each) => each.kind !== 'left_out' && each.excluded !== 'spare' && each.candidate.lane === lane,
  )
  if (isKnown === true) return undefined
  const candidate = { model, route, lane, upstreamModel, quote, group, groupRatio }
  const found = deps.health.standing(lane, now)
  if (found.kind === 'resting') {
    const { cause, until, hasTrial, isGuess = false } = found
    return { kind: 'cooling', candidate, cause, until, isGuess, excluded: hasTrial ? 'probing' : cause }
  }
  const { score, share, open } = found.kind === 'ready' ? found : TRIAL
  const name = lane.key
  const isHeldBack = isBeyond(share, name, lead)
  return { kind: 'ready', candidate, excluded: undefined, weight: 1, score, share, open, name, isHeldBack }
}

/** A lane whose trial is due counts as healthy, so that the trial is made. */
const TRIAL = { score: 1, share: 1, open: 0 } as const
