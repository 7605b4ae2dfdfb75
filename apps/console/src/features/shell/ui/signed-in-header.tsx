'use no memo' // Every first visit downloads this file, see README: memo code would cost more than it saves here.

import type { SignedInUser } from '@sluice/contract/user'
import { TipLayer } from '../../../ui/tip-layer.tsx'
import { AccountMenu } from './account-menu.tsx'

/** The account menu, and the tips of all controls, which have to stand in some landmark. */
export function SignedInHeader({ user }: { user: SignedInUser }) {
  return (
    <>
      <AccountMenu user={user} />
      <TipLayer />
    </>
  )
}
