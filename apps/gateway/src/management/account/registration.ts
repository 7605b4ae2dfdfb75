import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { BodyOutput } from '@sluice/contract/route'
import * as routes from '@sluice/contract/routes/registration'
import { type EmailProof, isEmailTaken } from '@sluice/store/queries/accounts/email-codes'
import { type Binding, bind } from '../bind.ts'
import type { BotChallenge } from '../identity/bot-challenge.ts'
import { invalidField } from '../issue-text.ts'
import type { SharedPorts } from '../ports.ts'
import type { CriticalThrottle } from '../sessions/critical-throttle.ts'
import type { KnownDevices } from '../sessions/known-devices.ts'
import type { Passwords } from '../sessions/passwords.ts'
import { busy } from '../sessions/sign-in.ts'
import { type CodeUse, domainRefusal, type EmailCodes } from './email-codes.ts'
import { type NewAccountDeps, openNewAccount } from './new-account.ts'
import type { PasswordReset } from './password-reset.ts'

export interface RegistrationParts {
  readonly deps: NewAccountDeps
  readonly passwords: Passwords
  readonly throttle: CriticalThrottle
  readonly challenge: BotChallenge
  readonly codes: EmailCodes
  readonly reset: PasswordReset
  readonly devices: KnownDevices
}

/** The routes for strangers: sign up, prove an address, request a new password. */
export function registrationRoutes(parts: RegistrationParts): readonly Binding[] {
  const { deps, passwords, throttle, challenge, codes, reset, devices } = parts

  return [
    bind(routes.register, async ({ query, body, context }) => {
      const refusal = closed(deps) ?? throttle.byAddress(context) ?? (await challenge.demand(context, query.turnstile))
      if (refusal !== undefined) return refusal
      const proof = await proofOf(deps, codes, body)
      if (proof !== undefined && isRefusal(proof)) return proof
      const hashed = await passwords.hash(body.password)
      if (hashed === 'busy') return busy()
      const opened = await openNewAccount(deps, {
        username: body.username,
        passwordHash: hashed.hash,
        displayName: '',
        // An unproved address is not stored, as in the family.
        email: proof === undefined ? '' : body.email,
        proof,
        affCode: body.aff_code,
      })
      if (opened === 'name_taken') return { code: 'name_taken', field: 'username' }
      return opened === 'code_used' ? { code: 'email_code_wrong', field: 'verification_code' } : {}
    }),

    bind(routes.sendVerificationCode, async ({ caller, query, context }) => {
      const refusal =
        throttle.byAddress(context) ??
        (caller === undefined ? await challenge.demand(context, query.turnstile) : throttle.byAccount(caller.id)) ??
        domainRefusal(deps.options(), query.email) ??
        throttle.byMailbox(query.email.toLowerCase())
      const isOwn = caller !== undefined && query.purpose !== 'register'
      const use: CodeUse = isOwn ? { action: 'change_address', caller } : { action: 'register' }
      return refusal ?? (await codes.send(query.email, use)) ?? {}
    }),

    bind(routes.requestPasswordReset, async ({ query, context }) => {
      const refusal = throttle.byAddress(context) ?? throttle.byMailbox(query.email.toLowerCase())
      return refusal ?? reset.request(query.email) ?? {}
    }),

    bind(routes.resetPassword, async ({ body, context }) => {
      const refusal = throttle.byAddress(context)
      if (refusal !== undefined) return refusal
      const done = await reset.complete(body)
      if (isRefusal(done)) return done
      // The reader of the account's mail can sign in from here at once, no matter how many others try.
      devices.remember(context, [body.email, done.username])
      return { data: done.password }
    }),
  ]
}

function closed({ options }: Pick<SharedPorts, 'options'>): Refusal | undefined {
  if (!options().RegisterEnabled) return { code: 'registration_disabled' }
  return options().PasswordRegisterEnabled ? undefined : { code: 'password_registration_disabled' }
}

/** The proof of a newcomer's address. Without a proof, the account has no address, or is refused if the setting requires one. */
async function proofOf(
  deps: NewAccountDeps,
  codes: EmailCodes,
  { email, verification_code: code }: BodyOutput<typeof routes.register>,
): Promise<EmailProof | Refusal | undefined> {
  const options = deps.options()
  const needed = options.EmailVerificationEnabled
  if (email === '') return needed ? invalidField('email', 'Valid email is required') : undefined
  if (code === '') return needed ? invalidField('verification_code', 'Verification code is required') : undefined
  const proof = domainRefusal(options, email) ?? (await codes.check(email, code, { action: 'register' }))
  if (proof === undefined) return needed ? { code: 'email_code_wrong', field: 'verification_code' } : undefined
  if (isRefusal(proof)) return proof
  // Only a person who reads this address's mail learns that it is taken.
  return (await isEmailTaken(deps.database.kysely, email, 0)) ? { code: 'email_taken', field: 'email' } : proof
}
