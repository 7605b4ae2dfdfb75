import type { Refusal } from '@sluice/contract/errors'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { AnswerStream } from '@sluice/dialects/framing/answer-stream'
import { openAiFormat } from '@sluice/dialects/openai-chat/client-format'
import { chatClientCodec } from '@sluice/dialects/openai-chat/codec'
import { type ChatRequest, identifyChat } from '@sluice/dialects/openai-chat/identify'
import { readReply } from '@sluice/dialects/openai-chat/reply'
import { openChatStream } from '@sluice/dialects/openai-chat/stream/chat-sniffer'
import { rewriteChat } from '@sluice/dialects/openai-chat/stream/rewrite'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { Steering } from '@sluice/dialects/steering'
import { chatEnd, type WithUsage } from '@sluice/dialects/usage/counted-usage'
import type { Quote } from '@sluice/providers/prices/quote'
import { BodyCall } from './body-call.ts'
import { outputBound, promptBound } from './call-bounds.ts'
import {
  type ParsedCall,
  type CallEdits,
  type Conversation,
  namingObjects,
  plainCounts,
  type UsageBound,
} from './parsed-call.ts'
import { replyAsEvents } from './reply-as-events.ts'

export const CHAT_PATH = '/v1/chat/completions'

/** `/v1/chat/completions` */
export function readChat(body: Buffer): ParsedCall | BodyRefusal {
  const request = identifyChat(body)
  return isBodyRefusal(request) ? request : new ChatCall(request)
}

const WITHOUT_USAGE: Conversation = { dialect: 'openai-chat', codec: chatClientCodec, facts: {}, wantsUsage: false }
const WITH_USAGE: Conversation = { ...WITHOUT_USAGE, wantsUsage: true }

class ChatCall extends BodyCall<ChatRequest> implements ParsedCall {
  readonly path = CHAT_PATH
  readonly format = openAiFormat
  readonly conversation: Conversation
  readonly hasText = true
  readonly storage: ParsedCall['storage']
  readonly steering: Steering

  constructor(request: ChatRequest) {
    super(request)
    this.storage = namingObjects(request.references)
    this.steering = request.steering
    this.conversation = request.wantsUsage ? WITH_USAGE : WITHOUT_USAGE
  }

  bound(quote: Quote, preConsumed: number): UsageBound {
    const output = outputBound(this.request, quote.maxOutput, preConsumed)
    return { counts: plainCounts(promptBound(this.request, quote.context), output.tokens), open: output.open }
  }

  edits(body: Buffer, { model, askUsage, systemPrompt }: CallEdits): readonly Splice[] | Refusal {
    return rewriteChat(body, this.request, { model, askUsage, ...(systemPrompt === null ? {} : { systemPrompt }) })
  }

  withUsage: WithUsage = (end, counts) => {
    const { model, wantsUsage } = this.request
    return chatEnd(
      { object: end.isStream ? 'chat.completion.chunk' : 'chat.completion', model, wantsUsage },
      end,
      counts,
    )
  }

  override openStream(): AnswerStream {
    return openChatStream({ ...this.request, dropsNull: !this.request.wantsUsage })
  }

  readAnswer(body: Buffer) {
    return readReply(body)
  }

  override asEvents(body: Buffer): Uint8Array {
    return replyAsEvents(body, this.request.wantsUsage)
  }
}
