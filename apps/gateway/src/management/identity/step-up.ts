import type { Refusal } from '@sluice/contract/errors'
import type { RateRule } from '@sluice/coordination/rate'
import { createRateLimiter } from '@sluice/coordination/rate-limit'
import { findTotp } from '@sluice/store/queries/totp'
import { findPasswordHash } from '@sluice/store/queries/users'
import type { ManagementDeps } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'
import { refusalOf } from '../sessions/critical-throttle.ts'
import type { Passwords } from '../sessions/passwords.ts'
import { busy } from '../sessions/sign-in.ts'
import { type SecondFactor, SIGNED_IN } from './second-factor.ts'

/** So long after it a sign-in needs no proof beside it. */
const FRESH_SECONDS = 600
/** Clocks of replicas may differ by so much. A sign-in further ahead of now was dated by a clock that was ahead. */
const CLOCKS_DIFFER_SECONDS = 60
/** Wrong passwords of one user. */
const PER_USER: RateRule = { limit: 10, periodMs: 60 * 60_000 }
/** Users remembered at a time. Beyond that, unknown ones are refused rather than let through (class S28). */
const CAPACITY = 100_000

/** Asks whoever holds a session or an access token to show that they are its person, before what would open the account to others. */
export interface StepUp {
  /**
   * Undefined right after a sign-in, with the second step where the account has one, else with its password. An account that has
   * neither must sign in anew. What an empty text leaves open is asked for by `step_up_required`.
   */
  readonly demand: (
    caller: Caller,
    given: { readonly password: string; readonly totpCode: string },
  ) => Promise<Refusal | undefined>
}

export function createStepUp(
  deps: Pick<ManagementDeps, 'database' | 'now'>,
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
    return right === 'busy' ? busy() : undefined
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
