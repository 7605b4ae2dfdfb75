import { type CallRules, withPairedCalls } from '../canon/calls/paired-calls.ts'
import type { Encoded, Inexpressible, Target } from '../canon/codec.ts'
import { JSON_ONLY, lacksJsonWord } from '../canon/json-only.ts'
import { Losses } from '../canon/losses.ts'
import type { CanonRequest } from '../canon/request.ts'
import { defined, type JsonObject } from '../json-value.ts'
import { MessageEncoder } from './encode-messages.ts'
import { encodeCap, encodeReasoning, encodeSampling, encodeUser } from './encode-settings.ts'
import { encodeFormat, encodeTools } from './encode-tools.ts'
import { applyQuirks } from './quirks/apply-quirks.ts'

/** Fields with the same name and meaning in OpenAI's Responses. */
const SHARED_WITH_RESPONSES: ReadonlySet<string> = new Set([
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'moderation',
])

/** Applies the provider's quirks. */
export function encodeRequest(canonRequest: CanonRequest, target: Target): Encoded | Inexpressible {
  const losses = new Losses()
  const quirks = new Set(target.quirks)
  const isOwn = canonRequest.extra.dialect === 'openai-chat'
  const request = withPairedCalls(canonRequest, isOwn ? { isOwn } : CALLS, losses)
  const cacheMarks = isOwn || quirks.has('cache-control')
  const takes = { cacheMarks, customTools: !quirks.has('no-custom-tools') }
  const encoder = new MessageEncoder(losses, {
    ...takes,
    textFiles: isOwn,
    reasoning: isOwn || quirks.has('takes-reasoning') || quirks.has('needs-reasoning'),
    thoughtSignatures: isOwn || quirks.has('thought-signatures'),
  })
  const messages = encoder.encode(systemOf(request, losses), request.turns)
  if (encoder.fault !== undefined) return encoder.fault
  const body = defined({
    model: target.model,
    messages,
    ...(target.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...encodeTools(request, losses, takes),
    response_format: request.format && encodeFormat(request.format),
    max_completion_tokens: encodeCap(request.maxTokens, target.takes, losses),
    ...encodeSampling(request, target.takes, losses),
    ...(request.reasoning === undefined ? {} : encodeReasoning(request.reasoning, target, losses)),
    verbosity: request.verbosity,
    modalities: request.modalities,
    user: encodeUser(request, losses),
    service_tier: request.serviceTier,
    metadata: request.metadata,
    ...ownFields(request, losses),
  })
  const fitted = applyQuirks(body, target.quirks ?? [], target)
  for (const { what, became } of fitted.losses) losses[became](what)
  return { body: fitted.body, losses: losses.list() }
}

/** OpenAI refuses longer ids; OpenAI clients know that, and know which vendors accept them. */
const CALLS: CallRules = { ids: { limit: 40 } }

/** Adds the mention of JSON that OpenAI requires if a request asks for JSON. */
function systemOf(request: CanonRequest, losses: Losses): CanonRequest['system'] {
  const { system, turns } = request
  if (!lacksJsonWord(request, [...system, ...(turns[0]?.parts ?? [])])) return system
  losses.changed('system')
  return [...system, { kind: 'text', text: JSON_ONLY }]
}

/** Fields that only clients of OpenAI's dialects send. Paths such as `messages[3].prefix` do not belong at a body's top level. */
function ownFields({ extra }: CanonRequest, losses: Losses): JsonObject {
  const isMine = (name: string) =>
    (extra.dialect === 'openai-chat' && !/[[.]/.test(name)) ||
    (extra.dialect === 'openai-responses' && SHARED_WITH_RESPONSES.has(name))
  for (const name of Object.keys(extra.fields)) if (!isMine(name)) losses.dropped(name)
  return Object.fromEntries(Object.entries(extra.fields).filter(([name]) => isMine(name)))
}
