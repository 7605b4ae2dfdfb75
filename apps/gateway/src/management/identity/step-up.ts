import type { Refusal } from '@sluice/contract/errors'
import type { RateRule } from '@sluice/coordination/rate'
import { createRateLimiter } from '@sluice/coordination/rate-limit'
import { findTotp } from '@sluice/store/queries/accounts/totp'
import { findPasswordHash } from '@sluice/store/queries/accounts/users'
import type { SharedPorts } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'
import { refusalOf } from '../sessions/critical-throttle.ts'
import { renewHash } from '../sessions/imported-hash.ts'
import type { Passwords } from '../sessions/passwords.ts'
import { busy } from '../sessions/sign-in.ts'
import { type SecondFactor, SIGNED_IN } from './second-factor.ts'

/** For this long after a sign-in, no further proof is needed. */
const FRESH_SECONDS = 600
/** Clocks of replicas can differ by this much. A sign-in further in the future was dated by a clock that was ahead. */
const CLOCKS_DIFFER_SECONDS = 60
const PER_USER: RateRule = { limit: 10, periodMs: 60 * 60_000 }
/** Users tracked at once. Further ones are refused rather than let through (class S28). */
const CAPACITY = 100_000

/** Asks the holder of a session or access token to prove that the account is theirs, before a change opens it to others. */
export interface StepUp {
  /**
   * Undefined right after a sign-in, with a right code of the second step where the account has one, otherwise with its password.
   * An account without either must sign in again. Without a text, `step_up_required` names what is missing.
   */
  readonly demand: (
    caller: Caller,
    given: { readonly password: string; readonly totpCode: string },
  ) => Promise<Refusal | undefined>
}

export function createStepUp(
  deps: Pick<SharedPorts, 'database' | 'now'>,
  passwords: Passwords,
  secondFactor: SecondFactor,
): StepUp {
  const db = deps.database.kysely
  const failures = createRateLimiter({ capacity: CAPACITY, now: deps.now })

  const checkPassword = async (userId: number, password: string, stored: string): Promise<Refusal | undefined> => {
    const key = String(userId)
    const tooMany = refusalOf(failures.take(key, PER_USER))
    if (tooMany !== undefined) return tooMany
    const right = await passwords.verify(password, stored)
    if (right === false) return { code: 'step_up_wrong', field: 'current_password' }
    failures.giveBack(key, PER_USER)
    if (right === 'busy') return busy()
    await renewHash(db, passwords, { id: userId, passwordHash: stored }, password)
    return undefined
  }

  return {
    demand: async ({ id, signedIn }, { password, totpCode }) => {
      const age = signedIn === undefined ? Infinity : deps.now() / 1_000 - signedIn
      if (age < FRESH_SECONDS && age > -CLOCKS_DIFFER_SECONDS) return undefined
      if ((await findTotp(db, id)) !== undefined) {
        return totpCode === '' ? required('totp_required') : await secondFactor.check(id, totpCode, SIGNED_IN)
      }
      const stored = await findPasswordHash(db, id)
      if (stored === '') return required('sign_in_required')
      return password === '' ? required('password_required') : await checkPassword(id, password, stored)
    },
  }
}

function required(flag: 'password_required' | 'totp_required' | 'sign_in_required'): Refusal {
  return { code: 'step_up_required', data: { [flag]: true } }
}
