import { ERRORS, type ErrorCode, type Refusal } from '@sluice/contract/errors'
import { readUpstreamError, type UpstreamError, type WireError } from '@sluice/dialects/canon/upstream-error'
import { mapTexts, retryDelay } from '@sluice/dialects/error-details'
import type { UsageReport } from '@sluice/dialects/usage/usage-report'
import type { StageTimeouts } from '../../outbound/guarded-agent.ts'
import { ACCOUNT_STATUSES, causeOfAnswer, type FailureCause } from './failure-cause.ts'
import { boundedWait } from './retry-after.ts'
import type { CallFailure } from './upstream-call.ts'

/** Why a call gave no answer, and what the client receives if it was the last one. */
export interface Failure {
  /** What it says about the channel. */
  readonly cause: FailureCause
  readonly reply: FailureReply
  /** Another channel might do better. */
  readonly retry: boolean
  /** The connection was closed before any byte arrived, perhaps a kept-alive one that the provider had just closed. */
  readonly wasClosed: boolean
  /** For the operator alone: the end of a sentence. */
  readonly detail?: string
  /** Milliseconds that the provider asked us to wait. */
  readonly waitMs?: number | undefined
  /** What the provider counted with an error under a good status. */
  readonly usage?: UsageReport | undefined
}

export type FailureReply =
  | { readonly refusal: Refusal; readonly vendor?: never }
  /** A provider's own error, in its own words. */
  | { readonly refusal?: never; readonly vendor: VendorError }

export interface VendorError {
  readonly status: number
  readonly error: WireError
  /** Seconds. */
  readonly retryAfter: number | undefined
}

/** Catalogue code of a failure, for the trace. */
export function codeOf(reply: FailureReply): ErrorCode {
  return reply.refusal?.code ?? 'upstream_rejected'
}

export const refused = (refusal: Refusal): Failure => ({
  cause: 'request',
  reply: { refusal },
  retry: false,
  wasClosed: false,
})

/**
 * True for answers that another channel might not give: everything except the client's own mistakes. Where the operator's key or
 * account is at fault, the client can do nothing and another channel might do better.
 */
function isRetryable(status: number, cause: FailureCause): boolean {
  return status < 400 || status >= 500 || cause === 'account' || status === 408 || status === 429
}

/** A call that brought no answer at all. */
export function failureOfCall(
  failure: CallFailure,
  reported: UpstreamError | undefined,
  times: StageTimeouts,
): Failure {
  switch (failure.cause) {
    case 'reported':
      return failureOfReport(reported)
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
  }
}

/** Our own limit: no channel is to blame, and no other could be reached either. */
const noFiles = (): Failure => ({
  ...retryLater({ code: 'overloaded', params: { limit: 'open files' }, retryAfter: 1 }),
  cause: 'stopped',
  retry: false,
  detail: 'this process may open no more files (EMFILE); raise the limit (ulimit -n)',
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

export function failureOfStatus(status: number, body: Buffer, requested: number | undefined): Failure {
  const isPage = body[0] === 0x3c
  const error = isPage || body.length === 0 ? undefined : readUpstreamError(body)
  return failureOfError(status, error, `The provider answered with status ${status}.`, requested)
}

/** An error in a reply whose status reported success, and what was counted with it. */
export function failureOfReport(error: UpstreamError | undefined, usage?: UsageReport): Failure {
  return { ...failureOfError(statusOf(error), error, 'The provider reported an error.'), usage }
}

/** `message` is for an error without one; `requested` is the wait in milliseconds that the head of the answer names. */
function failureOfError(
  status: number,
  error: UpstreamError | undefined,
  message: string,
  requested?: number,
): Failure {
  const waitMs = requested ?? boundedWait(retryDelay(error?.details))
  const cause = causeOfAnswer(status, error)
  return {
    cause,
    reply: { vendor: vendorError(status, cause, { ...NO_DETAILS, message, ...error }, waitMs) },
    retry: isRetryable(status, cause),
    wasClosed: false,
    waitMs,
  }
}

const NO_DETAILS = { type: undefined, code: undefined, param: undefined }

function statusOf(error: UpstreamError | undefined): number {
  const code = Number(error?.code)
  if (Number.isInteger(code) && code >= 400 && code <= 599) return code
  return error?.type === 'invalid_request_error' ? 400 : 502
}

function vendorError(
  status: number,
  cause: FailureCause,
  error: UpstreamError,
  waitMs: number | undefined,
): VendorError {
  // Passed on unchanged, such an answer would make clients doubt their own key; its text might also show part of ours.
  if (ACCOUNT_STATUSES.has(status) || cause === 'account') {
    const message = 'The provider refused the credentials or the account of this channel.'
    return { status: 502, error: wire({ ...NO_DETAILS, message }), retryAfter: undefined }
  }
  const retryAfter = waitMs === undefined ? undefined : Math.ceil(waitMs / 1_000)
  return { status: status < 400 ? 502 : status, error: wire(error), retryAfter }
}

/** An upstream's error in the shape that clients receive. */
export function wire(error: UpstreamError): WireError {
  return {
    message: withoutKeys(error.message),
    type: error.type ?? ERRORS.upstream_rejected.type,
    code: error.code ?? 'upstream_rejected',
    param: error.param ?? null,
    ...(error.details === undefined ? {} : { details: mapTexts(error.details, withoutKeys) }),
  }
}

/** Some providers quote the key that they refuse, or a part of it. */
function withoutKeys(text: string): string {
  return text.replace(/\b(?:Bearer\s+\S+|(?:[a-z]{1,4}[-_]|AIza)[\w*.-]{12,})/gi, '[key]')
}
