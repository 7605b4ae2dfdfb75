/** A day as the gateway counts it: `YYYY-MM-DD`, UTC. */
export type Day = string

const DAY_MS = 86_400_000

/** The UTC day of a time in unix milliseconds. */
export function dayOf(unixMs: number): Day {
  return new Date(unixMs).toISOString().slice(0, 10)
}

/** The day that a text names; `undefined` for texts that do not name one, such as 30 February. */
export function parseDay(text: string): Day | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(at) || dayOf(at) !== text ? undefined : text
}

/** Unix milliseconds at which the day begins. */
export function startOfDay(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`)
}

export function addDays(day: Day, count: number): Day {
  return dayOf(startOfDay(day) + count * DAY_MS)
}

/** Days from the first to the last, both included; 0 when they are in the wrong order. */
export function countDays(from: Day, to: Day): number {
  return Math.max(0, Math.round((startOfDay(to) - startOfDay(from)) / DAY_MS) + 1)
}

/** Every day from the first to the last, both included. */
export function listDays(from: Day, to: Day): readonly Day[] {
  return Array.from({ length: countDays(from, to) }, (_, index) => addDays(from, index))
}
