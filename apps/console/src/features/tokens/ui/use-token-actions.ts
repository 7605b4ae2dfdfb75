import { deleteToken, updateToken } from '@sluice/contract/routes/tokens'
import { type Token, TOKEN_STATUS } from '@sluice/contract/token'
import { useQueryClient } from '@tanstack/react-query'
import type { Failure } from '../../../lib/http/call.ts'
import { isWorthTelling } from '../../../lib/http/call.ts'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useConfirm } from '../../../ui/confirm.tsx'
import { useToasts } from '../../../ui/toast/toasts.ts'
import { TOKEN_LISTS, type TokenPage } from '../api/token-list.ts'
import { tokenTexts } from '../texts/token-texts.ts'

/** Name of a token in a sentence; its id where it has no name. */
export function useTokenLabel(): (token: Pick<Token, 'id' | 'name'>) => string {
  const t = useTexts(tokenTexts)
  return ({ id, name }) => (name === '' ? t.nameOrId(String(id)) : name)
}

/** What the list can do to a token. */
export interface TokenActions {
  /** Enables a token that is not enabled and disables one that is: at once in the list, taken back on refusal. */
  readonly toggle: (token: Token) => Promise<void>
  /** Deletes after a confirmation. */
  readonly remove: (token: Token) => void
}

export function useTokenActions(): TokenActions {
  const t = useTexts(tokenTexts)
  const call = useCall()
  const cache = useQueryClient()
  const toasts = useToasts()
  const confirm = useConfirm()
  const label = useTokenLabel()

  const tell = (title: string, failure: Failure) => {
    if (!isWorthTelling(failure)) return
    toasts.show({ tone: 'bad', title, ...(failure.message !== '' && { text: failure.message }) })
  }

  const toggle = async (token: Token) => {
    const status = token.status === TOKEN_STATUS.enabled ? TOKEN_STATUS.disabled : TOKEN_STATUS.enabled
    await cache.cancelQueries({ queryKey: TOKEN_LISTS })
    const before = cache.getQueriesData<TokenPage>({ queryKey: TOKEN_LISTS })
    cache.setQueriesData<TokenPage>({ queryKey: TOKEN_LISTS }, (page) => withStatus(page, token.id, status))
    const reply = await call(updateToken, { query: { status_only: '1' }, body: { id: token.id, status } })
    if (!reply.ok) {
      for (const [key, page] of before) cache.setQueryData(key, page)
      tell(t.statusFailed, reply)
    }
    await cache.invalidateQueries({ queryKey: ['tokens'] })
  }

  const deleteNow = async (token: Token) => {
    const reply = await call(deleteToken, { params: { id: token.id } })
    if (reply.ok) toasts.show({ tone: 'good', title: t.deleted, text: label(token) })
    else tell(t.deleteFailed, reply)
    await cache.invalidateQueries({ queryKey: ['tokens'] })
  }

  return {
    toggle,
    remove: (token) =>
      confirm({
        title: t.deleteTitle,
        text: t.deleteText(label(token)),
        confirm: t.delete,
        busy: t.deleteBusy,
        danger: true,
        run: () => deleteNow(token),
      }),
  }
}

function withStatus(page: TokenPage | undefined, id: number, status: number): TokenPage | undefined {
  return page && { ...page, rows: page.rows.map((row) => (row.id === id ? { ...row, status } : row)) }
}
