export interface Caller {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly group: string
  /** A browser sends a session automatically, in its cookie; the holder of an access token sends it deliberately. */
  readonly via: 'session' | 'access_token'
  /** Unix seconds of the person's sign-in; undefined for an access token. */
  readonly signedIn: number | undefined
  /** SHA-256 of the session id or access token, hex: only the same one can finish what the caller begins. */
  readonly proof: string
}
