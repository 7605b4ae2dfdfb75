import type { ClientDialect } from '../../../packages/dialects/laws/client-dialects.ts'
import { CONTEXT, eventsOf, framesOf, streamOf } from '../../../packages/dialects/laws/views.ts'
import { messagesVoice } from '../../../packages/dialects/src/anthropic/voice.ts'
import type { Frame } from '../../../packages/dialects/src/canon/codec.ts'
import { type CanonReply, fold } from '../../../packages/dialects/src/canon/reply.ts'
import type { ClientVoice } from '../../../packages/dialects/src/client-voice.ts'
import { geminiVoice } from '../../../packages/dialects/src/gemini/voice.ts'
import type { JsonObject } from '../../../packages/dialects/src/json-value.ts'
import { openAiVoice } from '../../../packages/dialects/src/openai-chat/voice.ts'
import { responsesVoice } from '../../../packages/dialects/src/openai-responses/voice.ts'
import type { Recording } from './recordings.ts'

/** What a client hears of a recording: what it is streamed, and what it gets whole. */
export interface Heard {
  readonly frames: readonly Frame[]
  readonly streamed: CanonReply
  readonly body: JsonObject
  readonly whole: CanonReply
}

const VOICES: Readonly<Record<string, ClientVoice>> = {
  'openai-chat': openAiVoice,
  'openai-responses': responsesVoice,
  'anthropic-messages': messagesVoice,
  gemini: geminiVoice,
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

/** What a client hears of an answer that breaks off with an error: its message, in the client's own words. */
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
