import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useCall } from '~/lib/http/use-call.ts'
import { Skeleton } from '~/ui/skeleton.tsx'
import { ownAccountQuery } from '../calls.ts'
import { DeleteAccount } from './delete-account.tsx'
import { GeneratedAccess } from './generated-access.tsx'
import { LinkedAccountSection } from './linked-account-section.tsx'
import { OwnProfile } from './own-profile.tsx'
import { PasskeySection } from './passkey-section.tsx'
import { PreferenceSection } from './preference-section.tsx'
import { SessionSection } from './session-section.tsx'
import { TotpSection } from './totp-section.tsx'

const OwnKeySection = lazy(async () => ({ default: (await import('./own-key-section.tsx')).OwnKeySection }))

/** The settings that each user has. */
export function PersonalTab() {
  const account = useQuery(ownAccountQuery(useCall())).data
  return (
    <>
      <OwnProfile />
      <GeneratedAccess />
      <TotpSection />
      <PasskeySection />
      <LinkedAccountSection account={account} />
      <SessionSection />
      <Suspense fallback={<Skeleton className="h-32 w-full" />}>
        <OwnKeySection />
      </Suspense>
      <PreferenceSection />
      <DeleteAccount account={account} />
    </>
  )
}
