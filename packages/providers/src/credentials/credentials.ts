/** Flat list of header names (lower case) and values. */
export type HeaderList = readonly string[]

/** What authenticates calls to a provider. Built once for each channel; `problem` texts never contain a secret. */
export type Credentials =
  /** The same headers for every call. */
  { readonly kind: 'fixed'; readonly headers: HeaderList } | SignedCredentials | TokenCredentials

/** A signature over each request. */
export interface SignedCredentials {
  readonly kind: 'signed'
  /** Pure; `now` in unix ms. */
  sign(request: SignableRequest, now: number): HeaderList
}

/** A short-lived token, obtained with the channel's key. */
export interface TokenCredentials {
  readonly kind: 'token'
  /** Channels with the same value share their tokens; a digest, not a secret. */
  readonly cacheKey: string
  /** What to send to get a token. `now` in unix ms, `nonce` unique. */
  request(now: number, nonce: string): TokenRequest
  /** Reads the answer to `request`. */
  read(status: number, body: string, now: number): AccessToken | { readonly problem: string }
  headers(token: string): HeaderList
  /** For providers that read the token from the query instead of a header; never logged. */
  query?(token: string): string
}

export interface TokenRequest {
  readonly origin: string
  readonly path: string
  readonly headers: HeaderList
  readonly body: string
}

export interface AccessToken {
  readonly token: string
  /** Unix ms; a new one is fetched some time before. */
  readonly expiresAt: number
}

export interface SignableRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly origin: string
  /** Path and query as they go over the wire. */
  readonly path: string
  readonly headers: HeaderList
  readonly body: Uint8Array
}
