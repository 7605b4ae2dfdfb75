import { asFunction } from '../canon/calls/free-text-tools.ts'
import { withPairedCalls } from '../canon/calls/paired-calls.ts'
import { mustCall } from '../canon/calls/tool-choice.ts'
import type { Encoded, Inexpressible, ModelTraits, Target } from '../canon/codec.ts'
import { budgetOf } from '../canon/efforts.ts'
import { Losses } from '../canon/losses.ts'
import type { CanonRequest, Sampling, Tool } from '../canon/request.ts'
import { dropSampling } from '../canon/requested-sampling.ts'
import { defined, type JsonObject } from '../json-value.ts'
import { encodeTurns } from './encode-turns.ts'

/** A request for Cohere's `/v2/chat`. Source: Cohere API reference, Chat with streaming (v2). */
export function encodeCohere(canonRequest: CanonRequest, target: Target): Encoded | Inexpressible {
  const losses = new Losses()
  const request = withPairedCalls(canonRequest, {}, losses)
  const messages = encodeTurns(request, { losses, thinks: takesThoughts(target) })
  if ('rule' in messages) return messages
  const { maxTokens } = request
  const most = maxTokens === undefined ? undefined : Math.min(maxTokens, target.takes.maxOutput ?? maxTokens)
  if (most !== maxTokens) losses.changed('max_tokens')
  const tools = encodeTools(request, losses)
  const body: JsonObject = {
    model: target.model,
    stream: target.stream,
    messages,
    ...tools,
    ...encodeFormat(request, 'tools' in tools, losses),
    ...encodeThinking(request, target, losses),
    ...(most === undefined ? {} : { max_tokens: most }),
    ...encodeSampling(request.sampling, target.takes, losses),
    ...(request.extra.dialect === 'cohere' ? request.extra.fields : {}),
  }
  reportUnknown(request, losses)
  return { body, losses: losses.list() }
}

/** Only Cohere's reasoning models accept thoughts in a conversation. */
function takesThoughts({ model, takes }: Target): boolean {
  return takes.thinking === undefined ? /reasoning/i.test(model) : takes.thinking !== 'none'
}

function encodeTools({ tools, builtins, toolChoice, parallelTools }: CanonRequest, losses: Losses): JsonObject {
  for (const { name } of builtins) losses.dropped(`tools[${name}]`)
  if (parallelTools === false) losses.dropped('parallel_tool_calls')
  const offered = tools.filter(({ name }) => {
    if (toolChoice?.mode === 'named') return name === toolChoice.name
    return toolChoice?.mode !== 'allowed' || toolChoice.names.includes(name)
  })
  if (offered.length < tools.length) losses.changed('tool_choice')
  if (offered.length === 0) {
    if (mustCall(toolChoice)) losses.dropped('tool_choice')
    return {}
  }
  const strict = offered.filter((tool) => tool.strict === true).length
  if (strict > 0 && strict < offered.length) losses.changed('tools[].function.strict')
  return {
    tools: offered.map((tool) => encodeTool(tool, losses)),
    ...(strict === offered.length ? { strict_tools: true } : {}),
    ...encodeChoice(toolChoice),
  }
}

const NOTHING: JsonObject = { type: 'object', properties: {} }

function encodeTool(tool: Tool, losses: Losses): JsonObject {
  const { name, description, schema = NOTHING, cache } = asFunction(tool, losses)
  if (cache !== undefined) losses.dropped('cache_control')
  return {
    type: 'function',
    function: { name, ...(description === undefined ? {} : { description }), parameters: schema },
  }
}

/** Only the named tool is sent, so requiring a call is enough. */
function encodeChoice(choice: CanonRequest['toolChoice']): JsonObject {
  switch (choice?.mode) {
    case 'none':
      return { tool_choice: 'NONE' }
    case 'required':
    case 'named':
      return { tool_choice: 'REQUIRED' }
    case 'allowed':
      return choice.required ? { tool_choice: 'REQUIRED' } : {}
    default:
      return {}
  }
}

/** Cohere refuses a format together with tools. */
function encodeFormat({ format }: CanonRequest, hasTools: boolean, losses: Losses): JsonObject {
  if (format === undefined || format.type === 'text') return {}
  if (hasTools) {
    losses.dropped('response_format')
    return {}
  }
  const schema = format.type === 'schema' ? { json_schema: format.schema } : {}
  return { response_format: { type: 'json_object', ...schema } }
}

/** Cohere can switch thinking on and off, and accepts a number of tokens. */
function encodeThinking({ reasoning }: CanonRequest, { takes }: Target, losses: Losses): JsonObject {
  if (reasoning === undefined) return {}
  if (reasoning.summary !== undefined) losses.dropped('reasoning.summary')
  const budget = budgetOf(reasoning)
  if (takes.thinking === 'none' || takes.thinking === 'forced') {
    if (takes.thinking === 'forced' || budget !== 0) losses.dropped('reasoning_effort')
    return {}
  }
  if (budget === 0) return { thinking: { type: 'disabled' } }
  if (reasoning.effort !== undefined) losses.changed('reasoning_effort')
  return { thinking: { type: 'enabled', ...(budget === undefined ? {} : { token_budget: budget }) } }
}

function reportUnknown(
  { user, verbosity, modalities, serviceTier, metadata, extra }: CanonRequest,
  losses: Losses,
): void {
  if (user !== undefined) losses.dropped('user')
  if (verbosity !== undefined) losses.dropped('verbosity')
  if (modalities?.some((modality) => modality !== 'text') === true) losses.dropped('modalities')
  if (serviceTier !== undefined && serviceTier !== 'auto') losses.dropped('service_tier')
  if (metadata !== undefined) losses.dropped('metadata')
  if (extra.dialect !== 'cohere') losses.droppedExtra(extra)
}

/** Settings without a field here; answers are translated without probabilities, so those are not requested either. */
const UNKNOWN: ReadonlySet<keyof Sampling> = new Set(['n', 'logprobs', 'topLogprobs', 'logitBias'])

/** Sampling with Cohere's names and limits; values that had to be clamped are listed as changed. */
function encodeSampling(sampling: Sampling, takes: ModelTraits, losses: Losses): JsonObject {
  const { temperature, topP, topK, presencePenalty, frequencyPenalty, seed, stop } = sampling
  const within = (name: string, value: number | undefined, least: number, most: number) => {
    if (value === undefined) return undefined
    if (takes.sampling === 'none') {
      losses.dropped(name)
      return undefined
    }
    const fitted = Math.min(Math.max(value, least), most)
    if (fitted !== value) losses.changed(name)
    return fitted
  }
  dropSampling(sampling, (name) => UNKNOWN.has(name), losses)
  const stops = stop?.filter((text) => text !== '') ?? []
  return defined({
    temperature: within('temperature', temperature, 0, 2),
    p: within('top_p', topP, 0.01, 0.99),
    k: within('top_k', topK, 0, 500),
    presence_penalty: within('presence_penalty', presencePenalty, 0, 1),
    frequency_penalty: within('frequency_penalty', frequencyPenalty, 0, 1),
    seed,
    stop_sequences: stops.length === 0 ? undefined : stops,
  })
}
