/** When other prices apply. Times are local to the zone. */
export interface TimeWindow {
  readonly name: string
  /** IANA name, such as `Asia/Shanghai`. */
  readonly timezone: string
  /** `HH:MM`; an end that is not after its start is on the next day. Without ranges the window is the whole day. */
  readonly ranges: readonly { readonly start: string; readonly end: string }[]
  /** 0 Sunday to 6 Saturday, of the day on which a range starts; absent for every day. */
  readonly days?: readonly number[]
  /** First day, `YYYY-MM-DD`. */
  readonly dateFrom?: string
  /** The day after the last one. */
  readonly dateTo?: string
}

interface LocalTime {
  readonly minute: number
  readonly day: number
  readonly date: string
}

const DAY_MS = 86_400_000
const DAY_MINUTES = 1_440

/** Tells whether the window applies at a time in unix ms. Call it once per window: time zones are expensive to set up. */
export function openWindow(window: TimeWindow): (at: number) => boolean {
  const local = localTime(window.timezone)
  const ranges = window.ranges.map(({ start, end }) => ({ start: minutes(start), end: minutes(end) }))
  const isDay = ({ day, date }: LocalTime): boolean =>
    (window.days === undefined || window.days.length === 0 || window.days.includes(day)) &&
    (window.dateFrom === undefined || date >= window.dateFrom) &&
    (window.dateTo === undefined || date < window.dateTo)
  return (at) => {
    const now = local(at)
    if (ranges.length === 0) return isDay(now)
    return ranges.some(({ start, end }) => {
      if (start < end) return now.minute >= start && now.minute < end && isDay(now)
      return (now.minute >= start && isDay(now)) || (now.minute < end && isDay(dayBefore(now)))
    })
  }
}

export function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function localTime(timezone: string): (at: number) => LocalTime {
  const calendar = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  return (at) => {
    const part = Object.fromEntries(calendar.formatToParts(at).map(({ type, value }) => [type, value]))
    const date = `${part['year']}-${part['month']}-${part['day']}`
    return { minute: (Number(part['hour']) * 60 + Number(part['minute'])) % DAY_MINUTES, ...dayOf(Date.parse(date)) }
  }
}

function dayBefore({ minute, date }: LocalTime): LocalTime {
  return { minute, ...dayOf(Date.parse(date) - DAY_MS) }
}

function dayOf(midnight: number): Pick<LocalTime, 'day' | 'date'> {
  const date = new Date(midnight)
  return { day: date.getUTCDay(), date: date.toISOString().slice(0, 10) }
}

function minutes(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
}
