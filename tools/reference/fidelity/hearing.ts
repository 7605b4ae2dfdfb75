import type { ClientDialect } from '../../../packages/dialects/laws/client-dialects.ts'
import { CONTEXT, eventsOf, framesOf, streamOf } from '../../../packages/dialects/laws/views.ts'
import { messagesFormat } from '../../../packages/dialects/src/anthropic/client-format.ts'
import type { Frame } from '../../../packages/dialects/src/canon/codec.ts'
import { type CanonReply, fold } from '../../../packages/dialects/src/canon/reply.ts'
import type { ClientFormat } from '../../../packages/dialects/src/client-format.ts'
import { geminiFormat } from '../../../packages/dialects/src/gemini/client-format.ts'
import type { JsonObject } from '../../../packages/dialects/src/json-value.ts'
import { openAiFormat } from '../../../packages/dialects/src/openai-chat/client-format.ts'
import { responsesFormat } from '../../../packages/dialects/src/openai-responses/client-format.ts'
import type { Recording } from './recordings.ts'

export interface Heard {
  readonly frames: readonly Frame[]
  readonly streamed: CanonReply
  readonly body: JsonObject
  readonly whole: CanonReply
}

const VOICES: Readonly<Record<string, ClientFormat>> = {
  'openai-chat': openAiFormat,
  'openai-responses': responsesFormat,
  'anthropic-messages': messagesFormat,
  gemini: geminiFormat,
}

export function hear({ client, upstream }: ClientDialect, { events, reply }: Recording): Heard {
  const frames = framesOf(streamOf(client, events, reply.usage?.counts))
  const body = client.encodeReply(reply, CONTEXT)
  return {
    frames,
    body,
    streamed: fold(eventsOf(upstream.openDecoder(), frames)),
    whole: fold(upstream.decodeReply(body)),
  }
}

/** What a client receives of an answer that breaks off with an error: its message, as worded in the client's format. */
export function hearError(
  { client, upstream, dialect }: ClientDialect,
  { events, reply }: Recording,
): string | undefined {
  const encoder = client.openEncoder(CONTEXT)
  const sent = events.flatMap((event) =>
    event.type === 'usage' || event.type === 'finish' || event.type === 'error' ? [] : encoder.push(event),
  )
  const error = { message: reply.error?.message ?? '', type: 'server_error', code: 'upstream_error' }
  const last = VOICES[dialect]?.encodeStreamError(error, 502, 'id')
  const frames = [...sent, ...(last === undefined ? [] : [last])].flatMap((bytes) => framesOf(bytes))
  return fold(eventsOf(upstream.openDecoder(), frames)).error?.message
}
