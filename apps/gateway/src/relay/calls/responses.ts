import type { Refusal } from '@sluice/contract/errors'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { ClientCodec } from '@sluice/dialects/canon/codec'
import type { Loss } from '@sluice/dialects/canon/losses'
import type { ClientFormat } from '@sluice/dialects/client-format'
import { type AnswerStream, openAnswerStream } from '@sluice/dialects/framing/answer-stream'
import { asObject, parseJson } from '@sluice/dialects/json-value'
import { replaceText } from '@sluice/dialects/openai-chat/stream/rewrite'
import { foregroundBody } from '@sluice/dialects/openai-responses/background/pending-response'
import { responsesFormat } from '@sluice/dialects/openai-responses/client-format'
import { responsesClientCodec } from '@sluice/dialects/openai-responses/codec'
import {
  compactionCodec,
  openSummaryText,
  type Seal,
} from '@sluice/dialects/openai-responses/compaction/compaction-codec'
import { readResponse } from '@sluice/dialects/openai-responses/reply'
import { responseAsEvents } from '@sluice/dialects/openai-responses/reply-as-events'
import { readResponsesRequest, type ResponsesRequest, setInstructions } from '@sluice/dialects/openai-responses/request'
import { ResponseSniffer } from '@sluice/dialects/openai-responses/response-sniffer'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { Steering } from '@sluice/dialects/steering'
import { responsesEnd, type WithUsage } from '@sluice/dialects/usage/counted-usage'
import type { Quote } from '@sluice/providers/prices/quote'
import { BodyCall } from './body-call.ts'
import { outputBound, promptBound } from './call-bounds.ts'
import {
  type ParsedCall,
  type CallEdits,
  type Compaction,
  type Conversation,
  LOOKED_UP_TOKENS,
  plainCounts,
  type UsageBound,
} from './parsed-call.ts'

export const RESPONSES_PATH = '/v1/responses'
export const PREVIOUS = 'previous_response_id'

export const RESPONSES_CONVERSATION: Conversation = {
  dialect: 'openai-responses',
  codec: responsesClientCodec,
  facts: {},
  wantsUsage: true,
}
/** `/v1/responses` */
export function readResponses(body: Buffer): ParsedCall | BodyRefusal {
  const request = readResponsesRequest(body)
  return isBodyRefusal(request) ? request : new ResponsesCall(request)
}

/** Reads a body whose references were replaced with earlier items; `lost` are references whose items no longer exist. */
export function readRecalled(body: Buffer, lost: readonly Loss[]): ParsedCall | BodyRefusal {
  const request = readResponsesRequest(body)
  return isBodyRefusal(request) ? request : new ResponsesCall(request, lost)
}

export class ResponsesCall extends BodyCall<ResponsesRequest> implements ParsedCall {
  readonly path: string = RESPONSES_PATH
  readonly format: ClientFormat = responsesFormat
  readonly conversation: Conversation = RESPONSES_CONVERSATION
  readonly hasText: boolean = true
  readonly withUsage: WithUsage | undefined = responsesEnd
  readonly steering: Steering
  readonly storage: NonNullable<ParsedCall['storage']>

  constructor(request: ResponsesRequest, lost: readonly Loss[] = []) {
    super(request)
    const { isStored, references, objects, hasTranslatedReasoning } = request
    this.storage = { isStored, isThreaded: false, references, objects, hasTranslatedReasoning, lost }
    this.steering = request.steering
  }

  get foreground(): ParsedCall['foreground'] {
    return this.request.background ? (body) => foregroundBody(body, this.request) : undefined
  }

  get compaction(): Compaction | undefined {
    const { summaries: sealed, wantsSummary } = this.request
    if (sealed.length === 0 && !wantsSummary) return undefined
    return { sealed, sealing: wantsSummary ? (seal) => this.summarising(seal) : undefined }
  }

  protected summarising(seal: Seal): ParsedCall {
    return new SummarisingCall(this.request, this.storage.lost, compactionCodec(seal, false))
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

  override openStream(): AnswerStream {
    return openAnswerStream(new ResponseSniffer())
  }

  readAnswer(body: Buffer) {
    return readResponse(body)
  }

  override asEvents(body: Buffer): Uint8Array {
    return responseAsEvents(asObject(parseJson(body.toString())) ?? {})
  }
}

/** Creates a summary of the conversation if the provider does not do so itself. */
class SummarisingCall extends ResponsesCall {
  override readonly format = { ...responsesFormat, openText: openSummaryText }
  override readonly conversation: Conversation

  constructor(request: ResponsesRequest, lost: readonly Loss[], codec: ClientCodec) {
    super(request, lost)
    this.conversation = { ...RESPONSES_CONVERSATION, codec }
  }

  /** The whole summary arrives at once, so the hold cannot grow while it is being written. */
  override bound(quote: Quote, preConsumed: number): UsageBound {
    return super.bound(quote, Math.max(preConsumed, SUMMARY_TOKENS))
  }
}

/** The least number of tokens held for a summary without a cap. */
const SUMMARY_TOKENS = 8_192
