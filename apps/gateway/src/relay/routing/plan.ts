import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { ratioFor } from '@sluice/store/options/usable-groups'
import { CHANNEL_STATUS } from '@sluice/store/statuses'
import { groupAt, groupsText, modelNotFound } from '../caller/served-groups.ts'
import { sessionName } from '../caller/session-name.ts'
import type { RelayOptions } from '../relay-options.ts'
import type { Planned } from '../stages/planned.ts'
import type { ChooseDeps, ModelOffer, Plannable } from './choice.ts'
import { chooseSole } from './choose-sole.ts'
import { choose, type Chosen } from './choose.ts'
import { channelRoutes, routesOfKey, type RoutingTable } from './routing-table.ts'
import { turnsOf } from './turns.ts'

export interface PlanDeps extends ChooseDeps {
  readonly routing: () => RoutingTable
  readonly options: () => PlanOptions
}

type PlanOptions = Pick<
  RelayOptions,
  'RetryTimes' | 'UnpricedModelPolicy' | 'UnpricedModelRatio' | 'ModelFallbacks' | 'Groups'
>

export type Plan = <Request extends Plannable>(
  request: Request,
) => (Request & Pick<Planned, 'candidates' | 'decision'>) | Refusal

/**
 * Orders the channels: highest priority first; within a priority drawn by weight (evenly when all weights are 0), or in the
 * conversation's own order, which reuses its cached prompt. Each key is tried at most once. Excluded are channels in a cooldown,
 * channels of a type that does not offer the call, and channels without a price for the model, because a call there could not be
 * charged, unless the operator has set its cost. If the token has groups, this is done for each of them in order. The model's
 * fallbacks come last.
 */
export function plan<Request extends Plannable>(
  deps: PlanDeps,
  request: Request,
): (Request & Pick<Planned, 'candidates' | 'decision'>) | Refusal {
  const { refusal, chosen } = look(deps, request)
  if (refusal !== undefined) return refusal
  return { ...request, candidates: chosen.candidates, decision: chosen.decision }
}

/** `chosen` is returned together with a refusal if there was something to choose from. */
export type Looked =
  | { readonly chosen: Chosen; readonly refusal?: undefined }
  | { readonly chosen: Chosen | undefined; readonly refusal: Refusal }

/** As `plan`, but a refusal comes with the decision if there was something to decide. */
export function look(deps: PlanDeps, request: Plannable): Looked {
  const { identity } = request
  const { pinnedChannel: pinned, groups } = identity
  const offers = offersFor(deps, request)
  if (isRefusal(offers)) return { chosen: undefined, refusal: offers }
  const [only] = offers
  const sole = pinned === undefined && offers.length === 1 && only && chooseSole(deps, request, only)
  if (sole) return { chosen: withGroups(sole, groups) }
  const most = 1 + deps.options().RetryTimes
  let known: { readonly name: string | undefined } | undefined
  const { headers, connection } = request.accepted
  const session = () => (known ??= { name: sessionName(headers, identity, request.body, connection) }).name
  const vendor = vendorOfCaller(request, offers)
  if (typeof vendor === 'object') return { chosen: undefined, refusal: vendor }
  const { list, keptOffBy } = turnsOf(identity, offers)
  const isShared = groups !== undefined || list.length > offers.length
  const by = pinned === undefined ? 'weight' : 'pin'
  const chosen = withGroups(choose(deps, request, { by, session, vendor }, list, { most, isShared }), groups)
  if (chosen.candidates.length > 0) return { chosen }
  return { chosen, refusal: keptOff(request, offers, keptOffBy) ?? refusalOf(deps, request, chosen, offers) }
}

/** Refuses a request that only the user's own keys may serve, if no channel accepts them. */
function keptOff(
  { identity: { ownKeys, pinnedKey }, parsed: { model } }: Plannable,
  offers: readonly ModelOffer[],
  vendors: readonly string[],
): Refusal | undefined {
  const channels = offers.flatMap(({ offer }) => offer.tiers.flat())
  const isTaken = channels.some(({ routes: [route] }) => ownKeys?.get(route?.callers?.vendor ?? '')?.credential)
  if (vendors.length === 0 || (isTaken && pinnedKey === undefined)) return undefined
  return { code: 'own_key_unserved', params: { model, vendors: vendors.join(', ') }, retryAfter: 5 }
}

/** With several vendors for the model, a key of unknown vendor is refused rather than sent to one at random (class S1). */
function vendorOfCaller(
  { identity: { callerCredential }, parsed: { model } }: Plannable,
  offers: readonly ModelOffer[],
): string | undefined | Refusal {
  if (callerCredential === undefined || callerCredential.vendor !== undefined) return callerCredential?.vendor
  const channels = offers.flatMap((each) => (each.model === model ? each.offer.tiers.flat() : []))
  const vendors = new Set(channels.flatMap(({ routes }) => routes[0]?.callers?.vendor ?? []))
  if (vendors.size < 2) return [...vendors][0]
  const params = { model, header: callerCredential.header, vendors: [...vendors].toSorted().join(', ') }
  return { code: 'caller_credential_ambiguous', params }
}

function withGroups(chosen: Chosen, groups: readonly string[] | undefined): Chosen {
  return groups === undefined ? chosen : { ...chosen, decision: { ...chosen.decision, groups: [...groups] } }
}

/** The channels for the model, then those for its fallbacks; each in the caller's group, or in the token's groups in order. */
function offersFor(deps: PlanDeps, request: Plannable): readonly ModelOffer[] | Refusal {
  const { identity, parsed, further = [] } = request
  const { pinnedChannel, models: allowed } = identity
  if (pinnedChannel !== undefined) return pinnedOffer(deps, request, pinnedChannel)
  const offers = offersOf(deps, identity, parsed.model)
  // Embeddings and pictures of different models are not interchangeable; a conversation can continue.
  const fallbacks = parsed.conversation === undefined ? undefined : fallbacksOf(deps, parsed.model, further)
  if (fallbacks !== undefined) {
    for (const model of fallbacks) {
      if (allowed?.has(model) !== false) offers.push(...offersOf(deps, identity, model))
    }
  }
  return offers.length > 0 ? offers : modelNotFound(parsed.model, identity)
}

function offersOf(
  deps: PlanDeps,
  { group: own, groups }: Pick<Plannable['identity'], 'group' | 'groups'>,
  model: string,
): ModelOffer[] {
  const { Groups: known } = deps.options()
  const routing = deps.routing()
  if (groups === undefined) {
    const offer = routing.offer(own, model)
    return offer === undefined ? [] : [{ model, offer, group: undefined, groupRatio: ratioFor(known, own, own) }]
  }
  return groups.flatMap((group) => {
    const offer = routing.offer(group, model)
    return offer === undefined ? [] : [{ model, offer, group, groupRatio: ratioFor(known, own, group) }]
  })
}

/** The client's list takes precedence over the operator's. */
function fallbacksOf(deps: PlanDeps, model: string, further: readonly string[]): readonly string[] | undefined {
  const named = new Set(further)
  named.delete(model)
  return named.size > 0 ? [...named] : deps.options().ModelFallbacks.get(model)
}

/** A pinned channel is called regardless of group and priority: that is the purpose of pinning. */
function pinnedOffer(
  { routing, options }: PlanDeps,
  { identity, parsed }: Plannable,
  id: number,
): readonly ModelOffer[] | Refusal {
  const model = identity.pinnedModel ?? parsed.model
  const found = routing().channel(id)
  if (found === undefined) return { code: 'pinned_channel_missing', params: { channel: id } }
  if (found.snapshot.status !== CHANNEL_STATUS.enabled)
    return { code: 'pinned_channel_disabled', params: { channel: id } }
  if (found.route === undefined || !found.snapshot.models.includes(model)) {
    return { code: 'pinned_channel_unfit', params: { channel: id, model } }
  }
  const { vendor } = found.route.callers ?? {}
  const vendors = vendor === undefined ? [] : [vendor]
  const offer = { tiers: [[channelRoutes(routesOfKey(found.routes, identity.pinnedKey))]], idle: [], vendors }
  const group = groupAt(identity, found.snapshot.groups)
  return [{ model, offer, group, groupRatio: ratioFor(options().Groups, identity.group, group ?? identity.group) }]
}

function refusalOf(
  { now }: PlanDeps,
  { identity, parsed, kind }: Plannable,
  { isServed, limitedUntil, credential }: Chosen,
  offers: readonly ModelOffer[],
): Refusal {
  const { model } = parsed
  if (limitedUntil !== undefined) {
    const seconds = Math.max(1, Math.ceil((limitedUntil - now()) / 1_000))
    return { code: 'providers_limited', params: { model, seconds }, retryAfter: seconds }
  }
  if (credential === 'credential_missing') return { code: 'caller_credential_missing', params: { model } }
  const { callerCredential } = identity
  if (credential === 'credential_not_taken' && callerCredential !== undefined) {
    return { code: 'caller_credential_not_taken', params: { model, header: callerCredential.header } }
  }
  if (!offers.some((each) => each.model === model && each.offer.tiers.length > 0)) {
    return { code: 'no_channel', params: { model, group: groupsText(identity) }, retryAfter: 5 }
  }
  return isServed
    ? { code: 'model_price_missing', params: { model }, field: 'model' }
    : { code: 'endpoint_not_served', params: { model, path: kind.path }, field: 'model' }
}
