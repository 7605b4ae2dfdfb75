import { ERRORS, type Refusal } from '@sluice/contract/errors'
import { readUpstreamError, type UpstreamError, type WireError } from '@sluice/dialects/canon/upstream-error'
import { mapTexts, retryDelay, waitDetails } from '@sluice/dialects/error-details'
import type { UsageReport } from '@sluice/dialects/usage/usage-report'
import type { FailingKind } from '@sluice/providers/failures/fault-of'
import type { StageTimeouts } from '../../outbound/guarded-agent.ts'
import type { FailureReply, VendorError } from '../stages/failure-reply.ts'
import { type FailedAnswer, failedAnswer, type FailureCause } from './failure-cause.ts'
import { boundedWait } from './reply-times.ts'
import type { CallFailure } from './upstream-call.ts'

/** Why a call gave no answer, and what the client receives if it was the last one. */
export interface Failure {
  readonly cause: FailureCause
  readonly reply: FailureReply
  /** Another channel may succeed. */
  readonly retry: boolean
  /** The connection was closed before any byte arrived, perhaps a kept-alive one that the provider had just closed. */
  readonly wasClosed: boolean
  /** For the operator only, as the end of a sentence. */
  readonly detail?: string
  /** Milliseconds that the provider asked us to wait. */
  readonly waitMs?: number | undefined
  /** The provider's message for the operator, if it is not shown to the client. Never contains a key. */
  readonly said?: string
  /** The usage reported with an error that had a success status. */
  readonly usage?: UsageReport | undefined
}

export const refused = (refusal: Refusal): Failure => ({
  cause: 'request',
  reply: { refusal },
  retry: false,
  wasClosed: false,
})

export function failureOfCall(
  failure: Exclude<CallFailure, { readonly cause: 'reported' }>,
  times: StageTimeouts,
): Failure {
  switch (failure.cause) {
    case 'timeout':
      return retryLater({ code: 'upstream_timeout', params: { seconds: secondsOf(failure.stage, times) } })
    case 'broken':
      return retryLater({ code: 'upstream_broken', params: { reason: failure.reason } })
    case 'invalid':
      return retryLater({ code: 'upstream_invalid', params: { reason: failure.reason } })
    case 'closed':
      return { ...retryLater({ code: 'upstream_unreachable' }), wasClosed: true }
    case 'unreachable':
      return retryLater({ code: 'upstream_unreachable' })
    case 'forbidden':
      return { ...retryLater({ code: 'upstream_unreachable' }), cause: 'setup' }
    case 'cancelled':
      return { ...retryLater({ code: 'upstream_unreachable' }), cause: 'stopped' }
    case 'no_files':
      return noFiles()
    case 'no_memory':
      return noMemory(failure.refusal)
  }
}

/** Our own limit: the channel is not at fault, and no other could be reached either. */
const noFiles = (): Failure => ({
  ...retryLater({ code: 'overloaded', params: { limit: 'open files' }, retryAfter: 1 }),
  cause: 'stopped',
  retry: false,
  detail: 'this process cannot open any more files (EMFILE); raise the limit (ulimit -n)',
})

/** Our own limit, which applies to every channel. */
export const noMemory = (refusal: Refusal): Failure => ({
  cause: 'stopped',
  reply: { refusal },
  retry: false,
  wasClosed: false,
  detail: 'there is not enough memory for its answer; see SLUICE_ANSWER_MEMORY',
})

const retryLater = (refusal: Refusal): Failure => ({
  cause: 'provider',
  reply: { refusal },
  retry: true,
  wasClosed: false,
})

function secondsOf(stage: 'connect' | 'first_byte' | 'idle', times: StageTimeouts): number {
  const ms = { connect: times.connectTimeoutMs, first_byte: times.firstByteTimeoutMs, idle: times.idleTimeoutMs }
  return ms[stage] / 1_000
}

export function failureOfStatus(
  kind: FailingKind,
  status: number,
  body: Buffer,
  requested: number | undefined,
): Failure {
  const isPage = body[0] === 0x3c
  const error = isPage || body.length === 0 ? undefined : readUpstreamError(body)
  return failureOfError(kind, status, error, `The provider answered with status ${status}.`, requested)
}

/** For an error in a reply with a success status, with the usage reported. */
export function failureOfReport(kind: FailingKind, error: UpstreamError | undefined, usage?: UsageReport): Failure {
  return { ...failureOfError(kind, statusOf(error), error, 'The provider reported an error.'), usage }
}

/** `message` replaces a missing error message; `requested` is the wait from the answer's headers, in milliseconds. */
function failureOfError(
  kind: FailingKind,
  status: number,
  error: UpstreamError | undefined,
  message: string,
  requested?: number,
): Failure {
  const waitMs = requested ?? boundedWait(retryDelay(error?.details))
  const answer = failedAnswer(kind, status, error)
  const vendor = vendorError(status, answer, { ...NO_DETAILS, message, ...error }, waitMs)
  const isKept = error !== undefined && OWN_WORDS.has(answer.cause)
  return {
    cause: answer.cause,
    reply: { vendor },
    retry: answer.retry,
    wasClosed: false,
    waitMs,
    ...(isKept && { said: withoutSecrets(error.message).slice(0, SAID_LIMIT) }),
  }
}

/** Causes concerning the operator's account: clients see our message, and the operator sees the provider's. */
const OWN_WORDS: ReadonlySet<FailureCause> = new Set(['account', 'limited', 'unknown_model'])
const SAID_LIMIT = 500

const NO_DETAILS = { type: undefined, code: undefined, param: undefined }

function statusOf(error: UpstreamError | undefined): number {
  const code = Number(error?.code)
  if (Number.isInteger(code) && code >= 400 && code <= 599) return code
  return error?.type === 'invalid_request_error' ? 400 : 502
}

/** The message for the client. It contains nothing about the operator's account: no quota, bill, project name or part of a key. */
function vendorError(
  status: number,
  { cause }: FailedAnswer,
  error: UpstreamError,
  waitMs: number | undefined,
): VendorError {
  const retryAfter = waitMs === undefined ? undefined : Math.ceil(waitMs / 1_000)
  switch (cause) {
    case 'account':
      // Passed on unchanged, such an answer would make clients doubt their own key.
      return { status: 502, error: wire({ ...NO_DETAILS, message: ACCOUNT_REFUSED }), retryAfter: undefined }
    case 'limited': {
      const details = waitDetails(error.details)
      const message = `The provider is not accepting more calls at the moment. Try again in ${retryAfter === undefined ? 'a moment' : `${retryAfter} s`}.`
      const own = { ...NO_DETAILS, message, ...LIMITED, ...(details && { details }) }
      return { status: 429, error: wire(own), retryAfter }
    }
    case 'unknown_model':
      return {
        status: 404,
        error: wire({ ...NO_DETAILS, message: NOT_SERVED, ...UNKNOWN_MODEL }),
        retryAfter: undefined,
      }
    case 'request':
      return { status: status >= 400 && status < 500 ? status : 400, error: wire(error), retryAfter }
    default:
      return { status: status < 400 ? 502 : status, error: wire(error), retryAfter }
  }
}

const ACCOUNT_REFUSED = 'The provider rejected this channel’s credentials or account.'
const NOT_SERVED = 'The provider of this channel does not offer this model.'
/** Clients of every vendor know these. */
const LIMITED = { type: 'rate_limit_error', code: 'rate_limit_exceeded' } as const
const UNKNOWN_MODEL = { type: 'invalid_request_error', code: 'model_not_found', param: 'model' } as const

export function wire(error: UpstreamError): WireError {
  return {
    message: withoutSecrets(error.message),
    type: error.type ?? ERRORS.upstream_rejected.type,
    code: textCode(error.code) ?? 'upstream_rejected',
    param: error.param ?? null,
    ...(error.details === undefined ? {} : { details: mapTexts(error.details, withoutSecrets) }),
  }
}

/** OpenAI's schema only allows strings. A number that repeats the status is not a vendor's code. */
function textCode(code: UpstreamError['code']): string | undefined {
  return code === undefined || /^[1-5]\d\d$/.test(String(code)) ? undefined : String(code)
}

/** Some providers quote the refused key, or part of it, and name the account. */
function withoutSecrets(text: string): string {
  return text
    .replace(/\b(?:Bearer\s+\S+|(?:[a-z]{1,4}[-_]|AIza)[\w*.-]{12,})/gi, '[key]')
    .replace(/\bprojects\/[\w:.-]+/gi, 'projects/[project]')
    .replace(
      /\b(project(?:=| #?|s )|(?:organization|team|account|workspace) [(<]?)(?:\d{6,}|[\da-f]{8}-[\da-f-]{27})/gi,
      '$1[id]',
    )
    .replace(/\barn:aws[\w-]*:[\w:/.-]+/gi, '[arn]')
}
