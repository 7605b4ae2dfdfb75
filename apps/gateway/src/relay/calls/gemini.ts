import type { Refusal } from '@sluice/contract/errors'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { PathFacts } from '@sluice/dialects/canon/codec'
import type { ClientVoice } from '@sluice/dialects/client-voice'
import { type AnswerStream, openAnswerStream } from '@sluice/dialects/framing/answer-stream'
import { openArrayStream } from '@sluice/dialects/gemini/array-stream'
import { geminiClientCodec } from '@sluice/dialects/gemini/codec'
import { GeminiSniffer } from '@sluice/dialects/gemini/gemini-sniffer'
import { renameModels, strayModel } from '@sluice/dialects/gemini/named-models'
import { geminiReplyAsEvents, readGeminiReply } from '@sluice/dialects/gemini/reply'
import { type GeminiRequest, readGeminiRequest, setSystemInstruction } from '@sluice/dialects/gemini/request'
import type { GeminiFraming } from '@sluice/dialects/gemini/stream-framing'
import { geminiVoiceFor } from '@sluice/dialects/gemini/voice'
import { readModel } from '@sluice/dialects/request-fields'
import type { Splice } from '@sluice/dialects/splice/splice'
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

/** `models/{model}:generateContent` and `models/{model}:streamGenerateContent` */
export function readGenerate(body: Buffer, _: string | undefined, facts: PathFacts): Asked | BodyRefusal {
  const model = readModel(facts.model ?? null)
  if (typeof model !== 'string') return model
  const request = readGeminiRequest(body)
  if (isBodyRefusal(request)) return request
  return strayModel(body, request, model) ?? new GenerateCall(request, { ...facts, model })
}

class GenerateCall implements Asked {
  readonly path: string
  readonly voice: ClientVoice
  readonly conversation: Conversation
  readonly hasText = true
  readonly model: string
  readonly stream: boolean
  readonly headers: readonly string[]
  readonly promptBytes: number
  readonly kept: Asked['kept']
  private readonly request: GeminiRequest
  private readonly framing: GeminiFraming

  constructor(request: GeminiRequest, facts: PathFacts & { readonly model: string }) {
    const { model, stream = false, framing = 'sse' } = facts
    this.request = request
    this.framing = framing
    this.path = `/v1beta/models/${model}:${stream ? 'streamGenerateContent' : 'generateContent'}`
    this.voice = geminiVoiceFor(framing)
    this.conversation = { dialect: 'gemini', codec: geminiClientCodec(framing), facts, usageAsked: true }
    this.model = model
    this.stream = stream
    this.headers = stream ? JSON_STREAM : JSON_CALL
    this.promptBytes = request.promptBytes
    this.kept = namingObjects(request.references)
  }

  bound(quote: Quote, preConsumed: number): UsageBound {
    const { stream } = this
    const { maxOutput, n } = this.request
    const output = outputBound({ stream, maxOutput, n }, quote.maxOutput, preConsumed)
    return { counts: plainCounts(promptBound(this.request, quote.context), output.tokens), open: output.open }
  }

  /** The model stands in the path, which the way makes; few bodies repeat it. */
  edits(_: Buffer, { model, systemPrompt }: CallEdits): readonly Splice[] | Refusal {
    const renamed = model === this.model ? [] : renameModels(this.request, model)
    return systemPrompt === null || systemPrompt === ''
      ? renamed
      : [...renamed, setSystemInstruction(this.request, systemPrompt)]
  }

  /** Providers are asked for events, whatever the client wants to see. */
  openStream(): AnswerStream {
    const events = openAnswerStream(new GeminiSniffer(this.request.n))
    return this.framing === 'sse' ? events : openArrayStream(events)
  }

  readAnswer(body: Buffer) {
    return readGeminiReply(body)
  }

  asEvents(body: Buffer): Uint8Array {
    return geminiReplyAsEvents(body, this.framing)
  }

  ownCounts({ prompt, output }: { readonly prompt: number; readonly output: number }): TokenCounts {
    return plainCounts(prompt, output)
  }
}
