import type { Refusal } from '@sluice/contract/errors'
import { messagesFormat } from '@sluice/dialects/anthropic/client-format'
import { messagesClientCodec } from '@sluice/dialects/anthropic/codec'
import { MessageSniffer } from '@sluice/dialects/anthropic/events/message-sniffer'
import { messageAsEvents } from '@sluice/dialects/anthropic/events/reply-as-events'
import { readMessage } from '@sluice/dialects/anthropic/reply'
import { type MessagesRequest, readMessagesRequest } from '@sluice/dialects/anthropic/request'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { PathFacts } from '@sluice/dialects/canon/codec'
import { type AnswerStream, openAnswerStream } from '@sluice/dialects/framing/answer-stream'
import { asObject, parseJson } from '@sluice/dialects/json-value'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { Steering } from '@sluice/dialects/steering'
import { messagesEnd } from '@sluice/dialects/usage/counted-usage'
import type { Quote } from '@sluice/providers/prices/quote'
import { anthropicHeaders, strayBeta } from './anthropic-headers.ts'
import { BodyCall } from './body-call.ts'
import { outputBound, promptBound } from './call-bounds.ts'
import type { ClientHeaders } from './calls.ts'
import { messageEdits } from './message-edits.ts'
import {
  type ParsedCall,
  type CallEdits,
  JSON_CALL,
  JSON_STREAM,
  LOOKED_UP_TOKENS,
  NOTHING_STORED,
  plainCounts,
  type UsageBound,
} from './parsed-call.ts'

export const MESSAGES_PATH = '/v1/messages'

/** `/v1/messages` */
export function readMessages(
  body: Buffer,
  _type: string | undefined,
  _facts: PathFacts,
  headers: ClientHeaders,
): ParsedCall | BodyRefusal {
  const request = readMessagesRequest(body)
  return isBodyRefusal(request) ? request : (strayBeta(headers) ?? new MessagesCall(request, headers))
}

class MessagesCall extends BodyCall<MessagesRequest> implements ParsedCall {
  readonly path = MESSAGES_PATH
  readonly format = messagesFormat
  readonly conversation = {
    dialect: 'anthropic-messages',
    codec: messagesClientCodec,
    facts: {},
    wantsUsage: true,
  } as const
  readonly hasText = true
  readonly withUsage = messagesEnd
  readonly storage: NonNullable<ParsedCall['storage']>
  readonly steering: Steering

  constructor(request: MessagesRequest, headers: ClientHeaders) {
    super(request, [...(request.stream ? JSON_STREAM : JSON_CALL), ...anthropicHeaders(headers)])
    const { references: objects, isThreaded, isDiagnosed } = request
    this.storage = { ...NOTHING_STORED, objects, isThreaded, isStored: isThreaded || isDiagnosed }
    this.steering = request.steering
  }

  bound(quote: Quote, preConsumed: number): UsageBound {
    const { stream, maxOutput } = this.request
    const output = outputBound({ stream, maxOutput, n: 1 }, quote.maxOutput, preConsumed)
    const lookedUp = this.request.isThreaded && this.storage.objects.length > 0 ? LOOKED_UP_TOKENS : 0
    const prompt = Math.min(promptBound(this.request, quote.context) + lookedUp, quote.context ?? Infinity)
    return { counts: plainCounts(prompt, output.tokens), open: output.open }
  }

  edits(body: Buffer, edits: CallEdits): readonly Splice[] | Refusal {
    return messageEdits(body, this.request, edits)
  }

  override openStream(): AnswerStream {
    return openAnswerStream(new MessageSniffer())
  }

  readAnswer(body: Buffer) {
    return readMessage(body)
  }

  override asEvents(body: Buffer): Uint8Array {
    return messageAsEvents(asObject(parseJson(body.toString())) ?? {})
  }
}
