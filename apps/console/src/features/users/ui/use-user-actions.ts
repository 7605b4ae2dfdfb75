import { deleteUser, updateUser } from '@sluice/contract/routes/users'
import { type User, USER_STATUS } from '@sluice/contract/user'
import { useQueryClient } from '@tanstack/react-query'
import { type Failure, isWorthTelling } from '../../../lib/http/call.ts'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useConfirm } from '../../../ui/confirm.tsx'
import { useToasts } from '../../../ui/toast/toasts.ts'
import { USER_LISTS, type UserPage } from '../api/user-list.ts'
import { userTexts } from '../texts/user-texts.ts'

/** Long enough to read it and to reach for Undo, in milliseconds. */
const UNDO_TOAST_MS = 6_000

/** What the list can do to its users. */
export interface UserActions {
  /** Enables a disabled user and disables an enabled one: at once in the list, taken back on refusal, with Undo. */
  readonly toggle: (user: User) => Promise<void>
  /** Deletes after a confirmation. */
  readonly remove: (user: User) => void
}

export function useUserActions(): UserActions {
  const t = useTexts(userTexts)
  const call = useCall()
  const cache = useQueryClient()
  const toasts = useToasts()
  const confirm = useConfirm()

  const tell = (title: string, failure: Failure) => {
    if (!isWorthTelling(failure)) return
    toasts.show({ tone: 'bad', title, ...(failure.message !== '' && { text: failure.message }) })
  }

  const setStatus = async (user: User, status: 1 | 2, undo?: () => void) => {
    await cache.cancelQueries({ queryKey: USER_LISTS })
    const before = cache.getQueriesData<UserPage>({ queryKey: USER_LISTS })
    cache.setQueriesData<UserPage>({ queryKey: USER_LISTS }, (page) => withStatus(page, user.id, status))
    const reply = await call(updateUser, { query: { status_only: 'true' }, body: { id: user.id, status } })
    if (reply.ok) {
      const title = status === USER_STATUS.enabled ? t.enabledNow : t.disabledNow
      const way = undo && { action: { label: t.undo, run: undo }, duration: UNDO_TOAST_MS }
      toasts.show({ tone: 'good', title, text: user.username, ...way })
    } else {
      for (const [key, page] of before) cache.setQueryData(key, page)
      tell(t.statusFailed, reply)
    }
    await cache.invalidateQueries({ queryKey: ['users'] })
  }

  const toggle = async (user: User) => {
    const { enabled, disabled } = USER_STATUS
    const [next, back] = user.status === enabled ? ([disabled, enabled] as const) : ([enabled, disabled] as const)
    await setStatus(user, next, () => void setStatus(user, back))
  }

  const removeNow = async (user: User) => {
    const reply = await call(deleteUser, { params: { id: user.id } })
    if (reply.ok) toasts.show({ tone: 'good', title: t.deleted, text: user.username })
    else tell(t.deleteFailed, reply)
    await cache.invalidateQueries({ queryKey: ['users'] })
  }

  return {
    toggle,
    remove: (user) =>
      confirm({
        title: t.deleteTitle,
        text: t.deleteText(user.username),
        confirm: t.delete,
        busy: t.deleteBusy,
        danger: true,
        run: () => removeNow(user),
      }),
  }
}

function withStatus(page: UserPage | undefined, id: number, status: number): UserPage | undefined {
  return page && { ...page, rows: page.rows.map((row) => (row.id === id ? { ...row, status } : row)) }
}
