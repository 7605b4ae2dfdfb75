import type { IncomingHttpHeaders } from 'node:http'
import { type AccountWindow, WINDOWS_MAX } from '@sluice/routing/account-window'

/**
 * Reads from an answer's headers how much of its limits the key's account has used: Anthropic's limits (`anthropic-ratelimit-*`)
 * and plan windows (`…-unified-*`), the `x-ratelimit-*` headers of OpenAI and most other vendors, and Codex's windows
 * (`x-codex-*`). Returns numbers only, under our own names. Reset times are relative to the provider's own `Date` if it sends one,
 * so no two clocks are compared. A window without a reset time is ignored, because nothing could be done about it.
 */
export function accountWindows(headers: IncomingHttpHeaders, now: number): readonly AccountWindow[] {
  if (!Object.keys(headers).some((name) => NAMES.test(name))) return NONE
  const read: Reading = { headers, now, sent: dateOf(headers.date) ?? now }
  const found = [
    ...UNIFIED.map((name) => unified(read, name)),
    ...COUNTED.map((name) =>
      counted(name, read, {
        limit: `anthropic-ratelimit-${name}-limit`,
        remaining: `anthropic-ratelimit-${name}-remaining`,
        reset: `anthropic-ratelimit-${name}-reset`,
      }),
    ),
    ...COUNTED.map((name) =>
      counted(name, read, {
        limit: `x-ratelimit-limit-${name}`,
        remaining: `x-ratelimit-remaining-${name}`,
        reset: `x-ratelimit-reset-${name}`,
      }),
    ),
    ...CODEX.map((name) => codex(read, name)),
  ]
  return found.filter((window) => window !== undefined).slice(0, WINDOWS_MAX)
}

const NONE: readonly AccountWindow[] = []
const NAMES = /^(?:anthropic-ratelimit-|x-ratelimit-re|x-codex-)/
const UNIFIED = ['5h', '7d'] as const
const COUNTED = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const
const CODEX = ['primary', 'secondary'] as const

interface Reading {
  readonly headers: IncomingHttpHeaders
  readonly now: number
  /** When the provider sent the answer, by its own clock. */
  readonly sent: number
}

function unified({ headers, ...times }: Reading, name: (typeof UNIFIED)[number]): AccountWindow | undefined {
  const start = `anthropic-ratelimit-unified-${name}`
  const share = numberOf(headers[`${start}-utilization`])
  const reset = numberOf(headers[`${start}-reset`])
  if (share === undefined || reset === undefined) return undefined
  const isUsedUp = headers[`${start}-status`] === 'rejected'
  return windowOf(name, isUsedUp ? 1 : share, times, reset * 1_000 - times.sent)
}

interface CountedHeaders {
  readonly limit: string
  readonly remaining: string
  readonly reset: string
}

function counted(name: string, { headers, ...times }: Reading, named: CountedHeaders): AccountWindow | undefined {
  const limit = numberOf(headers[named.limit])
  const remaining = numberOf(headers[named.remaining])
  if (limit === undefined || remaining === undefined || limit === 0) return undefined
  return windowOf(name, 1 - remaining / limit, times, waitUntil(headers[named.reset], times.sent))
}

function codex({ headers, ...times }: Reading, name: (typeof CODEX)[number]): AccountWindow | undefined {
  const percent = numberOf(headers[`x-codex-${name}-used-percent`])
  const seconds = numberOf(headers[`x-codex-${name}-reset-after-seconds`])
  const at = numberOf(headers[`x-codex-${name}-reset-at`])
  if (percent === undefined) return undefined
  const wait = seconds === undefined ? at && at * 1_000 - times.sent : seconds * 1_000
  return windowOf(`codex ${name}`, percent / 100, times, wait)
}

function windowOf(
  name: string,
  share: number,
  { now }: Pick<Reading, 'now'>,
  waitMs: number | undefined,
): AccountWindow | undefined {
  if (waitMs === undefined || waitMs <= 0) return undefined
  const used = Math.min(Math.max(share, 0), 1)
  return { name, used, resetsAt: now + Math.min(Math.ceil(waitMs), LONGEST_MS) }
}

/** Longer windows are shortened to 31 days. A lane's pause is bounded by its cooldown. */
const LONGEST_MS = 31 * 86_400_000
const NUMBER = /^\d{1,12}(?:\.\d{1,12})?$/
/** As Go writes durations: `6m0s`, `1.5s`, `12ms`. */
const DURATION =
  /^(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m(?!s))?(?:(\d{1,9}(?:\.\d{1,9})?)s)?(?:(\d{1,9}(?:\.\d{1,9})?)ms)?$/

function numberOf(value: string | string[] | undefined): number | undefined {
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : undefined
}

/** Milliseconds until the given time: a duration, a number of seconds, or a date (RFC 3339). */
function waitUntil(value: string | string[] | undefined, sent: number): number | undefined {
  if (typeof value !== 'string' || value === '' || value.length > 40) return undefined
  const seconds = numberOf(value)
  if (seconds !== undefined) return seconds * 1_000
  const parts = DURATION.exec(value)
  if (parts !== null) {
    const [days = 0, hours = 0, minutes = 0, rest = 0, ms = 0] = parts.slice(1).map((part) => Number(part ?? 0))
    return (((days * 24 + hours) * 60 + minutes) * 60 + rest) * 1_000 + ms
  }
  const at = dateOf(value)
  return at === undefined ? undefined : at - sent
}

function dateOf(text: string | undefined): number | undefined {
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? undefined : at
}
