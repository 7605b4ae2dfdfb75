import { searchChannels } from '@sluice/contract/routes/channels'
import { modelsDisplay } from '@sluice/contract/routes/public'
import { searchTokens } from '@sluice/contract/routes/tokens'
import { searchUsers } from '@sluice/contract/routes/users'
import type { Call } from '../../../lib/http/call.ts'
import type { Suggestion } from '../../../ui/combobox/use-suggestions.ts'
import type { TermKey } from '../model/filter-terms.ts'

/** Values asked for at once. */
const MOST = 10

/** Values of a filter that the gateway knows and that a text could mean; `undefined` when the call failed. */
export async function findFilterValues(
  call: Call,
  key: TermKey | undefined,
  text: string,
  signal: AbortSignal,
): Promise<readonly Suggestion[] | undefined> {
  const query = { keyword: text, size: String(MOST) }
  switch (key) {
    case 'model': {
      const reply = await call(modelsDisplay, { query: { keyword: text }, signal })
      if (!reply.ok) return undefined
      const names = new Set(Object.values(reply.data).flatMap(({ models }) => Object.keys(models)))
      const wanted = text.toLowerCase()
      return [...names]
        .filter((name) => name.toLowerCase().includes(wanted))
        .slice(0, MOST)
        .map((name) => ({ id: name, label: name }))
    }
    case 'token': {
      const reply = await call(searchTokens, { query, signal })
      return reply.ok ? reply.data.map(({ name }) => ({ id: name, label: name })) : undefined
    }
    case 'user': {
      const reply = await call(searchUsers, { query, signal })
      if (!reply.ok) return undefined
      return reply.data.map(({ id, username }) => ({ id: username, label: username, hint: `#${id}` }))
    }
    case 'channel': {
      const reply = await call(searchChannels, { query, signal })
      return reply.ok
        ? reply.data.map(({ id, name }) => ({ id: String(id), label: String(id), hint: name }))
        : undefined
    }
    default:
      return []
  }
}
