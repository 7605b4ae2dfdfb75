/** `from` and `to` in minutes of the day, in an IANA time zone. `from` above `to` spans midnight. */
export interface QuietHours {
  readonly from: number
  readonly to: number
  readonly zone: string
}

const FORM = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d) ([A-Za-z][\w+\-/]{0,60})$/

/** `22:00-07:00 Europe/Berlin`, or what is wrong with it. */
export function readQuietHours(text: string): QuietHours | { readonly problem: string } {
  const [, fromHour, fromMinute, toHour, toMinute, zone = ''] = FORM.exec(text.trim()) ?? []
  if (fromHour === undefined) return { problem: 'must have the form 22:00-07:00 Europe/Berlin' }
  const from = Number(fromHour) * 60 + Number(fromMinute)
  const to = Number(toHour) * 60 + Number(toMinute)
  if (from === to) return { problem: 'must not begin when they end' }
  if (!isZone(zone)) return { problem: `"${zone}" is not a time zone` }
  return { from, to, zone }
}

function isZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
