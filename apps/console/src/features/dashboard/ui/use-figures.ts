import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCall } from '~/lib/http/call.ts'
import { usageQuery } from '../calls.ts'
import { type DateRange, type Day, defaultRange, type RangeWindow, requestOf } from '../model/range.ts'
import type { DashboardSearch } from '../model/search.ts'
import { comparableRange } from '../model/summary.ts'
import type { RangeUsage } from '../model/usage.ts'

/** Pause between two refreshes, in milliseconds; a hidden tab is not refreshed. */
const AUTO_REFRESH_MS = 60_000

/** How long the previous period's data counts as fresh, in milliseconds: only late charges can still be added to it. */
const PAST_FRESH_MS = 5 * 60_000

interface FigureOptions {
  readonly search: DashboardSearch
  readonly window: RangeWindow
  readonly today: Day
  readonly isRepeating: boolean
}

export type Figures = ReturnType<typeof useFigures>

export function useFigures({ search, window, today, isRepeating }: FigureOptions) {
  const call = useCall()
  const request = requestOf(search, window, today)
  const query = useQuery({
    ...usageQuery(call, request?.range ?? defaultRange(today), request?.user ?? ''),
    enabled: request !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: isRepeating ? AUTO_REFRESH_MS : false,
  })
  // A failure or an invalid range clears the old data: it would belong to another request.
  const isCleared = query.isError || request === undefined
  const usage = isCleared ? noUsage(request?.range ?? defaultRange(today)) : query.data
  const shown = usage ?? noUsage(defaultRange(today))
  const previous = comparableRange(shown.range, window, today)
  // Fetched only after the current data, which the user is waiting for.
  const before = useQuery({
    ...usageQuery(call, previous ?? shown.range, request?.user ?? ''),
    enabled: query.isSuccess && !isCleared && previous !== undefined,
    staleTime: PAST_FRESH_MS,
  })
  return {
    query,
    /** False while the range is invalid. */
    isAsked: request !== undefined,
    isCleared,
    usage,
    /** The same usage, empty until it arrives. */
    shown,
    /** The previous period; undefined when it is outside the range that may be requested. */
    previous,
    /** Undefined until it arrives. */
    before: previous === undefined || isCleared ? undefined : before.data,
  }
}

function noUsage(range: DateRange): RangeUsage {
  return { range, logs: [], user_logs: [], token_logs: [] }
}
