import type { Refusal } from '@sluice/contract/errors'
import type { QueryOutput } from '@sluice/contract/route'
import type { listLogs } from '@sluice/contract/routes/logs'
import { LOG_SORT_COLUMNS } from '@sluice/store/queries/log-choice'
import type { LogFilter } from '@sluice/store/queries/log-filter'

export type LogFilters = Pick<
  QueryOutput<typeof listLogs>,
  'type' | 'model_name' | 'token_name' | 'username' | 'channel' | 'start_timestamp' | 'end_timestamp'
>

const SORTED_WINDOW_DAYS = 30
const SORTED_WINDOW_SECONDS = SORTED_WINDOW_DAYS * 24 * 3600
/** The console's windows end up to an hour from now, so that the newest rows are in. */
const SLACK_SECONDS = 2 * 3600

/**
 * The wire's filters as conditions. `horizon` is the unix second before which logs were cleared: rows that are still being
 * deleted are not shown any more. User and channel are the caller's business.
 */
export function logConditions(filters: LogFilters, horizon: number): LogFilter {
  const from = Math.max(filters.start_timestamp, horizon)
  return {
    from: from > 0 ? from : undefined,
    to: filters.end_timestamp > 0 ? filters.end_timestamp : undefined,
    type: filters.type > 0 ? filters.type : undefined,
    model: given(filters.model_name),
    tokenName: given(filters.token_name),
  }
}

export function given(text: string): string | undefined {
  return text === '' ? undefined : text
}

/** Sorting by anything but time may read the whole window, which therefore must be short. `now` in unix seconds. */
export function sortProblem(sort: string, { from, to }: LogFilter, now: number): Refusal | undefined {
  const known = Object.entries(LOG_SORT_COLUMNS).find(([name]) => name === sort)
  if (known === undefined || known[1] === 'created_at') return undefined
  if (from !== undefined && (to ?? now) - from <= SORTED_WINDOW_SECONDS + SLACK_SECONDS) return undefined
  const reason = `Sorting by ${sort} needs a time range of at most ${SORTED_WINDOW_DAYS} days.`
  return { code: 'refused', params: { reason }, field: 'sort' }
}
