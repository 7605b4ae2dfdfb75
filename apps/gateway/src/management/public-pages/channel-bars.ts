import type { ChannelHistory } from '@sluice/contract/channel-history'
import type { HistoryRange } from '@sluice/contract/history-range'
import type { HistoryBar, HistoryRange as StoredRange } from '@sluice/store/queries/channels/channel-history'

const SHAPES = {
  day: { span: 300, width: 1_800, bars: 48 },
  week: { span: 3_600, width: 21_600, bars: 28 },
  quarter: { span: 86_400, width: 86_400, bars: 90 },
} as const satisfies Readonly<Record<HistoryRange, { span: number; width: number; bars: number }>>

/** The stored range to read; its last bar contains `now` (unix seconds). */
export function storedRange(range: HistoryRange, now: number): StoredRange {
  const { span, width, bars } = SHAPES[range]
  return { span, width, from: now - (now % width) - (bars - 1) * width }
}

export function barsOf(range: HistoryRange, { from, width }: StoredRange, read: readonly HistoryBar[]): ChannelHistory {
  const bars: (number | null)[] = Array.from({ length: SHAPES[range].bars }, () => null)
  let answered = 0
  let failed = 0
  for (const each of read) {
    // Counts from a clock that is or was ahead belong to none of these bars.
    if (each.bar >= bars.length) continue
    bars[each.bar] = shareOf(each.answered, each.failed)
    answered += each.answered
    failed += each.failed
  }
  return { from, step: width, bars, answered: shareOf(answered, failed) }
}

/** A share in thousandths, rounded down, so that less than 100 % never looks like 100 %. */
function shareOf(answered: number, failed: number): number | null {
  const calls = answered + failed
  return calls === 0 ? null : Math.floor((answered * 1_000) / calls)
}
