import type { QueryOutput } from '@sluice/contract/route'
import type { listLogs } from '@sluice/contract/routes/logs'
import { CLOCKS_DIFFER_MS } from '@sluice/store/clocks'
import { findUserId } from '@sluice/store/queries/accounts/users'
import type { LogFilter } from '@sluice/store/queries/logs/log-filter'
import { listedSince } from '@sluice/store/queries/logs/usage-sessions'
import type { SharedPorts } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'

export interface LogScope {
  /** The rows of all users. A user's name finds all rows of that user, whatever the name was at the time. */
  readonly everybody: (filters: LogFilters) => Promise<LogFilter>
  /** The caller's own rows. Users do not know channels, so they cannot filter by one. */
  readonly own: (caller: Caller, filters: LogFilters) => Promise<LogFilter>
  /** Rows before this unix second were cleared: those that still exist are hidden. */
  readonly horizon: () => number
}

/**
 * Unix second before which rows have been cleared. A horizon in the future was set by a clock that was ahead and would hide
 * everything written until then, so it is ignored; the rows that it was meant for have been deleted.
 */
export function clearedBefore({ options, now }: Pick<SharedPorts, 'options' | 'now'>): number {
  const { LogClearedBefore: before } = options()
  return before * 1_000 > now() + CLOCKS_DIFFER_MS ? 0 : before
}

export function createLogScope(deps: Pick<SharedPorts, 'database' | 'options' | 'now'>): LogScope {
  const horizon = (): number => clearedBefore(deps)
  const conditions = async (filters: LogFilters): Promise<LogFilter> => {
    const filter = logConditions(filters, horizon())
    if (filter.session === undefined) return filter
    const since = await listedSince(deps.database.kysely, filter.session)
    return since === undefined ? filter : { ...filter, from: Math.max(since, filter.from ?? 0) }
  }
  return {
    everybody: async (filters) => {
      const name = given(filters.username)
      const userId = name === undefined ? undefined : await findUserId(deps.database.kysely, name)
      return {
        ...(await conditions(filters)),
        userId,
        username: userId === undefined ? name : undefined,
        channelId: filters.channel <= 0 ? undefined : filters.channel,
      }
    },
    own: async (caller, filters) => ({ ...(await conditions(filters)), userId: caller.id }),
    horizon,
  }
}

type LogFilters = Pick<
  QueryOutput<typeof listLogs>,
  'type' | 'model_name' | 'token_name' | 'username' | 'channel' | 'session' | 'start_timestamp' | 'end_timestamp'
>

/** The wire's filters as conditions. Hides rows before `horizon` (unix second). The caller checks user and channel. */
function logConditions(filters: LogFilters, horizon: number): LogFilter {
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

function given(text: string): string | undefined {
  return text === '' ? undefined : text
}
