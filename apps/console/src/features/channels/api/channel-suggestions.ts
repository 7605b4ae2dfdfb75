import { searchChannels } from '@sluice/contract/routes/channels'
import type { Call } from '../../../lib/http/call.ts'

/** Suggestions drawn under the search field. */
const MOST_SUGGESTIONS = 10

export interface ChannelSuggestion {
  readonly id: string
  readonly label: string
  readonly hint: string
}

/** Channels whose name starts with the text or whose id it is; `undefined` when the call failed. */
export async function suggestChannels(
  call: Call,
  text: string,
  signal: AbortSignal,
): Promise<ChannelSuggestion[] | undefined> {
  const reply = await call(searchChannels, { query: { keyword: text, size: String(MOST_SUGGESTIONS) }, signal })
  if (!reply.ok) return undefined
  return reply.data.map(({ id, name }) => ({ id: String(id), label: name, hint: `#${id}` }))
}
