import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { RoutingDecision } from '@sluice/contract/routing'
import { CHANNEL_STATUS } from '@sluice/store/statuses'
import type { Authorised } from '../caller/identify.ts'
import type { RelayOptions } from '../relay-options.ts'
import { type Candidate, type ChooseDeps, type Chosen, chooseSole, type Plannable, Selection } from './choose.ts'
import { channelRoutes, type Offer, routesOfKey, type RoutingTable } from './routing-table.ts'
import { sessionName } from './session-name.ts'

/** A request with its plan: stage 6 of twelve. */
export interface Planned extends Authorised {
  /** In the order in which they are tried; never empty. */
  readonly candidates: readonly Candidate[]
  /** Why these, and why no others. */
  readonly decision: RoutingDecision
}

export interface PlanDeps extends ChooseDeps {
  readonly routing: () => RoutingTable
  readonly options: () => PlanOptions
}

type PlanOptions = Pick<RelayOptions, 'RetryTimes' | 'UnpricedModelPolicy' | 'UnpricedModelRatio' | 'ModelFallbacks'>

/**
 * Orders the channels: highest priority first, inside one priority drawn by weight (evenly when all weights are 0), or in the
 * conversation's own order where it has a prompt in a cache; each with each of its keys at most once. Left out are channels in
 * cooldown, those of a type that does not offer the call, and those without a price for the model, because a call there could not
 * be charged, unless the operator sets what it costs in that case. After them come the model's fallbacks.
 */
export function plan<Request extends Plannable>(
  deps: PlanDeps,
  request: Request,
): (Request & Pick<Planned, 'candidates' | 'decision'>) | Refusal {
  const { refusal, chosen } = look(deps, request)
  if (refusal !== undefined) return refusal
  return { ...request, candidates: chosen.candidates, decision: chosen.decision }
}

/** `chosen` is returned next to a refusal wherever there was something to choose from. */
export type Looked =
  | { readonly chosen: Chosen; readonly refusal?: undefined }
  | { readonly chosen: Chosen | undefined; readonly refusal: Refusal }

/** The same, with the decision next to a refusal wherever there was something to decide. */
export function look(deps: PlanDeps, request: Plannable): Looked {
  const { identity, parsed } = request
  const { pinnedChannel: pinned } = identity
  const offers = offersFor(deps, request)
  if (isRefusal(offers)) return { chosen: undefined, refusal: offers }
  const [only] = offers
  const sole = pinned === undefined && offers.length === 1 && only && chooseSole(deps, request, only.model, only.offer)
  if (sole) return { chosen: sole }
  const most = 1 + deps.options().RetryTimes
  let known: { readonly name: string | undefined } | undefined
  const session = () => (known ??= { name: sessionName(request.accepted.headers, identity, request.body) }).name
  const selection = new Selection(deps, request, { by: pinned === undefined ? 'weight' : 'pin', session })
  for (const [at, { model, offer }] of offers.entries()) selection.add(model, offer, at === 0 ? most : 2 * most)
  const chosen = selection.finish(offers.length === 1 ? most : 2 * most)
  if (chosen.candidates.length > 0) return { chosen }
  return {
    chosen,
    refusal: refusalOf(deps, request, chosen, offers[0]?.model === parsed.model ? offers[0].offer : NONE),
  }
}

interface ModelOffer {
  readonly model: string
  readonly offer: Offer
}

const NONE: Offer = { tiers: [], idle: [] }

/** What serves the model, then what serves its fallbacks. */
function offersFor(deps: PlanDeps, { identity, parsed, further = [] }: Plannable): readonly ModelOffer[] | Refusal {
  const routing = deps.routing()
  const { group, pinnedChannel, pinnedKey, pinnedModel, models: allowed } = identity
  if (pinnedChannel !== undefined) return pinnedOffer(routing, pinnedChannel, pinnedKey, pinnedModel ?? parsed.model)
  const own = routing.offer(group, parsed.model)
  const offers: ModelOffer[] = own === undefined ? [] : [{ model: parsed.model, offer: own }]
  // Vectors and pictures of two models are not interchangeable; a conversation can continue.
  const fallbacks = parsed.conversation === undefined ? undefined : fallbacksOf(deps, parsed.model, further)
  if (fallbacks !== undefined) {
    for (const model of fallbacks) {
      const offer = allowed?.has(model) === false ? undefined : routing.offer(group, model)
      if (offer !== undefined) offers.push({ model, offer })
    }
  }
  return offers.length > 0 ? offers : { code: 'model_not_found', params: { model: parsed.model }, field: 'model' }
}

/** What the client names takes precedence over what the operator sets. */
function fallbacksOf(deps: PlanDeps, model: string, further: readonly string[]): readonly string[] | undefined {
  const named = new Set(further)
  named.delete(model)
  return named.size > 0 ? [...named] : deps.options().ModelFallbacks.get(model)
}

/** A pinned channel is called whatever its group and priority: that is what administrators pin for. */
function pinnedOffer(
  routing: RoutingTable,
  id: number,
  key: string | undefined,
  model: string,
): readonly ModelOffer[] | Refusal {
  const found = routing.channel(id)
  if (found === undefined) return { code: 'pinned_channel_missing', params: { channel: id } }
  if (found.snapshot.status !== CHANNEL_STATUS.enabled)
    return { code: 'pinned_channel_disabled', params: { channel: id } }
  if (found.route === undefined || !found.snapshot.models.includes(model)) {
    return { code: 'pinned_channel_unfit', params: { channel: id, model } }
  }
  return [{ model, offer: { tiers: [[channelRoutes(routesOfKey(found.routes, key))]], idle: [] } }]
}

function refusalOf(
  { now }: PlanDeps,
  { identity, parsed, kind }: Plannable,
  { isServed, limitedUntil }: Chosen,
  offer: Offer,
): Refusal {
  const { model } = parsed
  if (limitedUntil !== undefined) {
    const seconds = Math.max(1, Math.ceil((limitedUntil - now()) / 1_000))
    return { code: 'providers_limited', params: { model, seconds }, retryAfter: seconds }
  }
  if (offer.tiers.length === 0) {
    return { code: 'no_channel', params: { model, group: identity.group }, retryAfter: 5 }
  }
  return isServed
    ? { code: 'model_price_missing', params: { model }, field: 'model' }
    : { code: 'endpoint_not_served', params: { model, path: kind.path }, field: 'model' }
}
