import type { Refusal } from '@sluice/contract/errors'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { AnswerStream } from '@sluice/dialects/framing/answer-stream'
import { openChatStream } from '@sluice/dialects/openai-chat/chat-stream'
import { doneEvent } from '@sluice/dialects/openai-chat/errors'
import { readReply } from '@sluice/dialects/openai-chat/reply'
import { askUsage, replaceText } from '@sluice/dialects/openai-chat/rewrite'
import { openAiVoice } from '@sluice/dialects/openai-chat/voice'
import { completionsClientCodec } from '@sluice/dialects/openai-completions/codec'
import { type CompletionRequest, readCompletionRequest } from '@sluice/dialects/openai-completions/request'
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
  plainCounts,
  type UsageBound,
} from './asked.ts'
import { outputBound, promptBound } from './call-bounds.ts'

/** `/v1/completions`: the older call for text, with the events and the usage of chat. */
export function readCompletion(body: Buffer): Asked | BodyRefusal {
  const request = readCompletionRequest(body)
  return isBodyRefusal(request) ? request : new CompletionCall(request)
}

/** Providers without this call are asked for an answer to the prompt. */
const TOLD_AS_CHAT = { dialect: 'openai-chat', codec: completionsClientCodec, facts: {} } as const

class CompletionCall implements Asked {
  readonly path = '/v1/completions'
  readonly voice = openAiVoice
  readonly conversation: Conversation
  readonly hasText = true
  readonly model: string
  readonly stream: boolean
  readonly headers: readonly string[]
  readonly promptBytes: number
  readonly steering: Steering
  private readonly request: CompletionRequest

  constructor(request: CompletionRequest) {
    this.request = request
    this.model = request.model
    this.stream = request.stream
    this.headers = request.stream ? JSON_STREAM : JSON_CALL
    this.promptBytes = request.promptBytes
    this.steering = request.steering
    this.conversation = { ...TOLD_AS_CHAT, usageAsked: request.usageAsked }
  }

  bound(quote: Quote, preConsumed: number): UsageBound {
    const output = outputBound(this.request, quote.maxOutput, preConsumed)
    // Each prompt may fill the window by itself, so the window caps nothing here.
    return { counts: plainCounts(promptBound(this.request, undefined), output.tokens), open: output.open }
  }

  edits(body: Buffer, edits: CallEdits): readonly Splice[] | Refusal {
    const { spans, stream, usageAsked } = this.request
    const splices: Splice[] = []
    if (edits.model !== this.model) splices.push(replaceText(spans.model, edits.model))
    if (edits.askUsage && stream && !usageAsked) splices.push(askUsage(body, spans))
    return splices
  }

  openStream(): AnswerStream {
    return openChatStream({ usageAsked: this.request.usageAsked, n: this.request.choices })
  }

  readAnswer(body: Buffer) {
    return readReply(body)
  }

  /** A chunk looks like a reply here. */
  asEvents(body: Buffer): Uint8Array {
    const reply = JSON.parse(body.toString()) as Record<string, unknown>
    const { usage, ...chunk } = reply
    const events = this.request.usageAsked && usage !== undefined ? [chunk, { ...chunk, choices: [], usage }] : [chunk]
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    return Buffer.concat([Buffer.from(text), doneEvent()])
  }

  ownCounts({ prompt, output }: { readonly prompt: number; readonly output: number }): TokenCounts {
    return plainCounts(prompt, output)
  }
}
