import type { Refusal } from '@sluice/contract/errors'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { PathFacts } from '@sluice/dialects/canon/codec'
import type { ClientFormat } from '@sluice/dialects/client-format'
import { type AnswerStream, openAnswerStream } from '@sluice/dialects/framing/answer-stream'
import { geminiFormatFor } from '@sluice/dialects/gemini/client-format'
import { geminiClientCodec } from '@sluice/dialects/gemini/codec'
import { renameModels, strayModel } from '@sluice/dialects/gemini/named-models'
import { geminiReplyAsEvents, readGeminiReply } from '@sluice/dialects/gemini/reply'
import { type GeminiRequest, readGeminiRequest, setSystemInstruction } from '@sluice/dialects/gemini/request'
import { openArrayStream } from '@sluice/dialects/gemini/stream/array-stream'
import { GeminiSniffer } from '@sluice/dialects/gemini/stream/gemini-sniffer'
import type { GeminiFraming } from '@sluice/dialects/gemini/stream/stream-framing'
import { readModel } from '@sluice/dialects/request-fields'
import type { Splice } from '@sluice/dialects/splice/splice'
import { geminiEnd } from '@sluice/dialects/usage/counted-usage'
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

/** `models/{model}:generateContent` and `models/{model}:streamGenerateContent` */
export function readGenerate(body: Buffer, _: string | undefined, facts: PathFacts): ParsedCall | BodyRefusal {
  const model = readModel(facts.model ?? null)
  if (typeof model !== 'string') return model
  const request = readGeminiRequest(body)
  if (isBodyRefusal(request)) return request
  return strayModel(body, request, model) ?? new GenerateCall(request, { ...facts, model })
}

class GenerateCall
  extends BodyCall<GeminiRequest & { readonly model: string; readonly stream: boolean }>
  implements ParsedCall
{
  readonly path: string
  readonly format: ClientFormat
  readonly conversation: Conversation
  readonly hasText = true
  readonly storage: ParsedCall['storage']
  readonly withUsage = geminiEnd
  readonly #framing: GeminiFraming

  constructor(request: GeminiRequest, facts: PathFacts & { readonly model: string }) {
    const { model, stream = false, framing = 'sse' } = facts
    super({ ...request, model, stream })
    this.#framing = framing
    this.path = `/v1beta/models/${model}:${stream ? 'streamGenerateContent' : 'generateContent'}`
    this.format = geminiFormatFor(framing)
    this.conversation = { dialect: 'gemini', codec: geminiClientCodec(framing), facts, wantsUsage: true }
    this.storage = namingObjects(request.references)
  }

  bound(quote: Quote, preConsumed: number): UsageBound {
    const { stream } = this
    const { maxOutput, n } = this.request
    const output = outputBound({ stream, maxOutput, n }, quote.maxOutput, preConsumed)
    return { counts: plainCounts(promptBound(this.request, quote.context), output.tokens), open: output.open }
  }

  /** The model is in the path, which the adapter writes; few bodies repeat it. */
  edits(_: Buffer, { model, systemPrompt }: CallEdits): readonly Splice[] | Refusal {
    const renamed = model === this.model ? [] : renameModels(this.request, model)
    return systemPrompt === null || systemPrompt === ''
      ? renamed
      : [...renamed, setSystemInstruction(this.request, systemPrompt)]
  }

  /** Events are requested from providers, whichever form the client wants. */
  override openStream(): AnswerStream {
    const events = openAnswerStream(new GeminiSniffer(this.request.n))
    return this.#framing === 'sse' ? events : openArrayStream(events)
  }

  readAnswer(body: Buffer) {
    return readGeminiReply(body)
  }

  override asEvents(body: Buffer): Uint8Array {
    return geminiReplyAsEvents(body, this.#framing)
  }
}
