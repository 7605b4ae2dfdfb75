import { type CallRules, withPairedCalls } from '../canon/calls/paired-calls.ts'
import type { Effort, Encoded, Inexpressible, ModelTraits, Target } from '../canon/codec.ts'
import { effortOf, hasFixedSampling, knownEffort } from '../canon/efforts.ts'
import { JSON_ONLY, lacksJsonWord } from '../canon/json-only.ts'
import { Losses } from '../canon/losses.ts'
import type { CanonRequest, ReasoningWish, Sampling } from '../canon/request.ts'
import { dropSampling } from '../canon/requested-sampling.ts'
import { asObject, defined, type JsonObject } from '../json-value.ts'
import { encodeUser } from '../openai-chat/encode-settings.ts'
import { InputEncoder } from './encode-input.ts'
import { encodeChoice, encodeFormat, encodeTools } from './encode-tools.ts'

/** The API's minimum. */
const LEAST_OUTPUT = 16

/** Fields with the same name and meaning in OpenAI's chat. */
const SHARED_WITH_CHAT: ReadonlySet<string> = new Set([
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'moderation',
])

/** Stores nothing at the provider, and requests encrypted reasoning, so that the next turn can send it back. */
export function encodeRequest(canonRequest: CanonRequest, target: Target): Encoded | Inexpressible {
  const losses = new Losses()
  const isOwn = canonRequest.extra.dialect === 'openai-responses'
  const request = withPairedCalls(canonRequest, isOwn ? { isOwn } : CALLS, losses)
  const encoder = new InputEncoder(losses, isOwn)
  const input = encoder.encode(turnsOf(request, losses))
  if (encoder.fault !== undefined) return encoder.fault
  const { include: more, text, reasoning, ...fields } = ownFields(request, losses)
  const include = ['reasoning.encrypted_content', ...asTexts(more)]
  const body = defined({
    model: target.model,
    instructions: encodeInstructions(request, losses),
    input,
    stream: target.stream,
    store: false,
    include,
    tools: encodeTools(request, losses),
    tool_choice: encodeChoice(request, losses),
    parallel_tool_calls: request.parallelTools,
    text: members({
      ...asObject(text),
      format: request.format && encodeFormat(request.format),
      verbosity: request.verbosity,
    }),
    reasoning: members({
      ...asObject(reasoning),
      ...(request.reasoning && encodeReasoning(request.reasoning, target.takes, losses)),
    }),
    max_output_tokens: encodeCap(request.maxTokens, target.takes, losses),
    ...encodeSampling(request, target.takes, losses),
    user: encodeUser(request, losses),
    service_tier: request.serviceTier,
    metadata: request.metadata,
    ...fields,
  })
  return { body, losses: losses.list() }
}

/** Longer ids are refused. */
const CALLS: CallRules = { ids: { limit: 64 } }

/** Adds the mention of JSON that OpenAI requires if a request asks for JSON; OpenAI does not search the instructions for it. */
function turnsOf(request: CanonRequest, losses: Losses): CanonRequest['turns'] {
  const { turns } = request
  if (!lacksJsonWord(request, turns[0]?.parts ?? [])) return turns
  losses.changed('system')
  return [{ role: 'system', parts: [{ kind: 'text', text: JSON_ONLY }] }, ...turns]
}

function encodeInstructions({ system, extra }: CanonRequest, losses: Losses): string | undefined {
  if (extra.dialect !== 'openai-responses' && system.some(({ cache }) => cache !== undefined)) {
    losses.dropped('cache_control')
  }
  return system.length === 0 ? undefined : system.map(({ text }) => text).join('\n\n')
}

function encodeCap(cap: number | undefined, { maxOutput }: ModelTraits, losses: Losses): number | undefined {
  if (cap === undefined) return undefined
  const requested = Math.max(LEAST_OUTPUT, Math.min(cap, maxOutput ?? cap))
  if (requested !== cap) losses.changed('max_tokens')
  return requested
}

function encodeSampling({ sampling, reasoning }: CanonRequest, takes: ModelTraits, losses: Losses): JsonObject {
  const { temperature, topP } = sampling
  dropSampling(sampling, (name) => !KNOWN_HERE.has(name), losses)
  const isFixed = hasFixedSampling(reasoning, takes)
  if (isFixed && temperature !== undefined) losses.dropped('temperature')
  if (isFixed && topP !== undefined) losses.dropped('top_p')
  return isFixed ? {} : { temperature, top_p: topP }
}

/** All other settings are lost: this dialect has only probabilities besides these, which translated answers do not have. */
const KNOWN_HERE: ReadonlySet<keyof Sampling> = new Set(['temperature', 'topP'])

/** Fields that only clients of OpenAI's dialects send. Paths into the request (`tools[name].x`) do not belong at its top level. */
function ownFields({ extra, modalities = ['text'] }: CanonRequest, losses: Losses): JsonObject {
  if (modalities.some((modality) => modality !== 'text')) losses.dropped('modalities')
  const isMine = (name: string) =>
    (extra.dialect === 'openai-responses' && !/[[.]/.test(name)) ||
    (extra.dialect === 'openai-chat' && SHARED_WITH_CHAT.has(name))
  const mine = Object.entries(extra.fields).filter(([name]) => isMine(name))
  for (const name of Object.keys(extra.fields)) if (!isMine(name)) losses.dropped(name)
  return Object.fromEntries(mine)
}

const asTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

/** As `defined`, but undefined if empty. */
function members(fields: JsonObject): JsonObject | undefined {
  const said = defined(fields)
  return Object.keys(said).length === 0 ? undefined : said
}

/** The thinking setting as `reasoning`; undefined leaves it to the model. */
function encodeReasoning(
  wish: ReasoningWish,
  { thinking, efforts }: ModelTraits,
  losses: Losses,
): { readonly effort?: Effort; readonly summary?: string } | undefined {
  const wanted = effortOf(wish)
  const isFixed = thinking === 'none' || thinking === 'forced'
  if (wanted !== undefined && isFixed && (wanted !== 'none' || thinking === 'forced'))
    losses.dropped('reasoning_effort')
  const effort = wanted === undefined || isFixed ? undefined : knownEffort(wanted, efforts, wish.budget !== undefined)
  if (effort !== undefined && (effort !== wanted || wish.budget !== undefined)) losses.changed('reasoning_effort')
  const summary = thinking === 'none' ? undefined : summaryOf(wish.summary)
  if (effort === undefined && summary === undefined) return undefined
  return { ...(effort === undefined ? {} : { effort }), ...(summary === undefined ? {} : { summary }) }
}

/** Other dialects only specify whether the client wants to read the reasoning. */
function summaryOf(summary: string | undefined): string | undefined {
  switch (summary) {
    case 'auto':
    case 'concise':
    case 'detailed':
      return summary
    case undefined:
    case 'omitted':
    case 'none':
    case 'false':
      return undefined
    default:
      return 'auto'
  }
}
