import { type RawBuilder, sql } from 'kysely'

/** True when a user's address is this one, ignoring case. Uses the index `user_by_email`. */
export function sameEmail(email: string): RawBuilder<boolean> {
  return sql<boolean>`lower("user".email) = ${email.toLowerCase()}`
}
