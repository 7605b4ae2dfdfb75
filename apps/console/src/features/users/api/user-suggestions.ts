import { searchUsers } from '@sluice/contract/routes/users'
import type { Call } from '../../../lib/http/call.ts'

/** Suggestions drawn under the search field. */
const MOST_SUGGESTIONS = 10

export interface UserSuggestion {
  readonly id: string
  readonly label: string
  readonly role: number
}

/** Users whose name, display name or email begins with the text or whose id it is; `undefined` when the call failed. */
export async function suggestUsers(
  call: Call,
  text: string,
  signal: AbortSignal,
): Promise<UserSuggestion[] | undefined> {
  const reply = await call(searchUsers, { query: { keyword: text, size: String(MOST_SUGGESTIONS) }, signal })
  if (!reply.ok) return undefined
  return reply.data.map(({ id, username, role }) => ({ id: String(id), label: username, role }))
}
