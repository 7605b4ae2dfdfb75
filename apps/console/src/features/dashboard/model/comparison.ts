import { addDays, countDays } from './days.ts'
import { checkRange, type DateRange, type RangeWindow } from './range.ts'

/** The same number of days right before a range. */
export function previousRange({ from, to }: DateRange): DateRange {
  return { from: addDays(from, -countDays(from, to)), to: addDays(from, -1) }
}

/** What a range can be compared with; `undefined` when the window does not reach that far back. */
export function comparableRange(range: DateRange, window: RangeWindow, today: string): DateRange | undefined {
  const previous = previousRange(range)
  return checkRange(previous, window, today) === undefined ? previous : undefined
}

/** How a figure changed, as a fraction of the old value; `undefined` when there was nothing to compare with. */
export function change(now: number, before: number): number | undefined {
  return before === 0 ? undefined : (now - before) / before
}
