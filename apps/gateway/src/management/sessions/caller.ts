/** Who is signed in, read from the database for this very request. */
export interface Caller {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly group: string
}
