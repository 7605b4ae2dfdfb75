import type { FinishedCharge, FinishedRequest } from '@sluice/observe/finished-request'
import type { METRICS } from '@sluice/observe/metrics/catalogue'
import type { Instruments } from '@sluice/observe/metrics/family'
import type { CalledLane } from '@sluice/routing/lane'

export type GatewayInstruments = Instruments<typeof METRICS>

const CLIENT_GONE = 499

/** Counts an ended request. Takes a few hundred nanoseconds; no object outlives it. */
export function countRequest(metrics: GatewayInstruments, request: FinishedRequest): void {
  const { endpoint, model, attempts, received, firstByte, ended, commitMs } = request
  const answered = request.ending === '' ? undefined : attempts.at(-1)
  const channel = answered === undefined ? '' : String(answered.channel)
  metrics.requests.add(1, endpoint, model, channel, statusClass(request.status))
  metrics.requestSeconds.observe((ended - received) / 1_000, endpoint, model)
  if (firstByte > 0) metrics.firstByteSeconds.observe((firstByte - received) / 1_000, endpoint, model)
  if (attempts.length > 1) metrics.retried.add(1, answered === undefined ? 'failed' : 'answered')
  if (request.ending !== '' && request.ending !== 'complete') metrics.brokenAnswers.add(1, request.ending)
  if (commitMs !== undefined) metrics.commitSeconds.observe(commitMs / 1_000)
}

export function countCharge(metrics: GatewayInstruments, { channel: id, model, usage, quota }: FinishedCharge): void {
  const channel = String(id)
  if (usage.input > 0) metrics.tokens.add(usage.input, model, channel, 'input')
  if (usage.output > 0) metrics.tokens.add(usage.output, model, channel, 'output')
  if (usage.cachedInput > 0) metrics.tokens.add(usage.cachedInput, model, channel, 'cached_input')
  if (usage.cacheWrite > 0) metrics.tokens.add(usage.cacheWrite, model, channel, 'cache_write')
  metrics.quota.add(quota, model, channel)
}

export function countCall(metrics: GatewayInstruments, call: CalledLane): void {
  const channel = String(call.channel)
  metrics.calls.add(1, channel, call.model, call.cause)
  if (call.cause === 'setup') return
  metrics.callSeconds.observe(call.elapsedMs / 1_000, channel)
  if (call.firstByteMs !== undefined) metrics.callFirstByteSeconds.observe(call.firstByteMs / 1_000, channel)
  if (call.cooldown !== undefined) metrics.cooldowns.add(1, channel, call.cooldown.cause)
}

function statusClass(status: number): string {
  if (status === CLIENT_GONE) return 'gone'
  return STATUS_CLASSES[Math.floor(status / 100)] ?? 'other'
}

/** A websocket ends normally with 101. */
const STATUS_CLASSES = ['other', '2xx', '2xx', '3xx', '4xx', '5xx'] as const
