import { useQuery } from '@tanstack/react-query'
import { CallFailed } from '../../../lib/http/call.ts'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useUser } from '../../../lib/session/use-session.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ownAccountQuery } from '../api/own-account.ts'
import { accountTexts } from '../texts/account-texts.ts'
import { ProfileForm } from './profile-form.tsx'

/** The own account as it is stored, in its form; root with the first password is told to change it. */
export function OwnProfile() {
  const t = useTexts(accountTexts)
  const user = useUser()
  const query = useQuery(ownAccountQuery(useCall()))
  return (
    <>
      {user?.password_change_required === true && <Notice tone="bad">{t.firstPassword}</Notice>}
      {query.isError && (
        <Notice tone="bad">{(query.error instanceof CallFailed && query.error.failure.message) || t.loadFailed}</Notice>
      )}
      {query.isPending && <Skeleton className="h-96 w-full rounded-lg" />}
      {query.data !== undefined && <ProfileForm account={query.data} />}
    </>
  )
}
