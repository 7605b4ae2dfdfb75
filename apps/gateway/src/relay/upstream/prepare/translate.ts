import type { Refusal } from '@sluice/contract/errors'
import { withoutBillingLine } from '@sluice/dialects/anthropic/billing-line'
import { isBodyRefusal } from '@sluice/dialects/body-refusal'
import { withTakenNames } from '@sluice/dialects/canon/calls/tool-aliases'
import { type AnswerContext, isInexpressible, type UpstreamCodec } from '@sluice/dialects/canon/codec'
import { fitRequest } from '@sluice/dialects/canon/fit-request'
import { type Loss, Losses } from '@sluice/dialects/canon/losses'
import type { CanonRequest } from '@sluice/dialects/canon/request'
import { styleOf } from '@sluice/dialects/openai-chat/quirks/thinking'
import { foreignSummary } from '@sluice/dialects/openai-responses/compaction/compaction-item'
import { traitsOf } from '@sluice/providers/capabilities/capabilities'
import { type ParsedCall, type Conversation, JSON_CALL, JSON_STREAM } from '../../calls/parsed-call.ts'
import { TranslatedReader } from './translated-reader.ts'
import { bodyOf, inexpressible, type UpstreamBody, type Source, type Target } from './upstream-body.ts'

/** Answer tokens to request if a dialect requires a number and the client gave none; most clients of such dialects send this. */
const DEFAULT_MAX_TOKENS = 8_192

export function translate(
  source: Source,
  { route, adapter, model }: Target,
  codec: UpstreamCodec,
): UpstreamBody | Refusal {
  const { parsed, accepted, now } = source
  const { conversation } = parsed
  if (conversation === undefined) throw new Error('a call without a conversation')
  const canonRequest = source.conversation()
  if (isBodyRefusal(canonRequest)) return canonRequest
  const foreign = isForeign(conversation, codec) ? foreignSummary(source.light().json) : undefined
  if (foreign !== undefined) return inexpressible(foreign)
  const ownsDialect = route.kind.dialect === conversation.dialect
  const told = ownsDialect ? canonRequest : withoutBillingLine(canonRequest)
  const request = withSystemPrompt(told, route.channel.systemPrompt)
  const { stream } = parsed
  const takes = traitsOf(model)
  const fitted =
    codec.dialect === conversation.dialect
      ? { request, losses: [] }
      : fitRequest(request, { takes, hasSwitch: styleOf(adapter.quirks) !== undefined })
  const named = withTakenNames(fitted.request, codec.dialect)
  const encoded = codec.encodeRequest(named.request, {
    model,
    stream,
    takes,
    quirks: adapter.quirks,
    defaultMaxTokens: DEFAULT_MAX_TOKENS,
  })
  if (isInexpressible(encoded)) return inexpressible(encoded)
  const context: AnswerContext = {
    request,
    idSeed: accepted.id,
    created: Math.floor(accepted.received / 1_000),
    now: () => Math.floor(now() / 1_000),
    promptEstimate: Math.ceil(parsed.promptBytes * TOKENS_PER_BYTE),
    wantsUsage: conversation.wantsUsage,
  }
  return {
    body: bodyOf(source.light(), adapter, encoded, stream),
    headers: [...headersFor(parsed, conversation, codec), ...(encoded.headers ?? [])],
    stream,
    reader: new TranslatedReader(adapter.framing, codec, conversation.codec, context, named.aliases),
    losses: eachOnce([...fitted.losses, ...named.losses, ...encoded.losses]),
  }
}

/** Whether a Responses conversation goes to a provider that cannot decrypt another provider's data. */
function isForeign({ dialect }: Conversation, codec: UpstreamCodec): boolean {
  return dialect === 'openai-responses' && codec.dialect !== dialect
}

/** A conversation that is translated within its own dialect keeps that dialect's headers: versions, beta features. */
function headersFor(parsed: ParsedCall, { dialect }: Conversation, codec: UpstreamCodec): readonly string[] {
  if (codec.dialect === dialect) return parsed.headers
  return parsed.stream ? JSON_STREAM : JSON_CALL
}

function eachOnce(found: readonly Loss[]): readonly Loss[] {
  const losses = new Losses()
  for (const { what, became } of found) losses[became](what)
  return losses.list()
}

/** An estimate that is displayed until there is a count. */
const TOKENS_PER_BYTE = 0.25

/** Replaces the first instruction, or is added if there is none. */
function withSystemPrompt(request: CanonRequest, prompt: string | null): CanonRequest {
  if (prompt === null || prompt === '') return request
  return { ...request, system: [{ kind: 'text', text: prompt }, ...request.system.slice(1)] }
}
