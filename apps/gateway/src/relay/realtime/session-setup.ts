import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { asObject, type JsonObject } from '@sluice/dialects/json-value'
import { misspeltModel, modelsOf, withModels } from '@sluice/dialects/openai-realtime/client-event'
import { misspelt } from '@sluice/dialects/request-fields'
import { requestedTools } from '@sluice/dialects/requested-tools'
import { barredTool } from '@sluice/providers/channel-fields/tooling'
import { unpricedQuote } from '@sluice/providers/prices/rates'
import { modelNotFound } from '../caller/served-groups.ts'
import type { PlanDeps } from '../routing/plan.ts'
import type { Identity } from '../stages/identity.ts'
import type { Candidate } from '../stages/planned.ts'

export interface SessionTerms {
  readonly identity: Identity
  /** Model as the client requested it. */
  readonly model: string
  readonly candidate: Candidate
}

export interface CheckedSetup {
  readonly frame: string
  /** The model that transcribes the user's speech from now on, with its price; undefined if the setup does not name one. */
  readonly transcription: Candidate | undefined
}

type SetupDeps = Pick<PlanDeps, 'options' | 'onUnpriced'> & { readonly now: () => number }

const TRANSCRIPTION_FIELD = 'session.audio.input.transcription.model'

/** Refuses models that the key may not use, that the channel does not serve, or that have no price, even as additional models. */
export function checkSetup(deps: SetupDeps, terms: SessionTerms, setup: JsonObject): CheckedSetup | Refusal {
  const twin = misspeltModel(setup)
  if (twin !== undefined) return misspelt(twin.field, twin.written)
  const barred = refuseTools(terms.candidate, 'session', () => asObject(setup['session']) ?? {})
  if (barred !== undefined) return barred
  const { model, transcription } = modelsOf(setup)
  const { upstreamModel } = terms.candidate
  if (model !== undefined && model !== terms.model && model !== upstreamModel) {
    const rule = `cannot change during a session; this session uses "${terms.model}"`
    return { code: 'invalid_body', params: { field: 'session.model', rule }, field: 'session.model' }
  }
  if (transcription === undefined) {
    return { frame: withModels(setup, { model: upstreamModel, transcription: '' }), transcription: undefined }
  }
  if (typeof transcription !== 'string' || transcription === '') {
    const params = { field: TRANSCRIPTION_FIELD, rule: 'must name a model, because the price depends on it' }
    return { code: 'invalid_body', params, field: TRANSCRIPTION_FIELD }
  }
  const writer = transcriber(deps, terms, transcription)
  if (isRefusal(writer)) return writer
  const names = { model: upstreamModel, transcription: writer.upstreamModel }
  return { frame: withModels(setup, names), transcription: writer }
}

/** Refuses requests for tools that the channel does not allow, both in the setup of a session and in each response. */
export function refuseTools(
  { route: { tooling } }: Pick<Candidate, 'route'>,
  place: 'session' | 'response',
  asking: () => JsonObject,
): Refusal | undefined {
  const barred = tooling && barredTool(tooling, requestedTools(asking()))
  if (barred === undefined) return undefined
  const field = `${place}.${barred.field}`
  return { code: 'invalid_body', params: { field, rule: 'requests a tool that this channel does not allow' }, field }
}

function transcriber(deps: SetupDeps, { identity, candidate }: SessionTerms, model: string): Candidate | Refusal {
  const { route, group, groupRatio } = candidate
  if (identity.models?.has(model) === false) {
    return { code: 'model_not_allowed', params: { model }, field: TRANSCRIPTION_FIELD }
  }
  if (!route.channel.models.includes(model)) {
    return modelNotFound(model, identity, TRANSCRIPTION_FIELD)
  }
  const upstreamModel = route.upstreamModel(model)
  const { UnpricedModelPolicy: policy, UnpricedModelRatio: ratio } = deps.options()
  const listed = route.quote(upstreamModel, deps.now())
  if (listed === 'missing') deps.onUnpriced({ channel: route.channel.id, model: upstreamModel })
  const quote = listed === 'missing' ? unpricedQuote(route.kind.code, policy, ratio) : listed
  return quote === 'missing'
    ? { code: 'model_price_missing', params: { model }, field: TRANSCRIPTION_FIELD }
    : { model, route, lane: route.lane(upstreamModel), upstreamModel, quote, group, groupRatio }
}
