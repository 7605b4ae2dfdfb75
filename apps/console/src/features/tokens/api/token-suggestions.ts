import { searchTokens } from '@sluice/contract/routes/tokens'
import type { Call } from '../../../lib/http/call.ts'

/** Suggestions drawn under the search field. */
const MOST_SUGGESTIONS = 10

export interface TokenSuggestion {
  readonly id: string
  readonly label: string
  readonly hint: string
}

/** Own tokens whose name starts with the text; `undefined` when the call failed. */
export async function suggestTokens(
  call: Call,
  text: string,
  signal: AbortSignal,
): Promise<TokenSuggestion[] | undefined> {
  const reply = await call(searchTokens, { query: { keyword: text, size: String(MOST_SUGGESTIONS) }, signal })
  if (!reply.ok) return undefined
  return reply.data.map((token) => ({ id: String(token.id), label: token.name, hint: `#${token.id}` }))
}
