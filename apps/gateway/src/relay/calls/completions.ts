import type { Refusal } from '@sluice/contract/errors'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import { doneEvent } from '@sluice/dialects/canon/upstream-error'
import type { AnswerStream } from '@sluice/dialects/framing/answer-stream'
import { openAiFormat } from '@sluice/dialects/openai-chat/client-format'
import { readReply } from '@sluice/dialects/openai-chat/reply'
import { openChatStream } from '@sluice/dialects/openai-chat/stream/chat-sniffer'
import { askUsage, replaceText } from '@sluice/dialects/openai-chat/stream/rewrite'
import { completionsClientCodec } from '@sluice/dialects/openai-completions/codec'
import { type CompletionRequest, readCompletionRequest } from '@sluice/dialects/openai-completions/request'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { Steering } from '@sluice/dialects/steering'
import { chatEnd, type WithUsage } from '@sluice/dialects/usage/counted-usage'
import type { Quote } from '@sluice/providers/prices/quote'
import { BodyCall } from './body-call.ts'
import { outputBound, promptBound } from './call-bounds.ts'
import { type ParsedCall, type CallEdits, type Conversation, plainCounts, type UsageBound } from './parsed-call.ts'

/** `/v1/completions`: the older call for text, with the events and the usage of chat. */
export function readCompletion(body: Buffer): ParsedCall | BodyRefusal {
  const request = readCompletionRequest(body)
  return isBodyRefusal(request) ? request : new CompletionCall(request)
}

/** Providers without this call are sent the prompt as a chat. */
const TRANSLATED_AS_CHAT = { dialect: 'openai-chat', codec: completionsClientCodec, facts: {} } as const

class CompletionCall extends BodyCall<CompletionRequest> implements ParsedCall {
  readonly path = '/v1/completions'
  readonly format = openAiFormat
  readonly conversation: Conversation
  readonly hasText = true
  readonly steering: Steering

  constructor(request: CompletionRequest) {
    super(request)
    this.steering = request.steering
    this.conversation = { ...TRANSLATED_AS_CHAT, wantsUsage: request.wantsUsage }
  }

  bound(quote: Quote, preConsumed: number): UsageBound {
    const output = outputBound(this.request, quote.maxOutput, preConsumed)
    // Each prompt can fill the window, so the window caps nothing here.
    return { counts: plainCounts(promptBound(this.request, undefined), output.tokens), open: output.open }
  }

  edits(body: Buffer, edits: CallEdits): readonly Splice[] | Refusal {
    const { spans, stream, wantsUsage } = this.request
    const splices: Splice[] = []
    if (edits.model !== this.model) splices.push(replaceText(spans.model, edits.model))
    if (edits.askUsage && stream && !wantsUsage) splices.push(askUsage(body, spans))
    return splices
  }

  withUsage: WithUsage = (end, counts) => {
    const { model, wantsUsage } = this.request
    return chatEnd({ object: 'text_completion', model, wantsUsage }, end, counts)
  }

  override openStream(): AnswerStream {
    const { wantsUsage, choices } = this.request
    return openChatStream({ wantsUsage, n: choices, dropsNull: !wantsUsage })
  }

  readAnswer(body: Buffer) {
    return readReply(body)
  }

  /** In this dialect a chunk has the shape of a reply. */
  override asEvents(body: Buffer): Uint8Array {
    const reply = JSON.parse(body.toString()) as Record<string, unknown>
    const { usage, ...chunk } = reply
    const events = this.request.wantsUsage && usage !== undefined ? [chunk, { ...chunk, choices: [], usage }] : [chunk]
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    return Buffer.concat([Buffer.from(text), doneEvent()])
  }
}
