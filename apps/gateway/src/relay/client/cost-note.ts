import type { IncomingHttpHeaders } from 'node:http'
import { decimalText } from '@sluice/ledger/decimal-text'
import { type Mq, quotaText } from '@sluice/ledger/units'

export function wantsCost(headers: IncomingHttpHeaders): boolean {
  return headers['x-sluice-cost'] === '1'
}

/** Dollars have 15 decimals, which is exact for every amount at the default rate of 2 × 10^-9 per mq. */
const USD_PLACES = 15
const MICROS_PER_QUOTA = 1_000_000
/** An mq is 10^-3 quota, a rate is in 10^-6 quota. */
const SCALE = 10n ** 18n

/**
 * What a request cost, as JSON of decimal texts: `{"usd":"0.0000042","quota":"2.1"}`. `quotaPerUsd` is the option `QuotaPerUnit`;
 * dollars are rounded down if the rate does not divide evenly; quota is always exact.
 */
export function costText(amount: Mq, quotaPerUsd: number): string {
  const rate = BigInt(Math.round(quotaPerUsd * MICROS_PER_QUOTA))
  return JSON.stringify({ usd: decimalText((amount * SCALE) / rate, USD_PLACES), quota: quotaText(amount) })
}

export function costHeader(cost: string | undefined): readonly string[] {
  return cost === undefined ? NONE : ['X-Sluice-Cost', cost]
}

const NONE: readonly string[] = []

/** Precedes the last event, because some clients read no further. Undefined for streams without events. */
export function costComment(cost: string | undefined, streamType: string): Uint8Array | undefined {
  if (cost === undefined || !streamType.startsWith('text/event-stream')) return undefined
  return Buffer.from(`: sluice-cost ${cost}\n\n`)
}
