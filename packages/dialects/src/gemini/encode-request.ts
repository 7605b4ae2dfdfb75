import { withPairedCalls } from '../canon/calls/paired-calls.ts'
import { chosenBuiltin, mustCall, VALIDATED_CHOICE } from '../canon/calls/tool-choice.ts'
import type { Encoded, Inexpressible, Target } from '../canon/codec.ts'
import { type Loss, Losses } from '../canon/losses.ts'
import type { CanonRequest } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'
import { encodeGeneration } from './encode-generation.ts'
import { encodeChoice, encodeTools } from './encode-tools.ts'
import { encodeTurns } from './encode-turns.ts'

/** Gemini's names for OpenAI's tiers. */
const TIERS: Readonly<Record<string, string>> = { default: 'standard', flex: 'flex', priority: 'priority' }
/** Members whose own fields `extra` names by path. */
const NESTED = ['generationConfig.thinkingConfig', 'toolConfig.functionCallingConfig', 'generationConfig', 'toolConfig']
/** The decoder cannot read arguments that are streamed in pieces. */
const UNREADABLE = new Set(['toolConfig.functionCallingConfig.streamFunctionCallArguments'])

/** A `generateContent` body; model and streaming are in the path. Source: API references of Gemini (v1beta) and Vertex AI (v1). */
export function encodeGemini(canonRequest: CanonRequest, target: Target): Encoded | Inexpressible {
  const losses = new Losses()
  const isOwn = canonRequest.extra.dialect === 'gemini'
  const request = withPairedCalls(canonRequest, { namesResults: true, isOwn }, losses)
  const turns = encodeTurns(request, target.model, losses)
  if ('rule' in turns) return turns
  const tools = encodeTools(request, target.model, losses)
  const isChoosable = request.tools.length > 0 && chosenBuiltin(request) === undefined
  const isValidated = VALIDATED_CHOICE in request.extra.fields
  const choice = isChoosable ? (isValidated ? { mode: 'VALIDATED' } : encodeChoice(request.toolChoice)) : undefined
  if (choice === undefined && mustCall(request.toolChoice)) losses.dropped('tool_choice')
  const generationConfig = encodeGeneration(request, target, losses)
  const tier = encodeTier(request.serviceTier, losses)
  reportUnknown(request, losses)
  const body: JsonObject = {
    ...(turns.system.length === 0 ? {} : { systemInstruction: { parts: turns.system } }),
    contents: turns.contents,
    ...(tools.length === 0 ? {} : { tools }),
    ...(choice === undefined ? {} : { toolConfig: { functionCallingConfig: choice } }),
    ...(Object.keys(generationConfig).length === 0 ? {} : { generationConfig }),
    ...(tier === undefined ? {} : { serviceTier: tier }),
  }
  const whole = withExtra(body, request, losses)
  const isLost = ({ what }: Loss) => what !== VALIDATED_CHOICE || choice === undefined
  return { body: whole, losses: losses.list().filter(isLost) }
}

function encodeTier(tier: string | undefined, losses: Losses): string | undefined {
  if (tier === undefined || tier === 'auto') return undefined
  const word = Object.hasOwn(TIERS, tier) ? TIERS[tier] : undefined
  if (word === undefined) losses.dropped('service_tier')
  return word
}

function reportUnknown({ user, verbosity, metadata, parallelTools }: CanonRequest, losses: Losses): void {
  if (user !== undefined) losses.dropped('user')
  if (verbosity !== undefined) losses.dropped('verbosity')
  if (metadata !== undefined) losses.dropped('metadata')
  if (parallelTools === false) losses.dropped('parallel_tool_calls')
}

/** Puts Gemini's own fields back under their paths, except those of single parts and functions. */
function withExtra(body: JsonObject, { extra }: CanonRequest, losses: Losses): JsonObject {
  if (extra.dialect !== 'gemini') {
    losses.droppedExtra(extra)
    return body
  }
  let whole = body
  for (const [name, value] of Object.entries(extra.fields)) {
    const parent = NESTED.find((path) => name.startsWith(`${path}.`))
    const isPlaced = !/[.[]/.test(parent === undefined ? name : name.slice(parent.length + 1))
    if (!isPlaced || UNREADABLE.has(name)) losses.dropped(name)
    else whole = parent === undefined ? { ...whole, [name]: value } : setInside(whole, parent.split('.'), name, value)
  }
  return whole
}

function setInside(
  object: JsonObject,
  [head = '', ...rest]: readonly string[],
  name: string,
  value: unknown,
): JsonObject {
  const inner = (object[head] ?? {}) as JsonObject
  const key = name.slice(name.lastIndexOf('.') + 1)
  return { ...object, [head]: rest.length === 0 ? { ...inner, [key]: value } : setInside(inner, rest, name, value) }
}
