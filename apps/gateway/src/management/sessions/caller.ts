/** Who is signed in, read from the database for this very request. */
export interface Caller {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly group: string
  /** A session travels by itself in the browser's cookie; an access token is sent on purpose by whoever holds it. */
  readonly via: 'session' | 'access_token'
  /** Unix seconds at which the person signed in; undefined for an access token. */
  readonly signedIn: number | undefined
  /** SHA-256 of the session id or access token, hex: what the caller begins can be finished with the same one only. */
  readonly proof: string
}
