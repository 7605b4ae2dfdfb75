import { formatQuota, type QuotaDisplay } from '~/lib/format/quota.ts'
import type { ReplyFigures } from './message.ts'

/** Below this, a speed would say more about the network's packets than about the model. Milliseconds. */
const SHORTEST_STREAM_MS = 100

/** Tokens of the reply per second from its first text to its end; undefined while tokens or times are not known. */
export function tokensPerSecond({ completionTokens, firstTokenMs, totalMs }: ReplyFigures): number | undefined {
  if (completionTokens === undefined || firstTokenMs === undefined) return undefined
  const streamed = totalMs - firstTokenMs
  return streamed < SHORTEST_STREAM_MS ? undefined : (completionTokens / streamed) * 1_000
}

/** What a reply cost, as the settings display it: money with six decimals, or quota points. A charge never reads as zero. */
export function formatCost(points: string, display: QuotaDisplay): string {
  const quota = Number(points)
  const smallest = display.quota_per_unit / 1_000_000
  if (display.display_in_currency && quota > 0 && quota < smallest) return `<${formatQuota(smallest, display, 6)}`
  return formatQuota(quota, display, 6)
}
