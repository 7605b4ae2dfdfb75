/**
 * A call to an address that somebody typed into a setting or a form. Made by one client, which guards every connection
 * (classes S3, S4, S5).
 */
export interface OutsideRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Absolute, http or https, without name and password in it. */
  readonly url: string
  /** What any server may read. */
  readonly headers?: Readonly<Record<string, string>>
  /** Keys and tokens: sent to the origin of `url` only, also when it redirects elsewhere. */
  readonly secretHeaders?: Readonly<Record<string, string>>
  readonly body?: string
  /** For the whole call, redirects and body included. At most `OUTSIDE_LIMITS.timeoutMs`, which is also the default. */
  readonly timeoutMs?: number
  /** Bytes of the reply's body. At most `OUTSIDE_LIMITS.maxBytes`, which is also the default. */
  readonly maxBytes?: number
  /**
   * Redirects to follow; none unless said, at most `OUTSIDE_LIMITS.redirects`. GET only: a body is never sent twice. Each
   * one is checked like the first address.
   */
  readonly redirects?: number
  /** Ends the call when nobody waits for it any more. */
  readonly signal: AbortSignal
}

export type Outcome = OutsideReply | OutsideFault

export interface OutsideReply {
  readonly ok: true
  /** Any status but a redirect. */
  readonly status: number
  /** Lower-case names; of a name that came twice, the first value. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface OutsideFault {
  readonly ok: false
  readonly fault: OutsideFaultKind
  /** One sentence part for an operator; it holds no address and nothing of the request. */
  readonly reason: string
}

/**
 * address → not a URL that may be asked · refused → its address is not allowed · unreachable → no connection ·
 * timeout → no whole reply in time · redirect → it leads elsewhere · too_large → beyond `maxBytes` ·
 * broken → no whole HTTP reply · cancelled → `signal`
 */
export type OutsideFaultKind =
  | 'address'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'redirect'
  | 'too_large'
  | 'broken'
  | 'cancelled'

/** Never rejects. */
export type FetchOutside = (request: OutsideRequest) => Promise<Outcome>

/** Milliseconds, bytes, hops. */
export const OUTSIDE_LIMITS = { timeoutMs: 15_000, maxBytes: 1_048_576, redirects: 5 } as const
