import { type Day, startOfDay, type DateRange } from './range.ts'
import type { ModelDay, TokenDay, UserDay } from './usage.ts'

/** Narrows the logs to those behind a figure; the names are those of the logs' address. */
export interface LogFilter {
  readonly model?: string
  readonly token?: string
  readonly username?: string
}

const LAST_SECOND_OF_DAY = 86_399

/** The logs' address for a range of days; in unix seconds. */
export function logsOf({ from, to }: DateRange, filter: LogFilter = {}) {
  return { start: startOfDay(from) / 1_000, end: startOfDay(to) / 1_000 + LAST_SECOND_OF_DAY, ...filter }
}

export function logsOfDay(day: Day, filter: LogFilter = {}) {
  return logsOf({ from: day, to: day }, filter)
}

/** `undefined` for rows without a name, which no filter finds. */
export function modelFilter({ ModelName }: Pick<ModelDay, 'ModelName'>): LogFilter | undefined {
  return ModelName.trim() === '' ? undefined : { model: ModelName }
}

export function userFilter({ Username }: Pick<UserDay, 'Username'>): LogFilter | undefined {
  return Username.trim() === '' ? undefined : { username: Username }
}

/** Token names are unique only per owner. */
export function tokenFilter({ TokenName, Username }: Pick<TokenDay, 'TokenName' | 'Username'>): LogFilter | undefined {
  return TokenName.trim() === '' ? undefined : { token: TokenName, ...userFilter({ Username }) }
}
