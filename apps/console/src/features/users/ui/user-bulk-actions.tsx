import type { User } from '@sluice/contract/user'
import { formatCount } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useUser } from '~/lib/session/use-session.ts'
import { BulkChanges } from '~/ui/table/bulk-changes.tsx'
import { userChanges } from '../calls.ts'
import { authorityOver } from '../model/authority.ts'
import { userTexts } from '../texts/user-texts.ts'

/** The actions on the selected users; those that the visitor may not change are left as they are, and counted. */
export function UserBulkActions({ users, clear }: { users: readonly User[]; clear: () => void }) {
  const t = useTexts(userTexts)
  const calls = userChanges(useCall())
  const caller = useUser()
  const within = users.filter((user) => authorityOver(caller, user).toggle === undefined)
  return (
    <>
      {within.length < users.length && (
        <span className="text-muted text-sm">{t.barredRows(formatCount(users.length - within.length))}</span>
      )}
      {within.length > 0 && <BulkChanges area="users" calls={calls} rows={within} clear={clear} texts={t} />}
    </>
  )
}
