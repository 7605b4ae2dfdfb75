import type { QueryOutput } from '@sluice/contract/route'
import type { listLogs } from '@sluice/contract/routes/logs'
import type { LogFilter } from '@sluice/store/queries/logs/log-filter'

export type LogFilters = Pick<
  QueryOutput<typeof listLogs>,
  'type' | 'model_name' | 'token_name' | 'username' | 'channel' | 'session' | 'start_timestamp' | 'end_timestamp'
>

/**
 * The wire's filters as conditions. `horizon` is the unix second before which logs were cleared: rows that are still being deleted
 * are no longer shown. The caller checks user and channel.
 */
export function logConditions(filters: LogFilters, horizon: number): LogFilter {
  const from = Math.max(filters.start_timestamp, horizon)
  return {
    from: from > 0 ? from : undefined,
    to: filters.end_timestamp > 0 ? filters.end_timestamp : undefined,
    type: filters.type > 0 ? filters.type : undefined,
    model: given(filters.model_name),
    tokenName: given(filters.token_name),
    session: given(filters.session),
  }
}

export function given(text: string): string | undefined {
  return text === '' ? undefined : text
}
