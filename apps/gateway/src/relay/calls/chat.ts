import type { Refusal } from '@sluice/contract/errors'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { AnswerStream } from '@sluice/dialects/framing/answer-stream'
import { openChatStream } from '@sluice/dialects/openai-chat/chat-stream'
import { chatClientCodec } from '@sluice/dialects/openai-chat/codec'
import { type ChatRequest, identifyChat } from '@sluice/dialects/openai-chat/identify'
import { readReply } from '@sluice/dialects/openai-chat/reply'
import { rewriteChat } from '@sluice/dialects/openai-chat/rewrite'
import { openAiVoice } from '@sluice/dialects/openai-chat/voice'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { Steering } from '@sluice/dialects/steering'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import type { Quote } from '@sluice/providers/prices/quote'
import {
  type Asked,
  type CallEdits,
  type Conversation,
  JSON_CALL,
  JSON_STREAM,
  namingObjects,
  plainCounts,
  type UsageBound,
} from './asked.ts'
import { outputBound, promptBound } from './call-bounds.ts'
import { replyAsEvents } from './reply-as-events.ts'

export const CHAT_PATH = '/v1/chat/completions'

/** `/v1/chat/completions` */
export function readChat(body: Buffer): Asked | BodyRefusal {
  const request = identifyChat(body)
  return isBodyRefusal(request) ? request : new ChatCall(request)
}

const WITHOUT_USAGE: Conversation = { dialect: 'openai-chat', codec: chatClientCodec, facts: {}, usageAsked: false }
const WITH_USAGE: Conversation = { ...WITHOUT_USAGE, usageAsked: true }

class ChatCall implements Asked {
  readonly path = CHAT_PATH
  readonly voice = openAiVoice
  readonly conversation: Conversation
  readonly hasText = true
  readonly model: string
  readonly stream: boolean
  readonly headers: readonly string[]
  readonly promptBytes: number
  readonly kept: Asked['kept']
  readonly steering: Steering
  private readonly request: ChatRequest

  constructor(request: ChatRequest) {
    this.request = request
    this.model = request.model
    this.stream = request.stream
    this.headers = request.stream ? JSON_STREAM : JSON_CALL
    this.promptBytes = request.promptBytes
    this.kept = namingObjects(request.references)
    this.steering = request.steering
    this.conversation = request.usageAsked ? WITH_USAGE : WITHOUT_USAGE
  }

  bound(quote: Quote, preConsumed: number): UsageBound {
    const output = outputBound(this.request, quote.maxOutput, preConsumed)
    return { counts: plainCounts(promptBound(this.request, quote.context), output.tokens), open: output.open }
  }

  edits(body: Buffer, { model, askUsage, systemPrompt }: CallEdits): readonly Splice[] | Refusal {
    return rewriteChat(body, this.request, { model, askUsage, ...(systemPrompt === null ? {} : { systemPrompt }) })
  }

  openStream(): AnswerStream {
    return openChatStream(this.request)
  }

  readAnswer(body: Buffer) {
    return readReply(body)
  }

  asEvents(body: Buffer): Uint8Array {
    return replyAsEvents(body, this.request.usageAsked)
  }

  ownCounts({ prompt, output }: { readonly prompt: number; readonly output: number }): TokenCounts {
    return plainCounts(prompt, output)
  }
}
