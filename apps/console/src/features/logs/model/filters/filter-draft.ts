import { LOG_TYPE } from '@sluice/contract/log'
import { toDateTimeInput } from '~/lib/format/date.ts'
import { type LogFilters, logWindow } from './log-window.ts'

export interface FilterDraft {
  readonly type: string
  readonly model: string
  readonly token: string
  readonly username: string
  readonly channel: string
  /** Local date-times to the minute; empty for the default. */
  readonly start: string
  readonly end: string
}

/** Open times show the default window around `now` (unix ms). */
export function draftOf(filters: LogFilters, now: number): FilterDraft {
  const window = logWindow(filters, now)
  return {
    type: String(filters.type),
    model: filters.model,
    token: filters.token,
    username: filters.username,
    channel: filters.channel === undefined ? '' : String(filters.channel),
    start: toMinute(window.start),
    end: toMinute(window.end),
  }
}

/** A time that was not changed keeps its seconds, or stays open and moves on with the clock. */
export function filtersOf(draft: FilterDraft, before: LogFilters, now: number): LogFilters {
  const shown = draftOf(before, now)
  const channel = Number.parseInt(draft.channel, 10)
  return {
    type: Object.values(LOG_TYPE).find((type) => String(type) === draft.type) ?? LOG_TYPE.all,
    model: draft.model.trim(),
    token: draft.token.trim(),
    username: draft.username.trim(),
    channel: channel > 0 ? channel : undefined,
    session: before.session,
    start: draft.start === shown.start ? before.start : secondsOf(draft.start),
    end: draft.end === shown.end ? before.end : secondsOf(draft.end),
  }
}

/** Filters that differ from their default; the window counts once. */
export function activeFilters(filters: LogFilters): number {
  const { type, model, token, username, channel, session, start, end } = filters
  return [
    type !== LOG_TYPE.all,
    model !== '',
    token !== '',
    username !== '',
    channel !== undefined,
    session !== '',
    start !== undefined || end !== undefined,
  ].filter(Boolean).length
}

const TO_THE_MINUTE = '2026-11-20T14:05'.length

/** Takes unix seconds. */
function toMinute(at: number): string {
  return toDateTimeInput(new Date(at * 1_000)).slice(0, TO_THE_MINUTE)
}

function secondsOf(localDateTime: string): number | undefined {
  const at = Date.parse(localDateTime)
  return Number.isNaN(at) ? undefined : Math.floor(at / 1_000)
}
