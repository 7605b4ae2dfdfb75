import { withFewMarks } from '../canon/cache-marks.ts'
import { type CallRules, withPairedCalls } from '../canon/calls/paired-calls.ts'
import type { Encoded, Inexpressible, Target } from '../canon/codec.ts'
import { JSON_ONLY } from '../canon/json-only.ts'
import { Losses } from '../canon/losses.ts'
import type { CanonRequest, Sampling } from '../canon/request.ts'
import { cooled, dropSampling } from '../canon/requested-sampling.ts'
import { asObject, defined, filled, type JsonObject } from '../json-value.ts'
import { closedSchema } from './closed-schema.ts'
import { type EncodedReasoning, encodeReasoning, isThinking } from './encode-reasoning.ts'
import { encodeTools } from './encode-tools.ts'
import { encodeMessages, encodeSystem } from './encode-turns.ts'

/** Sent if the client sets no version; the API requires one. */
export const API_VERSION = '2023-06-01'

/** Source: docs.anthropic.com, Messages; see `docs/protocols/anthropic.md`. */
export function encodeRequest(canonRequest: CanonRequest, target: Target): Encoded | Inexpressible {
  const losses = new Losses()
  const isOwn = canonRequest.extra.dialect === 'anthropic-messages'
  const paired = withPairedCalls(canonRequest, { ...CALLS, isOwn }, losses)
  const request = isOwn ? paired : withFewMarks(paired, losses)
  const messages = encodeMessages(request, losses)
  if ('rule' in messages) return messages
  const reasoning = encodeReasoning(request, target, losses)
  const { output_config: outputRest, metadata: metadataRest, ...own } = ownFields(request, losses)
  const { user } = request
  if (request.metadata !== undefined && Object.keys(request.metadata).length > 0) losses.dropped('metadata')
  const body = {
    model: target.model,
    max_tokens: encodeCap(request, reasoning, target, losses),
    ...defined({ system: encodeSystem(systemOf(request, losses)) }),
    messages,
    stream: target.stream,
    ...encodeTools(request, losses),
    ...defined({ thinking: reasoning.thinking }),
    ...filled('output_config', {
      ...asObject(outputRest),
      ...defined({ effort: reasoning.effort, format: encodeFormat(request, losses) }),
    }),
    ...encodeSampling(request, reasoning, target, losses),
    ...filled('metadata', { ...asObject(metadataRest), ...defined({ user_id: user }) }),
    ...encodeTier(request.serviceTier, losses),
    ...own,
  }
  reportUnknown(request, losses)
  return { body, losses: losses.list(), headers: ['anthropic-version', API_VERSION] }
}

/** Bedrock's limit; the API's own pattern does not limit the length. */
const CALLS: CallRules = { ids: { limit: 64, isPlain: true } }

/** The field is required. */
function encodeCap({ maxTokens }: CanonRequest, { needs = 0 }: EncodedReasoning, target: Target, losses: Losses) {
  const wanted = maxTokens ?? Math.max(target.defaultMaxTokens, needs)
  const requested = Math.min(wanted, target.takes.maxOutput ?? wanted)
  if (maxTokens !== undefined && requested !== maxTokens) losses.changed('max_tokens')
  return requested
}

function systemOf({ system, format }: CanonRequest, losses: Losses): CanonRequest['system'] {
  if (format?.type !== 'json') return system
  losses.changed('response_format')
  losses.changed('system')
  const last = system.at(-1)
  if (last === undefined) return [{ kind: 'text', text: JSON_ONLY }]
  return [...system.slice(0, -1), { ...last, text: `${last.text}\n\n${JSON_ONLY}` }]
}

/** The API requires a schema to close every object. */
function encodeFormat({ format, extra }: CanonRequest, losses: Losses): JsonObject | undefined {
  if (format?.type !== 'schema') return undefined
  const schema = extra.dialect === 'anthropic-messages' ? format.schema : closedSchema(format.schema)
  if (schema !== format.schema) losses.changed('response_format')
  return { type: 'json_schema', schema }
}

/** Newer models refuse any sampling setting; older ones refuse more than one, or any while they think. */
function encodeSampling(
  { sampling, extra }: CanonRequest,
  { thinking }: EncodedReasoning,
  { takes }: Target,
  losses: Losses,
): JsonObject {
  const isOwn = extra.dialect === 'anthropic-messages'
  const isFixed = takes.sampling === 'none' || (takes.sampling !== undefined && !isOwn && isThinking(thinking))
  const allowed = (name: string, value: number | undefined, may: boolean) => {
    if (value === undefined || may) return value
    losses.dropped(name)
    return undefined
  }
  const temperature = allowed('temperature', sampling.temperature, !isFixed)
  const both = temperature !== undefined && takes.sampling !== undefined && !isOwn
  return {
    ...defined({
      temperature: temperature === undefined ? undefined : cooled(temperature, losses),
      top_p: allowed('top_p', sampling.topP, !isFixed && !both),
      top_k: allowed('top_k', sampling.topK, !isFixed && takes.topK !== false),
    }),
    ...encodeStop(sampling, takes.stop !== false, losses),
  }
}

/** Sequences of only white space are refused. */
function encodeStop({ stop = [] }: Sampling, mayStop: boolean, losses: Losses): JsonObject {
  const sequences = stop.filter((text) => text.trim() !== '')
  if (!mayStop && stop.length > 0) losses.dropped('stop')
  else if (sequences.length < stop.length) losses.changed('stop')
  return mayStop && sequences.length > 0 ? { stop_sequences: sequences } : {}
}

function encodeTier(tier: string | undefined, losses: Losses): JsonObject {
  switch (tier) {
    case undefined:
      return {}
    case 'auto':
      return { service_tier: 'auto' }
    case 'default':
      return { service_tier: 'standard_only' }
    default:
      losses.dropped('service_tier')
      return {}
  }
}

/** Fields that only clients of this dialect send. Paths into the request (`tools[name].x`) do not belong at its top level. */
function ownFields({ extra }: CanonRequest, losses: Losses): JsonObject {
  if (extra.dialect !== 'anthropic-messages') {
    losses.droppedExtra(extra)
    return {}
  }
  for (const name of Object.keys(extra.fields)) if (name.startsWith('messages[')) losses.dropped(name)
  return Object.fromEntries(Object.entries(extra.fields).filter(([name]) => !/[[.]/.test(name)))
}

/** Fields of OpenAI's chat without a counterpart. */
const UNKNOWN: ReadonlySet<keyof Sampling> = new Set([
  'n',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'logprobs',
  'topLogprobs',
  'logitBias',
])

function reportUnknown({ sampling, verbosity, modalities, format }: CanonRequest, losses: Losses): void {
  dropSampling(sampling, (name) => UNKNOWN.has(name), losses)
  if (verbosity !== undefined) losses.dropped('verbosity')
  if (modalities?.some((modality) => modality !== 'text') === true) losses.dropped('modalities')
  // Losing the schema's name is not reported: it is for readers, and the model follows the schema without it.
  if (format?.type === 'schema' && format.description !== undefined) losses.dropped('response_format.description')
}
