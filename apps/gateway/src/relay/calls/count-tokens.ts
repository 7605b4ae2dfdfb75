import type { Refusal } from '@sluice/contract/errors'
import { messagesClientCodec } from '@sluice/dialects/anthropic/codec'
import { readCountRequest, setSystem } from '@sluice/dialects/anthropic/request'
import { messagesVoice } from '@sluice/dialects/anthropic/voice'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { PathFacts } from '@sluice/dialects/canon/codec'
import { errorInside } from '@sluice/dialects/openai-chat/errors'
import { replaceText } from '@sluice/dialects/openai-chat/rewrite'
import { replyMembers } from '@sluice/dialects/reply-members'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import { anthropicHeaders } from './anthropic-headers.ts'
import { type Asked, type CallEdits, JSON_CALL, NOTHING_KEPT, plainCounts, type UsageBound } from './asked.ts'
import type { CallKind, ClientHeaders } from './calls.ts'

/** A call that asks for the size of a prompt. It makes no answer and costs nothing, so it is none of the paid kinds. */
export interface CountKind extends CallKind {
  /** The reply for a number that was counted here. */
  readonly tell: (tokens: number) => object
}

/** `/v1/messages/count_tokens` */
export const MESSAGES_COUNT: CountKind = {
  path: '/v1/messages/count_tokens',
  endpoint: 'claude_messages',
  body: 'json',
  read: readCount,
  tell: (tokens) => ({ input_tokens: tokens }),
}

function readCount(
  body: Buffer,
  _type: string | undefined,
  _facts: PathFacts,
  headers: ClientHeaders,
): Asked | BodyRefusal {
  const request = readCountRequest(body)
  return isBodyRefusal(request) ? request : new CountCall(request, headers)
}

type CountRequest = Exclude<ReturnType<typeof readCountRequest>, BodyRefusal>

class CountCall implements Asked {
  readonly path = MESSAGES_COUNT.path
  readonly voice = messagesVoice
  readonly conversation = {
    dialect: 'anthropic-messages',
    codec: messagesClientCodec,
    facts: {},
    usageAsked: false,
  } as const
  readonly hasText = false
  readonly stream = false
  readonly model: string
  readonly headers: readonly string[]
  readonly promptBytes: number
  readonly kept: NonNullable<Asked['kept']>
  private readonly request: CountRequest

  constructor(request: CountRequest, headers: ClientHeaders) {
    this.request = request
    this.model = request.model
    this.headers = [...JSON_CALL, ...anthropicHeaders(headers)]
    this.promptBytes = request.promptBytes
    const { references: objects, isThreaded } = request
    this.kept = { ...NOTHING_KEPT, objects, isThreaded }
  }

  bound(): UsageBound {
    return { counts: plainCounts(0, 0), open: false }
  }

  edits(_: Buffer, { model, systemPrompt }: CallEdits): readonly Splice[] | Refusal {
    const splices: Splice[] = []
    if (model !== this.model) splices.push(replaceText(this.request.spans.model, model))
    if (systemPrompt !== null && systemPrompt !== '') splices.push(setSystem(this.request, systemPrompt))
    return splices
  }

  openStream(): never {
    throw new Error('this call has no stream')
  }

  readAnswer(body: Buffer) {
    const reply = replyMembers(body)
    if ('invalid' in reply) return reply
    return { usage: undefined, error: errorInside(reply.members), delivered: undefined }
  }

  asEvents(body: Buffer): Uint8Array {
    return body
  }

  ownCounts(): TokenCounts {
    return plainCounts(0, 0)
  }
}
