import type { Refusal } from '@sluice/contract/errors'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { Loss } from '@sluice/dialects/canon/losses'
import { type AnswerStream, openAnswerStream } from '@sluice/dialects/framing/answer-stream'
import { asObject, parseJson } from '@sluice/dialects/json-value'
import { replaceText } from '@sluice/dialects/openai-chat/rewrite'
import { responsesClientCodec } from '@sluice/dialects/openai-responses/codec'
import { readResponse } from '@sluice/dialects/openai-responses/reply'
import { responseAsEvents } from '@sluice/dialects/openai-responses/reply-as-events'
import { readResponsesRequest, type ResponsesRequest, setInstructions } from '@sluice/dialects/openai-responses/request'
import { ResponseSniffer } from '@sluice/dialects/openai-responses/response-sniffer'
import { responsesVoice } from '@sluice/dialects/openai-responses/voice'
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
  LOOKED_UP_TOKENS,
  plainCounts,
  type UsageBound,
} from './asked.ts'
import { outputBound, promptBound } from './call-bounds.ts'

export const RESPONSES_PATH = '/v1/responses'

export const RESPONSES_CONVERSATION: Conversation = {
  dialect: 'openai-responses',
  codec: responsesClientCodec,
  facts: {},
  usageAsked: true,
}
/** `/v1/responses` */
export function readResponses(body: Buffer): Asked | BodyRefusal {
  const request = readResponsesRequest(body)
  return isBodyRefusal(request) ? request : new ResponsesCall(request)
}

/** The same once earlier items stand in the place of references; `lost` are those that are gone. */
export function readRecalled(body: Buffer, lost: readonly Loss[]): Asked | BodyRefusal {
  const request = readResponsesRequest(body)
  return isBodyRefusal(request) ? request : new ResponsesCall(request, lost)
}

class ResponsesCall implements Asked {
  readonly path = RESPONSES_PATH
  readonly voice = responsesVoice
  readonly conversation = RESPONSES_CONVERSATION
  readonly hasText = true
  readonly model: string
  readonly stream: boolean
  readonly headers: readonly string[]
  readonly promptBytes: number
  readonly steering: Steering
  readonly kept: NonNullable<Asked['kept']>
  private readonly request: ResponsesRequest

  constructor(request: ResponsesRequest, lost: readonly Loss[] = []) {
    const { isKept, references, objects, hasToldReasoning } = request
    this.request = request
    this.kept = { isKept, isThreaded: false, references, objects, hasToldReasoning, lost }
    this.model = request.model
    this.stream = request.stream
    this.headers = request.stream ? JSON_STREAM : JSON_CALL
    this.promptBytes = request.promptBytes
    this.steering = request.steering
  }

  bound(quote: Quote, preConsumed: number): UsageBound {
    const { stream, maxOutput } = this.request
    const output = outputBound({ stream, maxOutput, n: 1 }, quote.maxOutput, preConsumed)
    const { references } = this.request
    const lookedUp = references.length === 0 ? 0 : LOOKED_UP_TOKENS
    const prompt = Math.min(promptBound(this.request, quote.context) + lookedUp, quote.context ?? Infinity)
    return { counts: plainCounts(prompt, output.tokens), open: output.open }
  }

  edits(_: Buffer, { model, systemPrompt }: CallEdits): readonly Splice[] | Refusal {
    const splices: Splice[] = []
    if (model !== this.model) splices.push(replaceText(this.request.spans.model, model))
    if (systemPrompt !== null && systemPrompt !== '') splices.push(setInstructions(this.request, systemPrompt))
    return splices
  }

  openStream(): AnswerStream {
    return openAnswerStream(new ResponseSniffer())
  }

  readAnswer(body: Buffer) {
    return readResponse(body)
  }

  asEvents(body: Buffer): Uint8Array {
    return responseAsEvents(asObject(parseJson(body.toString())) ?? {})
  }

  ownCounts({ prompt, output }: { readonly prompt: number; readonly output: number }): TokenCounts {
    return plainCounts(prompt, output)
  }
}
