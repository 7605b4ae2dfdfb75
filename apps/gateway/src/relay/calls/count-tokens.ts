import type { Refusal } from '@sluice/contract/errors'
import { messagesFormat } from '@sluice/dialects/anthropic/client-format'
import { messagesClientCodec } from '@sluice/dialects/anthropic/codec'
import { readCountRequest } from '@sluice/dialects/anthropic/request'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { PathFacts } from '@sluice/dialects/canon/codec'
import { errorInside } from '@sluice/dialects/canon/upstream-error'
import { replyMembers } from '@sluice/dialects/reply-members'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import { BodyCall } from './body-call.ts'
import type { CallKind, ClientHeaders } from './calls.ts'
import { anthropicHeaders, messageEdits } from './messages.ts'
import {
  type CallEdits,
  JSON_CALL,
  NOTHING_STORED,
  type ParsedCall,
  plainCounts,
  type UsageBound,
} from './parsed-call.ts'

/** A call that asks for a prompt's token count. It produces no answer and is free, so it is not one of the paid kinds. */
export interface CountKind extends CallKind {
  /** The reply with a number counted here. */
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
): ParsedCall | BodyRefusal {
  const request = readCountRequest(body)
  return isBodyRefusal(request) ? request : new CountCall(request, headers)
}

type CountRequest = Exclude<ReturnType<typeof readCountRequest>, BodyRefusal>

class CountCall extends BodyCall<CountRequest> implements ParsedCall {
  readonly path = MESSAGES_COUNT.path
  readonly format = messagesFormat
  readonly conversation = {
    dialect: 'anthropic-messages',
    codec: messagesClientCodec,
    facts: {},
    wantsUsage: false,
  } as const
  readonly hasText = false
  readonly storage: NonNullable<ParsedCall['storage']>

  constructor(request: CountRequest, headers: ClientHeaders) {
    super(request, [...JSON_CALL, ...anthropicHeaders(headers)])
    const { references: objects, isThreaded } = request
    this.storage = { ...NOTHING_STORED, objects, isThreaded }
  }

  bound(): UsageBound {
    return { counts: plainCounts(0, 0), open: false }
  }

  edits(body: Buffer, edits: CallEdits): readonly Splice[] | Refusal {
    return messageEdits(body, this.request, edits)
  }

  readAnswer(body: Buffer) {
    const reply = replyMembers(body)
    if ('invalid' in reply) return reply
    return { usage: undefined, error: errorInside(reply.members), delivered: undefined }
  }

  override ownCounts(): TokenCounts {
    return plainCounts(0, 0)
  }
}
