import type { Binding } from '../bind.ts'
import { type ChallengeDeps, createBotChallenge } from '../identity/bot-challenge.ts'
import { type PasskeyDeps, passkeyRoutes } from '../identity/passkey-routes.ts'
import { PasskeyCeremonies } from '../identity/passkeys.ts'
import { createSecondFactor } from '../identity/second-factor.ts'
import { createStepUp } from '../identity/step-up.ts'
import { type TotpDeps, totpRoutes } from '../identity/totp-routes.ts'
import type { SharedPorts } from '../ports.ts'
import { type ProviderSignInDeps, providerRoutes } from '../provider-sign-in/provider-sign-in.ts'
import { createCriticalThrottle } from '../sessions/critical-throttle.ts'
import { createKnownDevices } from '../sessions/known-devices.ts'
import { linkSignInRoutes } from '../sessions/link-sign-in.ts'
import { createLoginThrottle } from '../sessions/login-throttle.ts'
import { ownSessionRoutes } from '../sessions/own-sessions.ts'
import type { Passwords } from '../sessions/passwords.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { SignInLink } from '../sessions/sign-in-link.ts'
import { sessionRoutes, type SignInDeps } from '../sessions/sign-in.ts'
import { accountRoutes, type OwnAccountDeps } from './account.ts'
import { createEmailCodes } from './email-codes.ts'
import { payGifts } from './gifts.ts'
import type { NewAccountDeps } from './new-account.ts'
import { ownKeyRoutes, type OwnKeyDeps } from './own-keys.ts'
import { createPasswordReset } from './password-reset.ts'
import { registrationRoutes } from './registration.ts'

export type AccountDeps = SignInDeps &
  ProviderSignInDeps &
  NewAccountDeps &
  OwnAccountDeps &
  TotpDeps &
  PasskeyDeps &
  OwnKeyDeps &
  ChallengeDeps &
  Pick<SharedPorts, 'inBackground'> & {
    /** Signs in a root without a password; issued at start. */
    readonly signInLink: SignInLink
  }

export function accountBindings(deps: AccountDeps, sessions: Sessions, passwords: Passwords): readonly Binding[] {
  const throttle = createCriticalThrottle(deps)
  const devices = createKnownDevices(deps)
  const challenge = createBotChallenge(deps)
  const secondFactor = createSecondFactor(deps)
  const stepUp = createStepUp(deps, passwords, secondFactor)
  const codes = createEmailCodes(deps)
  const reset = createPasswordReset(deps, passwords)
  // Pays gifts that an earlier process promised but could not pay.
  deps.inBackground(() => payGifts(deps))
  const signIn = { deps, sessions, throttle: createLoginThrottle(deps.now), devices, secondFactor }
  return [
    ...sessionRoutes({ ...signIn, passwords, challenge }),
    ...linkSignInRoutes({ ...signIn, signInLink: deps.signInLink }),
    ...providerRoutes({ deps, sessions, secondFactor, devices }),
    ...registrationRoutes({ deps, passwords, throttle, challenge, codes, reset, devices }),
    ...accountRoutes({ deps, sessions, passwords, throttle, codes, stepUp }),
    ...ownSessionRoutes(deps),
    ...totpRoutes(deps, sessions, secondFactor),
    ...passkeyRoutes({ deps, sessions, throttle, devices, ceremonies: new PasskeyCeremonies(deps) }),
    ...ownKeyRoutes(deps, stepUp),
  ]
}
