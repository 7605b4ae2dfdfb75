import { searchRedemptions } from '@sluice/contract/routes/redemptions'
import type { Call } from '../../../lib/http/call.ts'

/** Suggestions drawn under the search field. */
const MOST_SUGGESTIONS = 10
/** Rows looked at for them: codes made together share a name. */
const LOOKED_AT = 100

export interface RedemptionSuggestion {
  readonly id: string
  readonly label: string
  /** Codes of that name among those looked at. */
  readonly codes: number
}

/** Names that begin with the text, each once; `undefined` when the call failed. */
export async function suggestRedemptions(
  call: Call,
  text: string,
  signal: AbortSignal,
): Promise<RedemptionSuggestion[] | undefined> {
  const reply = await call(searchRedemptions, { query: { keyword: text, size: String(LOOKED_AT) }, signal })
  if (!reply.ok) return undefined
  const codes = new Map<string, number>()
  for (const { name } of reply.data) codes.set(name, (codes.get(name) ?? 0) + 1)
  return [...codes].slice(0, MOST_SUGGESTIONS).map(([name, count]) => ({ id: name, label: name, codes: count }))
}
