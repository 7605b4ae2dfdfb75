import type { Refusal } from '@sluice/contract/errors'
import { cutBillingLine } from '@sluice/dialects/anthropic/billing-line'
import { messagesFormat } from '@sluice/dialects/anthropic/client-format'
import { messagesClientCodec } from '@sluice/dialects/anthropic/codec'
import { API_VERSION } from '@sluice/dialects/anthropic/encode-request'
import { MessageSniffer } from '@sluice/dialects/anthropic/events/message-sniffer'
import { messageAsEvents } from '@sluice/dialects/anthropic/events/reply-as-events'
import { readMessage } from '@sluice/dialects/anthropic/reply'
import { type MessagesRequest, readMessagesRequest, setSystem } from '@sluice/dialects/anthropic/request'
import { type BodyRefusal, invalidField, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { PathFacts } from '@sluice/dialects/canon/codec'
import { type AnswerStream, openAnswerStream } from '@sluice/dialects/framing/answer-stream'
import { asObject, parseJson } from '@sluice/dialects/json-value'
import { replaceText } from '@sluice/dialects/openai-chat/stream/rewrite'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { Steering } from '@sluice/dialects/steering'
import { messagesEnd } from '@sluice/dialects/usage/counted-usage'
import type { Quote } from '@sluice/providers/prices/quote'
import { BodyCall } from './body-call.ts'
import { outputBound, promptBound } from './call-bounds.ts'
import type { ClientHeaders } from './calls.ts'
import {
  type CallEdits,
  JSON_CALL,
  JSON_STREAM,
  LOOKED_UP_TOKENS,
  NOTHING_STORED,
  type ParsedCall,
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

export function messageEdits(
  body: Buffer,
  request: Pick<MessagesRequest, 'model' | 'spans'>,
  { model, systemPrompt, ownsDialect }: CallEdits,
): readonly Splice[] {
  const splices: Splice[] = []
  if (model !== request.model) splices.push(replaceText(request.spans.model, model))
  if (systemPrompt !== null && systemPrompt !== '') splices.push(setSystem(request, systemPrompt))
  else if (!ownsDialect) {
    const cut = cutBillingLine(body, request.spans.system)
    if (cut !== undefined) splices.push(cut)
  }
  return splices
}

/** Names of betas are short; a longer header means something else. */
const BETAS_MAX = 1_000
const BETA_NAMES = /^[\w.\-, ]+$/
const VERSION_DATE = /^\d{4}-\d{2}-\d{2}$/

/** The version that a client was written for, and the betas that its body uses, for providers that support them. */
export function anthropicHeaders(headers: ClientHeaders): readonly string[] {
  const [version, betas] = [single(headers['anthropic-version']), single(headers['anthropic-beta'])]
  const translated = betas.length <= BETAS_MAX && BETA_NAMES.test(betas) ? ['anthropic-beta', betas] : []
  return ['anthropic-version', VERSION_DATE.test(version) ? version : API_VERSION, ...translated]
}

/** The advisor is a second model in an answer, named by a tool in the body; only the beta identifies that tool. */
function strayBeta(headers: ClientHeaders): BodyRefusal | undefined {
  const hasAdvisor = /advisor/i.test(single(headers['anthropic-beta']))
  return hasAdvisor
    ? invalidField('anthropic-beta', 'must not request an advisor: its model is not checked or priced here')
    : undefined
}

function single(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' ? header : (header ?? []).join(',')
}
