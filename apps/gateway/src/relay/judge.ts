import { type ChatReply, readReply } from '@sluice/dialects/openai-chat/reply'
import type { StageTimeouts } from '../outbound/guarded-agent.ts'
import { type Failure, failureOfCall, failureOfReport, failureOfStatus } from './failure.ts'
import type { CallStart, UpstreamCall } from './upstream-call.ts'

/** A whole reply that is an answer. */
export interface PlainAnswer {
  readonly body: Buffer
  readonly reply: ChatReply
}

/** Whether a started call is an answer; `plain` is undefined when events are streaming. */
export function judge(
  times: StageTimeouts,
  call: UpstreamCall,
  start: CallStart,
): { readonly plain: PlainAnswer | undefined } | Failure {
  switch (start.kind) {
    case 'stream':
      return { plain: undefined }
    case 'status':
      return failureOfStatus(call.status, start.body, call.retryAfter)
    case 'failed':
      if (start.failure.cause === 'reported') return failureOfReport(call.stream?.error, call.stream?.usage)
      return failureOfCall(start.failure, call.stream?.error, times)
    case 'plain': {
      const reply = readReply(start.body)
      if ('invalid' in reply) return failureOfCall({ cause: 'invalid', reason: reply.invalid }, undefined, times)
      return reply.error === undefined
        ? { plain: { body: start.body, reply } }
        : failureOfReport(reply.error, reply.usage)
    }
  }
}
