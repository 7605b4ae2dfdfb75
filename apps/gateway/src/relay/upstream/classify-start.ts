import type { FollowUp } from '@sluice/dialects/canon/codec'
import type { FailingKind } from '@sluice/providers/failures/fault-of'
import type { StageTimeouts } from '../../outbound/guarded-agent.ts'
import type { AnswerReader } from '../calls/answer-reader.ts'
import type { PlainAnswer } from '../stages/answered.ts'
import { type Failure, failureOfCall, failureOfReport, failureOfStatus } from './failure.ts'
import type { CallStart, UpstreamCall } from './upstream-call.ts'

export interface StartedRequest {
  readonly reader: AnswerReader
  readonly kind: FailingKind
}

/** Classifies a started call. `plain` is undefined when events are streaming; `follow` means that the answer comes later. */
export function classifyStart(
  times: StageTimeouts,
  { reader, kind }: StartedRequest,
  call: UpstreamCall,
  start: CallStart,
): { readonly plain: PlainAnswer | undefined } | { readonly follow: FollowUp } | Failure {
  switch (start.kind) {
    case 'stream':
      return { plain: undefined }
    case 'status':
      return failureOfStatus(kind, call.status, start.body, call.waitMs)
    case 'failed':
      return start.failure.cause === 'reported'
        ? failureOfReport(kind, call.stream?.error, call.stream?.report)
        : failureOfCall(start.failure, times)
    case 'plain': {
      const answer = reader.readAnswer(start.body, call.contentType)
      if ('follow' in answer) return answer
      if ('invalid' in answer) return failureOfCall({ cause: 'invalid', reason: answer.invalid }, times)
      return answer.error === undefined
        ? { plain: { body: answer.body ?? start.body, answer } }
        : failureOfReport(kind, answer.error, answer.usage)
    }
  }
}
