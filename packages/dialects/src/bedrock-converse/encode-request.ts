import { withFewMarks } from '../canon/cache-marks.ts'
import { type CallRules, withPairedCalls } from '../canon/calls/paired-calls.ts'
import type { Encoded, Inexpressible, Target } from '../canon/codec.ts'
import { Losses } from '../canon/losses.ts'
import type { AnswerFormat, CanonRequest } from '../canon/request.ts'
import { filled, type JsonObject } from '../json-value.ts'
import { encodeReasoning } from './encode-reasoning.ts'
import { encodeInference } from './encode-sampling.ts'
import { encodeTools } from './encode-tools.ts'
import { encodeTurns } from './encode-turns.ts'
import { familyOf, takesCachePoints } from './model-family.ts'

/** Model and streaming are in the path. Source: Amazon Bedrock API reference, Converse, ConverseStream. */
export function encodeConverse(canonRequest: CanonRequest, target: Target): Encoded | Inexpressible {
  const losses = new Losses()
  const family = familyOf(target.model)
  const caches = takesCachePoints(family)
  const paired = withPairedCalls(canonRequest, CALLS, losses)
  const request = caches ? withFewMarks(paired, losses) : paired
  const turns = encodeTurns(request, { losses, caches })
  if ('rule' in turns) return turns
  const toolConfig = encodeTools(request, { losses, caches })
  const outputConfig = encodeFormat(request.format, losses)
  const maxTokens = request.maxTokens ?? target.defaultMaxTokens
  const thinking = encodeReasoning(request.reasoning, { family, target, maxTokens }, losses)
  const { inferenceConfig, modelFields } = encodeInference(
    request,
    { family, target, thinks: isThinking(thinking) },
    losses,
  )
  reportUnknown(request, losses)
  const fields = { ...thinking, ...modelFields }
  const body: JsonObject = {
    ...(turns.system.length === 0 ? {} : { system: turns.system }),
    messages: turns.messages,
    ...filled('inferenceConfig', inferenceConfig),
    ...(toolConfig === undefined ? {} : { toolConfig }),
    ...(outputConfig === undefined ? {} : { outputConfig }),
    ...filled('additionalModelRequestFields', fields),
    ...(family === 'anthropic' ? { additionalModelResponseFieldPaths: ['/stop_sequence'] } : {}),
    ...encodeTier(request.serviceTier),
    ...encodeMetadata(request.metadata, losses),
  }
  return { body, losses: losses.list() }
}

const CALLS: CallRules = { ids: { limit: 64, isPlain: true } }

function isThinking({ thinking }: JsonObject): boolean {
  return thinking !== undefined && (thinking as JsonObject)['type'] !== 'disabled'
}

/** JSON without a schema cannot be expressed; models still answer in JSON if the prompt asks for it. */
function encodeFormat(format: AnswerFormat | undefined, losses: Losses): JsonObject | undefined {
  if (format === undefined || format.type === 'text') return undefined
  if (format.type === 'json') {
    losses.dropped('response_format')
    return undefined
  }
  const { schema, name, description } = format
  const jsonSchema = {
    schema: JSON.stringify(schema),
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
  }
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } }
}

/** Converse uses OpenAI's names for the tiers; `auto` is expressed by omitting the field. */
function encodeTier(tier: string | undefined): JsonObject {
  return tier === undefined || tier === 'auto' ? {} : { serviceTier: { type: tier } }
}

/** At most sixteen texts, for the operator's own invocation log. */
function encodeMetadata(metadata: JsonObject | undefined, losses: Losses): JsonObject {
  if (metadata === undefined) return {}
  const entries = Object.entries(metadata)
  const fits = entries
    .filter(([key, value]) => isMetadata(key) && typeof value === 'string' && isMetadata(value))
    .slice(0, 16)
  if (fits.length < entries.length) losses.dropped('metadata')
  return filled('requestMetadata', Object.fromEntries(fits))
}

const isMetadata = (text: string) => /^[a-zA-Z0-9\s:_@$#=/+,\-.]{1,256}$/.test(text)

function reportUnknown({ user, verbosity, modalities, extra }: CanonRequest, losses: Losses): void {
  if (user !== undefined) losses.dropped('user')
  if (verbosity !== undefined) losses.dropped('verbosity')
  if (modalities?.some((modality) => modality !== 'text') === true) losses.dropped('modalities')
  losses.droppedExtra(extra)
}
