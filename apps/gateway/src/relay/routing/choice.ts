import type { ConsideredLane, Exclusion, RoutingDecision } from '@sluice/contract/routing'
import { type RequestedTool, requestedTools } from '@sluice/dialects/requested-tools'
import type { CooldownCause, Health, Standing } from '@sluice/routing/health'
import { openJson } from '../calls/light-json.ts'
import type { RelayOptions } from '../relay-options.ts'
import type { Authorised } from '../stages/authorised.ts'
import type { Candidate } from '../stages/planned.ts'
import type { AdapterQuery, Route } from '../stages/route.ts'
import type { IdleLane, Offer } from './routing-table.ts'
import type { Lead, WeightedKey } from './weighted.ts'

export interface Plannable {
  readonly identity: Pick<
    Authorised['identity'],
    | 'group'
    | 'groups'
    | 'pinnedChannel'
    | 'pinnedKey'
    | 'pinnedModel'
    | 'models'
    | 'tokenId'
    | 'callerCredential'
    | 'ownKeys'
  >
  readonly accepted: Pick<Authorised['accepted'], 'received' | 'headers' | 'connection'>
  readonly parsed: AdapterQuery & Pick<Authorised['parsed'], 'model' | 'picture' | 'steering'>
  readonly kind: Pick<Authorised['kind'], 'endpoint' | 'path'>
  /** Absent for calls without a model. */
  readonly body?: Buffer
  /** Models that the client asks to try if the first one cannot answer. */
  readonly further?: readonly string[]
}

export interface ChooseDeps {
  readonly health: Pick<Health, 'standing'>
  readonly options: () => Pick<RelayOptions, 'UnpricedModelPolicy' | 'UnpricedModelRatio'>
  /** 0 to 1. */
  readonly random: () => number
  readonly now: () => number
  /** Called when a model has no price on a channel, whatever the policy decides; must return at once. */
  readonly onUnpriced: (unpriced: { readonly channel: number; readonly model: string }) => void
}

export interface Draw {
  readonly by: RoutingDecision['by']
  /** Name of the conversation; called only if there is a choice. */
  readonly session: () => string | undefined
  readonly vendor?: string | undefined
}

export type CredentialExclusion = Extract<Exclusion, 'credential_missing' | 'credential_not_taken'>

/** The state of one choice, shared by its steps. */
export interface Choice {
  readonly deps: ChooseDeps
  readonly request: Plannable
  readonly now: number
  readonly by: Draw['by']
  /** The caller has selected a channel. */
  readonly isPinned: boolean
  readonly vendor: string | undefined
  /** Why a channel that needs the caller's own key, or does not accept it, is excluded for this request. */
  readonly credential: CredentialExclusion
  /** Computing a conversation's name takes a while, so call this only if there is a choice. */
  readonly lead: () => Lead
  /** Tools that the provider should run; read only for channels with settings for them. */
  readonly tools: () => readonly RequestedTool[]
  /** Name of the conversation, once `lead` has requested it. */
  session: string | undefined
  /** Keys that were not checked because enough others could be called. */
  unlooked: number
}

export function openChoice(deps: ChooseDeps, request: Plannable, { by, session, vendor }: Draw): Choice {
  let tools: readonly RequestedTool[] | undefined
  const choice: Choice = {
    deps,
    request,
    now: deps.now(),
    by,
    isPinned: by === 'pin',
    vendor,
    credential: request.identity.callerCredential === undefined ? 'credential_missing' : 'credential_not_taken',
    lead: () => {
      choice.session = session()
      return choice.session === undefined ? deps : { session: choice.session }
    },
    tools: () => (tools ??= toolsOf(request)),
    session: undefined,
    unlooked: 0,
  }
  return choice
}

function toolsOf({ parsed, body }: Plannable): readonly RequestedTool[] {
  return parsed.conversation === undefined || body === undefined ? [] : requestedTools(openJson(body, '').json)
}

export type Asked = Pick<Candidate, 'model' | 'group' | 'groupRatio'>

export interface ModelOffer extends Asked {
  readonly offer: Offer
}

/** A lane that was considered for a request. It is a candidate unless there is a reason to exclude it. */
export type PossibleLane = LeftOutLane | ReadyLane | CoolingLane

/** A lane without a price, or one that is never called. */
export interface LeftOutLane {
  readonly kind: 'left_out'
  readonly asked: Asked
  readonly at: Route | IdleLane
  readonly excluded: Exclusion
}

export interface ReadyLane extends WeightedKey {
  readonly kind: 'ready'
  readonly candidate: Candidate
  excluded: 'spare' | undefined
}

export interface CoolingLane extends Pick<Extract<Standing, { kind: 'resting' }>, 'cause' | 'until'> {
  readonly kind: 'cooling'
  readonly candidate: Candidate
  readonly isGuess: boolean
  excluded: CooldownCause | 'probing' | undefined
}

export const leftOut = (asked: Asked, at: Route | IdleLane, excluded: Exclusion): LeftOutLane => ({
  kind: 'left_out',
  asked,
  at,
  excluded,
})

/** The lane as shown in the stored decision. `order` is the position among the candidates, from 1; 0 for an excluded lane. */
export function shown(lane: PossibleLane, order: number): ConsideredLane {
  const { model, group } = lane.kind === 'left_out' ? lane.asked : lane.candidate
  const { channel, key } = lane.kind === 'left_out' ? lane.at : lane.candidate.route
  const { id, name, priority, weight } = channel
  const row: ConsideredLane = {
    channel: id,
    channel_name: name,
    key: key.position,
    keys: key.of,
    model,
    priority,
    weight,
    order,
  }
  if (group !== undefined) row.group = group
  if (lane.excluded !== undefined) row.excluded = lane.excluded
  else if (lane.kind === 'ready' && lane.share < 1) row.share = lane.share
  if (lane.kind === 'cooling') row.until = lane.until
  return row
}
