import { toDateTimeInput } from './date.ts'

/** Unix seconds of a date-time input's text, rounded up; -1 (never) for an empty one, `undefined` when it is not a date. */
export function expiredTimeOf(text: string): number | undefined {
  if (text.trim() === '') return -1
  const milliseconds = new Date(text).getTime()
  return Number.isNaN(milliseconds) ? undefined : Math.ceil(milliseconds / 1_000)
}

/** Text for the date-time input from a stored expiry; empty for never. */
export function expiryText(expiredTime: number): string {
  return expiredTime <= 0 ? '' : toDateTimeInput(new Date(expiredTime * 1_000))
}
