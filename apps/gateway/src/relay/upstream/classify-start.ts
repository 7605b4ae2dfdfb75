import type { FollowUp } from '@sluice/dialects/canon/codec'
import type { StageTimeouts } from '../../outbound/guarded-agent.ts'
import type { AnswerReader, WholeAnswer } from '../calls/answer-reader.ts'
import { type Failure, failureOfCall, failureOfReport, failureOfStatus } from './failure.ts'
import type { CallStart, UpstreamCall } from './upstream-call.ts'

/** A whole reply that is an answer. */
export interface PlainAnswer {
  /** As the client gets it. */
  readonly body: Buffer
  readonly answer: WholeAnswer
}

/** Whether a started call is an answer; `plain` is undefined when events are streaming. `follow`: it will be one later. */
export function classifyStart(
  times: StageTimeouts,
  reader: AnswerReader,
  call: UpstreamCall,
  start: CallStart,
): { readonly plain: PlainAnswer | undefined } | { readonly follow: FollowUp } | Failure {
  switch (start.kind) {
    case 'stream':
      return { plain: undefined }
    case 'status':
      return failureOfStatus(call.status, start.body, call.waitMs)
    case 'failed':
      if (start.failure.cause === 'reported') return failureOfReport(call.stream?.error, call.stream?.report)
      return failureOfCall(start.failure, call.stream?.error, times)
    case 'plain': {
      const answer = reader.readAnswer(start.body, call.contentType)
      if ('follow' in answer) return answer
      if ('invalid' in answer) return failureOfCall({ cause: 'invalid', reason: answer.invalid }, undefined, times)
      return answer.error === undefined
        ? { plain: { body: answer.body ?? start.body, answer } }
        : failureOfReport(answer.error, answer.usage)
    }
  }
}
