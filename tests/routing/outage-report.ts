import { parseAttempts } from '@sluice/contract/log'
import type { Database } from '@sluice/store/database'
import type { Request } from './steady-load.ts'

/** When a channel failed, in unix milliseconds. */
export interface Outage {
  readonly began: number
  readonly ended: number
}

/** Effects on a steady load of an outage of one of several equal channels. */
export interface OutageReport {
  readonly requests: number
  /** Clients that got an error, or no whole answer. */
  readonly failed: readonly Request[]
  /** Requests sent to the failing channel during the outage; most were answered by another one. */
  readonly affected: number
  /** Of those, trials of a channel whose cooldown was over. */
  readonly trials: number
  /** Milliseconds from the start of the outage to the first cooldown of the channel. */
  readonly detectedMs: number
  /** Milliseconds from the end of the outage to the first answer of the channel. */
  readonly returnedMs: number
  /** From its first answer on: the channel's share of all calls in each second, relative to an even share. */
  readonly shares: readonly number[]
  /** The longest time that a client waited for an answer, in milliseconds. */
  readonly slowestMs: number
}

interface Try {
  /** Unix milliseconds. */
  readonly at: number
  readonly channel: number
  readonly failed: boolean
  /** Unix milliseconds when it led to a cooldown; undefined without one. */
  readonly cooldownFrom: number | undefined
}

/** @param channels how many share the load evenly */
export async function reportOutage(
  { kysely }: Database,
  requests: readonly Request[],
  { channel, channels, outage }: { readonly channel: number; readonly channels: number; readonly outage: Outage },
): Promise<OutageReport> {
  const traces = await kysely.selectFrom('trace').select(['received_ms', 'attempts']).execute()
  const tries = traces
    .flatMap(({ received_ms: received, attempts }) =>
      parseAttempts(attempts).map((each): Try => {
        const cooldownFrom = each.rest === undefined ? undefined : received + each.ended
        return { at: received + each.started, channel: each.channel, failed: each.error !== '', cooldownFrom }
      }),
    )
    .toSorted((a, b) => a.at - b.at)
  const own = tries.filter((each) => each.channel === channel)
  const broken = own.filter(({ at, failed }) => failed && at >= outage.began)
  const rests = broken.flatMap(({ cooldownFrom }) => cooldownFrom ?? [])
  const [firstCooldown = NaN] = rests.toSorted((a, b) => a - b)
  const returned = own.find(({ at, failed }) => !failed && at >= outage.ended)?.at ?? NaN
  return {
    requests: requests.length,
    failed: requests.filter(({ problem }) => problem !== ''),
    affected: broken.length,
    trials: broken.filter(({ at }) => at > firstCooldown + SETTLING_MS).length,
    detectedMs: firstCooldown - outage.began,
    returnedMs: returned - outage.ended,
    shares: sharesFrom(returned, tries, channel, channels),
    slowestMs: Math.max(...requests.map(({ elapsedMs }) => elapsedMs)),
  }
}

/** How long calls that were routed before the cooldown was known may still run. */
const SETTLING_MS = 200

function sharesFrom(start: number, tries: readonly Try[], channel: number, channels: number): readonly number[] {
  const last = tries.at(-1)?.at ?? start
  const seconds = Math.max(0, Math.floor((last - start) / 1_000))
  return Array.from({ length: seconds }, (_, second) => {
    const from = start + second * 1_000
    const within = tries.filter(({ at }) => at >= from && at < from + 1_000)
    const own = within.filter((each) => each.channel === channel).length
    return within.length === 0 ? NaN : (own / within.length) * channels
  })
}

export function outageLine(name: string, perSecond: number, seconds: number, report: OutageReport): string {
  const { requests, failed, affected, trials, detectedMs, returnedMs, shares, slowestMs } = report
  const parts = [
    `${requests} requests at ${perSecond} a second`,
    `${failed.length} failed`,
    `${affected} met it (${trials} as trials)`,
    `noticed after ${detectedMs} ms`,
    `slowest answer ${Math.round(slowestMs)} ms`,
    `back ${(returnedMs / 1_000).toFixed(1)} s after its end`,
    `its part of the load then ${shares.map((share) => share.toFixed(1)).join(' ')}`,
  ]
  return `One of three channels away for ${seconds} s (${name}): ${parts.join(', ')}`
}
