import type { AccessToken, TokenCredentials } from '@sluice/providers/credentials/credentials'
import type { FetchGuarded } from '../../outbound/guarded-fetch.ts'
import { ACCOUNT_STATUSES, type FailureCause } from './failure-cause.ts'
import { clocksDiffer, OFF_CLOCK } from './reply-times.ts'

export interface UpstreamTokensDeps {
  readonly fetch: FetchGuarded
  /** Unix ms. */
  readonly now: () => number
  /** Never returns the same text twice. */
  readonly nonce: () => string
}

/** Providers' short-lived tokens, each fetched once for all waiting callers. */
export interface UpstreamTokens {
  /** A token that stays valid for a while. Aborting `signal` ends only this wait. Never rejects; `problem` contains no key. */
  token(credentials: TokenCredentials, signal: AbortSignal): Promise<AccessToken | TokenProblem>
  /** Drops a token that its provider no longer accepts, so the next call fetches another. */
  forget(credentials: TokenCredentials, token: string): void
}

export interface TokenProblem {
  readonly problem: string
  readonly cause: FailureCause
}

/** Tokens are renewed this long before they expire; short-lived ones after four fifths of their lifetime. */
const RENEW_BEFORE_MS = 5 * 60_000
/** Refusals are remembered, so that a client with a bad key does not reach the provider a thousand times a second. */
const PROBLEM_HOLDS_MS = 5_000
/** Maximum channel keys with a cached token; the least recently used is dropped. */
const TOKENS_MAX = 1_000
const TIMEOUT_MS = 10_000
const REPLY_BYTES_MAX = 65_536

interface Entry {
  readonly outcome: AccessToken | TokenProblem
  /** Unix ms when fetched, and when due for renewal. Also renewed if `now` is before `at`: the clock was then set back. */
  readonly at: number
  readonly staleAt: number
}

export function createUpstreamTokens({ fetch, now, nonce }: UpstreamTokensDeps): UpstreamTokens {
  const known = new Map<string, Entry>()
  const underway = new Map<string, Promise<AccessToken | TokenProblem>>()

  const renew = (credentials: TokenCredentials): Promise<AccessToken | TokenProblem> => {
    const { cacheKey } = credentials
    const running = underway.get(cacheKey)
    if (running !== undefined) return running
    const started = fetchToken(credentials, fetch, now, nonce()).then((outcome) => {
      underway.delete(cacheKey)
      return keep(cacheKey, outcome)
    })
    underway.set(cacheKey, started)
    return started
  }

  /** A token that is still valid is kept when the next one cannot be fetched. */
  const keep = (cacheKey: string, outcome: AccessToken | TokenProblem): AccessToken | TokenProblem => {
    const before = known.get(cacheKey)?.outcome
    const holds = 'problem' in outcome && before !== undefined && 'token' in before && before.expiresAt > now()
    const kept = holds ? before : outcome
    const staleAt = 'problem' in outcome ? now() + PROBLEM_HOLDS_MS : staleFrom(outcome, now())
    known.delete(cacheKey)
    known.set(cacheKey, { outcome: kept, at: now(), staleAt })
    const [oldest] = known.size > TOKENS_MAX ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    return kept
  }

  return {
    async token(credentials, signal) {
      const entry = known.get(credentials.cacheKey)
      if (entry === undefined) return await orGivenUp(renew(credentials), signal)
      known.delete(credentials.cacheKey)
      known.set(credentials.cacheKey, entry)
      const time = now()
      if (time >= entry.at && time < entry.staleAt) return entry.outcome
      const renewed = renew(credentials)
      const isGood = 'token' in entry.outcome && now() < entry.outcome.expiresAt
      return isGood ? entry.outcome : await orGivenUp(renewed, signal)
    },
    forget({ cacheKey }, token) {
      const outcome = known.get(cacheKey)?.outcome
      if (outcome !== undefined && 'token' in outcome && outcome.token === token) known.delete(cacheKey)
    },
  }
}

function staleFrom({ expiresAt }: AccessToken, now: number): number {
  return Math.max(expiresAt - RENEW_BEFORE_MS, now + (expiresAt - now) * 0.8)
}

async function fetchToken(
  credentials: TokenCredentials,
  fetch: FetchGuarded,
  now: () => number,
  nonce: string,
): Promise<AccessToken | TokenProblem> {
  const { origin, path, headers, body } = credentials.request(now(), nonce)
  const outcome = await fetch({
    method: 'POST',
    url: origin + path,
    secretHeaders: pairsOf(headers),
    body,
    timeoutMs: TIMEOUT_MS,
    maxBytes: REPLY_BYTES_MAX,
    signal: new AbortController().signal,
  })
  if (!outcome.ok) {
    return {
      problem: `the token server for the channel's key was asked: ${outcome.reason}`,
      cause: 'provider',
    }
  }
  const read = credentials.read(outcome.status, outcome.body.toString(), now())
  if ('problem' in read) {
    const cause = causeOfReply(outcome.status)
    const isAboutTime = cause === 'account' && clocksDiffer(outcome.headers['date'], now())
    return isAboutTime ? { problem: `${read.problem}; ${OFF_CLOCK}`, cause: 'setup' } : { ...read, cause }
  }
  if (read.expiresAt > now()) return read
  return { problem: 'the token that was returned has already expired', cause: 'provider' }
}

/** RFC 6749, 5.2: 400 and 401 refuse the client or its assertion, which is made from the channel's key. */
function causeOfReply(status: number): FailureCause {
  if (status === 400 || ACCOUNT_STATUSES.has(status)) return 'account'
  return status === 429 ? 'limited' : 'provider'
}

function orGivenUp<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | TokenProblem> {
  if (signal.aborted) return Promise.resolve(GIVEN_UP)
  return new Promise((resolve) => {
    const stop = () => resolve(GIVEN_UP)
    signal.addEventListener('abort', stop, { once: true })
    void promise.then((value) => {
      signal.removeEventListener('abort', stop)
      resolve(value)
    })
  })
}

const GIVEN_UP: TokenProblem = { problem: 'nobody waits for the token any more', cause: 'stopped' }

function pairsOf(list: readonly string[]): Readonly<Record<string, string>> {
  const pairs: Record<string, string> = {}
  for (let i = 0; i + 1 < list.length; i += 2) pairs[list[i] ?? ''] = list[i + 1] ?? ''
  return pairs
}
