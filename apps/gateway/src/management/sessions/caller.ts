/** The signed-in user, read from the database for this very request. */
export interface Caller {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly group: string
  /** The browser sends a session by itself, in its cookie; an access token is sent on purpose by its holder. */
  readonly via: 'session' | 'access_token'
  /** Unix seconds at which the person signed in; undefined for an access token. */
  readonly signedIn: number | undefined
  /** SHA-256 of the session id or access token, hex: only the same one can finish what the caller begins. */
  readonly proof: string
}
