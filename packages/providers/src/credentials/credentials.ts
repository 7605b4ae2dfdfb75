/** Alternating header names (lower case) and values. */
export type HeaderList = readonly string[]

/** What authenticates calls to a provider. Built once per channel; `problem` texts never contain a secret. */
export type Credentials =
  | { readonly kind: 'fixed'; readonly headers: HeaderList }
  | SignedCredentials
  | TokenCredentials

export interface SignedCredentials {
  readonly kind: 'signed'
  /** Pure; `now` in unix ms. */
  sign(request: SignableRequest, now: number): HeaderList
}

export interface TokenCredentials {
  readonly kind: 'token'
  /** A digest, not a secret; channels with the same value share their tokens. */
  readonly cacheKey: string
  /** Requests a token. `now` in unix ms, `nonce` unique. */
  request(now: number, nonce: string): TokenRequest
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
  /** Unix ms; a new token is fetched some time earlier. */
  readonly expiresAt: number
}

export interface SignableRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly origin: string
  readonly path: string
  readonly headers: HeaderList
  readonly body: Uint8Array
}
