import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useUser } from '~/lib/session/session.ts'
import { FormSection } from '~/ui/form/form-shell.tsx'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Page } from '~/ui/page.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { ownAccountQuery } from '../calls.ts'
import { accountTexts } from '../texts/account-texts.ts'
import { ProfileForm } from './profile-form.tsx'

/** The own account as it is stored, in its form; a root user who still has the initial password is told to change it. */
export function OwnProfile() {
  const t = useTexts(accountTexts)
  const user = useUser()
  const query = useQuery(ownAccountQuery(useCall()))
  return (
    <>
      {user?.password_change_required === true && <Notice tone="bad">{t.firstPassword}</Notice>}
      <LoadFailure query={query} text={t.loadFailed} />
      {query.isPending && <ProfileSkeleton />}
      {query.data !== undefined && <ProfileForm account={query.data} />}
    </>
  )
}

/** As high as the form, so that what is below it does not move. */
function ProfileSkeleton() {
  const t = useTexts(accountTexts)
  return (
    <div className="border-line bg-surface divide-line divide-y rounded-lg border">
      <FormSection title={t.profile} text={t.profileText}>
        <Skeleton className="h-14 w-full" />
        <Skeleton className="h-14 w-full" />
        <Skeleton className="h-14 w-full" />
      </FormSection>
      <FormSection title={t.passwordSection} text={t.passwordText}>
        <Skeleton className="h-28 w-full" />
      </FormSection>
      <div className="h-14" />
    </div>
  )
}

/** The own account: names, email, password. A root user who still has the initial password is sent here. */
export function OwnAccountPage() {
  const t = useTexts(accountTexts)
  return (
    <Page title={t.title} width="narrow">
      <OwnProfile />
      <p className="text-muted text-sm">
        {t.moreSettings}{' '}
        <Link to="/settings" className="text-accent underline">
          {t.openSettings}
        </Link>
      </p>
    </Page>
  )
}
