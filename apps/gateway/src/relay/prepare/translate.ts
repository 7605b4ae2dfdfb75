import type { Refusal } from '@sluice/contract/errors'
import { isBodyRefusal } from '@sluice/dialects/body-refusal'
import { type AnswerContext, isInexpressible, type UpstreamCodec } from '@sluice/dialects/canon/codec'
import type { CanonRequest } from '@sluice/dialects/canon/request'
import { withTakenNames } from '@sluice/dialects/canon/tool-aliases'
import { traitsOf } from '@sluice/providers/capabilities/capabilities'
import { type Asked, type Conversation, JSON_CALL, JSON_STREAM } from '../calls/asked.ts'
import { bodyOf, inexpressible, type Rendition, type Source, type Towards } from './rendition.ts'
import { TranslatedReader } from './translated-reader.ts'

/** Answer tokens to ask for where a dialect must be told and nobody said: what most clients of such dialects send. */
const DEFAULT_MAX_TOKENS = 8_192

/** A conversation told to a provider in its own dialect. */
export function translate(source: Source, { route, way, model }: Towards, codec: UpstreamCodec): Rendition | Refusal {
  const { asked, accepted } = source
  const { conversation } = asked
  if (conversation === undefined) throw new Error('a call without a conversation')
  const told = source.conversation()
  if (isBodyRefusal(told)) return told
  const request = withSystemPrompt(told, route.channel.systemPrompt)
  const { stream } = asked
  const named = withTakenNames(request, codec.dialect)
  const encoded = codec.encodeRequest(named.request, {
    model,
    stream,
    takes: traitsOf(model),
    quirks: way.quirks,
    defaultMaxTokens: DEFAULT_MAX_TOKENS,
  })
  if (isInexpressible(encoded)) return inexpressible(encoded)
  const context: AnswerContext = {
    request,
    idSeed: accepted.id,
    created: Math.floor(accepted.received / 1_000),
    promptEstimate: Math.ceil(asked.promptBytes * TOKENS_PER_BYTE),
    usageAsked: conversation.usageAsked,
  }
  return {
    body: bodyOf(source.light(), way, encoded, stream),
    headers: [...headersFor(asked, conversation, codec), ...(encoded.headers ?? [])],
    stream,
    reader: new TranslatedReader(way.framing, codec, conversation.codec, context, named.aliases),
    losses: [...named.losses, ...encoded.losses],
  }
}

/** A conversation that is told anew in its own dialect keeps the headers of that: versions, beta features. */
function headersFor(asked: Asked, { dialect }: Conversation, codec: UpstreamCodec): readonly string[] {
  if (codec.dialect === dialect) return asked.headers
  return asked.stream ? JSON_STREAM : JSON_CALL
}

/** For display before there is a count. */
const TOKENS_PER_BYTE = 0.25

/** Takes the place of the first instruction, or stands where there is none. */
function withSystemPrompt(request: CanonRequest, prompt: string | null): CanonRequest {
  if (prompt === null || prompt === '') return request
  return { ...request, system: [{ kind: 'text', text: prompt }, ...request.system.slice(1)] }
}
