import type { Refusal } from '@sluice/contract/errors'
import { quoteForPicture } from '@sluice/providers/prices/picture-price'
import type { Quote } from '@sluice/providers/prices/quote'
import { unpricedQuote } from '@sluice/providers/prices/unpriced'
import type { Authorised } from './authenticate.ts'
import type { RelayOptions } from './relay-options.ts'
import type { Route, RoutingTable, Tier } from './routing-table.ts'

/** A channel that may serve the request, and what it would cost there. */
export interface Candidate {
  readonly route: Route
  readonly upstreamModel: string
  readonly quote: Quote
}

/** What candidates are chosen by. */
export interface Plannable extends Pick<Authorised, 'identity'> {
  readonly accepted: Pick<Authorised['accepted'], 'received'>
  readonly asked: Pick<Authorised['asked'], 'model' | 'path' | 'conversation' | 'picture'>
  readonly kind: Pick<Authorised['kind'], 'endpoint' | 'path'>
}

/** A request with its way laid out: step 4 of ten. */
export interface Planned extends Authorised {
  /** In the order in which they are tried; never empty. */
  readonly candidates: readonly Candidate[]
}

export interface PlanDeps {
  readonly routing: () => RoutingTable
  readonly options: () => PlanOptions
  /** 0 to 1. */
  readonly random: () => number
  /** Told when a model has no price on a channel, whatever the policy makes of it; must return at once. */
  readonly onUnpriced: (unpriced: { readonly channel: number; readonly model: string }) => void
}

type PlanOptions = Pick<RelayOptions, 'RetryTimes' | 'UnpricedModelPolicy' | 'UnpricedModelRatio'>

/**
 * Further channels that are tried whatever `RetryTimes` says. The family's default of 0 would hand every hiccup of one
 * provider to the client; a larger number is taken at its word.
 */
const LEAST_RETRIES = 2

/**
 * Orders the channels: highest priority first, inside one priority drawn by weight (evenly when all weights are 0), each at
 * most once. Channels of a type that does not offer the call are left out. So are those without a price for the model, because
 * a call there could not be charged; unless the operator states what it costs then.
 */
export function plan<Request extends Plannable>(
  deps: PlanDeps,
  authorised: Request,
): (Request & Pick<Planned, 'candidates'>) | Refusal {
  const { identity, asked, kind } = authorised
  const tiers = tiersFor(deps.routing(), identity.group, asked.model, identity.pinnedChannel)
  if ('code' in tiers) return tiers
  const candidates = draw(deps, authorised, tiers)
  if (candidates.length > 0) return { ...authorised, candidates }
  if (tiers.length === 0) {
    return { code: 'no_channel', params: { model: asked.model, group: identity.group }, retryAfter: 5 }
  }
  const isServed = (route: Route) => route.way(kind.endpoint, asked, route.upstreamModel(asked.model)) !== undefined
  return tiers.flat().some(isServed)
    ? { code: 'model_price_missing', params: { model: asked.model }, field: 'model' }
    : { code: 'endpoint_not_served', params: { model: asked.model, path: kind.path }, field: 'model' }
}

function tiersFor(
  routing: RoutingTable,
  group: string,
  model: string,
  pinned: number | undefined,
): readonly Tier[] | Refusal {
  if (pinned !== undefined) return pinnedTier(routing, pinned, model)
  return routing.tiers(group, model) ?? { code: 'model_not_found', params: { model }, field: 'model' }
}

/** A pinned channel is asked whatever its group and priority: that is what administrators pin for. */
function pinnedTier(routing: RoutingTable, id: number, model: string): readonly Tier[] | Refusal {
  const found = routing.channel(id)
  if (found === undefined) return { code: 'pinned_channel_missing', params: { channel: id } }
  if (found.snapshot.status !== 1) return { code: 'pinned_channel_disabled', params: { channel: id } }
  if (found.route === undefined || !found.snapshot.models.includes(model)) {
    return { code: 'pinned_channel_unfit', params: { channel: id, model } }
  }
  return [[found.route]]
}

function draw(
  { options, random, onUnpriced }: PlanDeps,
  { accepted: { received }, asked, kind }: Plannable,
  tiers: readonly Tier[],
): readonly Candidate[] {
  const { model, picture } = asked
  const { RetryTimes, UnpricedModelPolicy: policy, UnpricedModelRatio: ratio } = options()
  const limit = 1 + Math.max(LEAST_RETRIES, RetryTimes)
  const candidates: Candidate[] = []
  for (const tier of tiers) {
    const left = tier.length === 1 ? tier : [...tier]
    for (let open = tier.length; open > 0 && candidates.length < limit; open--) {
      const route = takeByWeight(left as Route[], open, random)
      const upstreamModel = route.upstreamModel(model)
      if (route.way(kind.endpoint, asked, upstreamModel) === undefined) continue
      const listed = route.quote(upstreamModel, received)
      if (listed === 'missing') onUnpriced({ channel: route.channel.id, model: upstreamModel })
      const quote = listed === 'missing' ? unpricedQuote(route.kind.code, policy, ratio) : listed
      if (quote === 'missing') continue
      const own = picture === undefined ? quote : quoteForPicture(quote, picture.size, picture.quality)
      candidates.push({ route, upstreamModel, quote: own })
    }
    if (candidates.length >= limit) break
  }
  return candidates
}

/** Draws one of the first `open` routes and moves it behind them. */
function takeByWeight(routes: Route[], open: number, random: () => number): Route {
  let at = 0
  if (open > 1) {
    let total = 0
    for (let i = 0; i < open; i++) total += weightOf(routes[i])
    let mark = random() * (total === 0 ? open : total)
    for (; at < open - 1; at++) {
      mark -= total === 0 ? 1 : weightOf(routes[at])
      if (mark < 0) break
    }
  }
  const drawn = routes[at]
  if (drawn === undefined) throw new RangeError('drew beyond the tier')
  if (open > 1) {
    routes[at] = routes[open - 1] ?? drawn
    routes[open - 1] = drawn
  }
  return drawn
}

const weightOf = (route: Route | undefined) => route?.channel.weight ?? 0
