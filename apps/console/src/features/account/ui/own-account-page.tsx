import { Link } from '@tanstack/react-router'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Page } from '~/ui/page.tsx'
import { accountTexts } from '../texts/account-texts.ts'
import { OwnProfile } from './own-profile.tsx'

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
