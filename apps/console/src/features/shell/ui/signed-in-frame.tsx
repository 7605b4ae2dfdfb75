import type { SignedInUser } from '@sluice/contract/user'
import type { ReactNode } from 'react'
import { TipLayer } from '../../../ui/tip-layer.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Frame } from './frame.tsx'
import { NavigationRail } from './navigation-rail.tsx'
import { NavigationSheet } from './navigation-sheet.tsx'
import { Shortcuts } from './shortcuts.tsx'

/** The frame with everything that needs a user. A chunk of its own: visitors at sign-in do not pay for it. */
export function SignedInFrame({ user, children }: { user: SignedInUser; children: ReactNode }) {
  return (
    <Frame headerStart={<NavigationSheet />} headerEnd={<AccountMenu user={user} />} rail={<NavigationRail />}>
      <Shortcuts />
      {children}
      <TipLayer />
    </Frame>
  )
}
