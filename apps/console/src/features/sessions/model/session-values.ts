import type { UsageSession } from '@sluice/contract/routes/usage-sessions'

/** Share of the input that came from a cache, 0 to 1; undefined without input. */
export function cacheShare({ prompt_tokens: prompt, cached_prompt_tokens: cached }: UsageSession): number | undefined {
  return prompt > 0 ? cached / prompt : undefined
}

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400]

/** A duration in its two largest units: `45s`, `12m 5s`, `3h 7m`, `2d 4h`. Takes whole seconds. */
export function durationText(seconds: number): string {
  if (!(seconds >= 0)) return '—'
  if (seconds < MINUTE) return `${seconds}s`
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)}m ${seconds % MINUTE}s`
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)}h ${Math.floor((seconds % HOUR) / MINUTE)}m`
  return `${Math.floor(seconds / DAY)}d ${Math.floor((seconds % DAY) / HOUR)}h`
}

/** The calls of a session as the log's address: in a window that has all of them. */
export function callsOf({ session, first_at: first, last_at: last }: UsageSession) {
  return { session, start: first, end: last }
}
