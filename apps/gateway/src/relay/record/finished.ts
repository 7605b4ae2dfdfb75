import { ERRORS, isRefusal, type Refusal } from '@sluice/contract/errors'
import type { Settlement } from '@sluice/ledger/operation'
import { exactQuota } from '@sluice/ledger/units'
import type { FinishedAttempt, FinishedCharge, FinishedRequest, FinishedUsage } from '@sluice/observe/finished-request'
import type { Accepted } from '../../edge/exchange.ts'
import { CLIENT_GONE } from '../charge/ledger-rows.ts'
import { statusOf } from '../client/refuse.ts'
import { type Endpoint, endpointName } from '../endpoints/endpoints.ts'
import type { Unanswered } from '../stages/answered.ts'
import type { Attempt } from '../stages/attempt.ts'
import type { Delivered, Settled } from '../stages/delivered.ts'
import { codeOf } from '../stages/failure-reply.ts'
import type { Candidate } from '../stages/planned.ts'

/** A request that got an answer, as reported to metrics and traces. `now` in unix milliseconds. */
export function finishedAnswer(delivered: Delivered, { settlement, commitMs }: Settled, now: number): FinishedRequest {
  const { accepted, parsed, kind, outcome, client, plain, attempts, candidate, candidates, call, laneCall } = delivered
  const { ending } = outcome
  const served: FinishedAttempt = {
    ...placeOf(candidate),
    started: laneCall.started,
    ended: call.completed || now,
    status: call.status,
    error: ending === 'upstream_broken' ? ending : '',
    firstByteMs: call.firstUpstream === 0 ? undefined : Math.max(0, call.firstUpstream - laneCall.started),
  }
  return {
    ...headOf(accepted, now),
    endpoint: kind.path,
    model: parsed.model,
    stream: parsed.stream,
    status: ending === 'client_gone' ? CLIENT_GONE : accepted.reply.statusCode,
    code: ending === 'complete' ? '' : ending,
    ending,
    firstByte: plain === undefined ? (client?.firstByte ?? 0) : now,
    attempts: [...failedAttempts(attempts, candidates), served],
    usage: settlement && usageOf(settlement.tokens),
    quota: settlement === undefined ? 0 : exactQuota(settlement.amount),
    commitMs: settlement === undefined ? undefined : commitMs,
  }
}

export function finishedFailure(unanswered: Unanswered, { settlement }: Settled, now: number): FinishedRequest {
  const { accepted, parsed, kind, attempts, candidates, failure } = unanswered
  return {
    ...headOf(accepted, now),
    endpoint: kind.path,
    model: parsed.model,
    stream: parsed.stream,
    status: failure === undefined ? CLIENT_GONE : statusOf(failure),
    code: failure === undefined ? 'client_gone' : codeOf(failure),
    attempts: failedAttempts(attempts, candidates),
    usage: settlement && usageOf(settlement.tokens),
    quota: settlement === undefined ? 0 : exactQuota(settlement.amount),
  }
}

/** For a request that was refused before any channel was called, or that is not a call. */
export function finishedElsewhere(
  accepted: Accepted,
  endpoint: Endpoint | Refusal,
  refusal: Refusal | undefined,
  now: number,
): FinishedRequest {
  return {
    ...headOf(accepted, now),
    endpoint: isRefusal(endpoint) ? 'other' : endpointName(endpoint),
    status: refusal === undefined ? accepted.reply.statusCode : ERRORS[refusal.code].status,
    code: refusal?.code ?? '',
  }
}

export function finishedCharge({ channelId, log, tokens, amount }: Settlement): FinishedCharge {
  return { channel: channelId, model: log.originModel, usage: usageOf(tokens), quota: exactQuota(amount) }
}

/** The common fields of every request, with the values of a request without an answer. */
function headOf({ id, headers, method, received }: Accepted, now: number): FinishedRequest {
  const traceparent = headers['traceparent']
  return {
    id,
    // A header sent twice is ambiguous.
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    method,
    endpoint: 'other',
    model: '',
    stream: false,
    status: 0,
    code: '',
    ending: '',
    received,
    firstByte: 0,
    ended: Math.max(received, now),
    attempts: [],
    usage: undefined,
    quota: 0,
    commitMs: undefined,
  }
}

const placeOf = ({ route, upstreamModel }: Candidate) => ({
  channel: route.channel.id,
  provider: route.kind.name,
  model: upstreamModel,
})

/** Attempts do not name their candidate: candidates with the same channel and key were called in turn, one perhaps twice. */
function failedAttempts(attempts: readonly Attempt[], candidates: readonly Candidate[]): readonly FinishedAttempt[] {
  const requested = new Set<Candidate>()
  return attempts.map(({ channel, key, started, ended, status, error }) => {
    const same = candidates.filter(
      ({ route }) => route.channel.id === channel && (key === undefined || route.key.position === key),
    )
    const candidate = same.find((each) => !requested.has(each)) ?? same.at(-1)
    if (candidate !== undefined) requested.add(candidate)
    const place = candidate === undefined ? { provider: '', model: '' } : placeOf(candidate)
    return { ...place, channel, started, ended, status, error, firstByteMs: undefined }
  })
}

function usageOf({
  input,
  cachedInput,
  cacheWrite5m,
  cacheWrite1h,
  output,
  reasoning,
}: Settlement['tokens']): FinishedUsage {
  return { input, cachedInput, cacheWrite: cacheWrite5m + cacheWrite1h, output, reasoning }
}
