/** A call to an address that someone typed, made by one client that guards every connection (classes S3, S4, S5). */
export interface GuardedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Absolute, http or https, without user name and password. */
  readonly url: string
  /** Headers that any server may read. */
  readonly headers?: Readonly<Record<string, string>>
  /** Keys and tokens: sent only to the origin of `url`, even when it redirects elsewhere. */
  readonly secretHeaders?: Readonly<Record<string, string>>
  readonly body?: string
  /** For the whole call, redirects and body included. At most `GUARDED_LIMITS.timeoutMs`, which is also the default. */
  readonly timeoutMs?: number
  /** Bytes of the reply's body. At most `GUARDED_LIMITS.maxBytes`, which is also the default. */
  readonly maxBytes?: number
  /** Redirects to follow, each checked: 0 by default, at most `GUARDED_LIMITS.redirects`. GET only: a body is sent once. */
  readonly redirects?: number
  /** Ends the call when its result is no longer needed. */
  readonly signal: AbortSignal
}

export type Outcome = GuardedReply | FetchFault

export interface GuardedReply {
  readonly ok: true
  /** Any status but a redirect. */
  readonly status: number
  /** Lower-case names; the first value of a repeated name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface FetchFault {
  readonly ok: false
  readonly fault: FetchFaultKind
  /** Part of a sentence for an operator; contains no address and nothing of the request. */
  readonly reason: string
}

/**
 * address → not a URL that may be called · refused → its address is not allowed · unreachable → no connection · timeout → no whole
 * reply in time · redirect → it leads elsewhere · too_large → beyond `maxBytes` · broken → not a whole HTTP reply · cancelled →
 * `signal`
 */
export type FetchFaultKind =
  | 'address'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'redirect'
  | 'too_large'
  | 'broken'
  | 'cancelled'

/** Never rejects. */
export type FetchGuarded = (request: GuardedRequest) => Promise<Outcome>

/** Milliseconds, bytes, hops. */
export const GUARDED_LIMITS = { timeoutMs: 15_000, maxBytes: 1_048_576, redirects: 5 } as const
