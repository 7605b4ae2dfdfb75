import { deleteUser, updateUser } from '@sluice/contract/routes/users'
import { type User, USER_STATUS } from '@sluice/contract/user'
import { useQueryClient } from '@tanstack/react-query'
import { formatCount } from '../../../lib/format/quota.ts'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useUser } from '../../../lib/session/use-session.ts'
import { BulkButton } from '../../../ui/table/bulk-button.tsx'
import { authorityOver } from '../model/authority.ts'
import { userTexts } from '../texts/user-texts.ts'

/** What can be done to the selected users; those the visitor may not change are left as they are, and counted. */
export function UserBulkActions({ users, clear }: { users: readonly User[]; clear: () => void }) {
  const t = useTexts(userTexts)
  const call = useCall()
  const cache = useQueryClient()
  const caller = useUser()
  const within = users.filter((user) => authorityOver(caller, user).toggle === undefined)
  const onDone = () => {
    clear()
    void cache.invalidateQueries({ queryKey: ['users'] })
  }
  const setStatus = (status: 1 | 2) => async (user: User) =>
    (await call(updateUser, { query: { status_only: 'true' }, body: { id: user.id, status } })).ok
  const remove = async (user: User) => (await call(deleteUser, { params: { id: user.id } })).ok
  return (
    <>
      {within.length < users.length && (
        <span className="text-muted text-sm">{t.barredRows(formatCount(users.length - within.length))}</span>
      )}
      {within.length > 0 && (
        <>
          <BulkButton label={t.enable} rows={within} act={setStatus(USER_STATUS.enabled)} onDone={onDone} />
          <BulkButton label={t.disable} rows={within} act={setStatus(USER_STATUS.disabled)} onDone={onDone} />
          <BulkButton
            label={t.delete}
            rows={within}
            act={remove}
            onDone={onDone}
            question={{
              title: t.deleteManyTitle,
              text: t.deleteManyText(formatCount(within.length)),
              confirm: t.delete,
              danger: true,
            }}
          />
        </>
      )}
    </>
  )
}
