import { createHash } from 'node:crypto'
import type { Refusal } from '@sluice/contract/errors'
import type { RateRule } from '@sluice/coordination/rate'
import { createRateLimiter } from '@sluice/coordination/rate-limit'
import { findTotp, useRecoveryCode, useTotpStep } from '@sluice/store/queries/accounts/totp'
import type { SharedPorts } from '../ports.ts'
import { refusalOf } from '../sessions/critical-throttle.ts'
import { toBase32, totpStep } from './totp.ts'

/**
 * Wrong codes of one user, from anywhere: at this pace a million codes take eleven years. Each browser that the user has signed in
 * with is counted separately, so that someone with only the password cannot lock the user out (class S48).
 */
const PER_USER: RateRule = { limit: 10, periodMs: 60 * 60_000 }
/** Users tracked at once. Further ones are refused rather than let through (class S28). */
const CAPACITY = 100_000

/** A place of entry whose tries are counted separately. */
interface CodeSource {
  readonly id: string
}
/** All sessions of a user are counted together: a session is easily renewed. */
export const SIGNED_IN: CodeSource = { id: 'signed in' }

export interface SecondFactor {
  /**
   * Undefined when the user has no second step, or when `code` is right, which uses it up. A recovery code works as well.
   * `totp_required` when the code is empty. Only wrong codes count against the user. `source`: a browser in which this user has
   * signed in before, or `SIGNED_IN`; undefined for all others.
   */
  readonly check: (userId: number, code: string, source: CodeSource | undefined) => Promise<Refusal | undefined>
}

export function createSecondFactor(deps: Pick<SharedPorts, 'database' | 'vault' | 'now'>): SecondFactor {
  const db = deps.database.kysely
  const failures = createRateLimiter({ capacity: CAPACITY, now: deps.now })

  const isRight = async (userId: number, sealed: string, code: string): Promise<boolean> => {
    if (!/^\d{6}$/.test(code)) return await useRecoveryCode(db, userId, recoveryHash(code))
    const secret = deps.vault.open('totp', sealed)
    const step = secret.ok ? totpStep(secret.text, code, deps.now()) : undefined
    return step !== undefined && (await useTotpStep(db, userId, step))
  }

  return {
    check: async (userId, code, source) => {
      const sealed = await findTotp(db, userId)
      if (sealed === undefined) return undefined
      if (code === '') return { code: 'totp_required', data: { totp_required: true } }
      // Counted before the check, so that parallel tries cannot slip past.
      const key = `${userId} ${source?.id ?? ''}`
      const tooMany = refusalOf(failures.take(key, PER_USER))
      if (tooMany !== undefined) return tooMany
      if (!(await isRight(userId, sealed, code))) return { code: 'totp_wrong', data: { totp_required: true } }
      failures.giveBack(key, PER_USER)
      return undefined
    },
  }
}

const RECOVERY_CODES = 10
const RECOVERY_BYTES = 10

/** Ten codes in the form `ABCD-EFGH-IJKL-MNOP`. */
export function newRecoveryCodes(randomBytes: (size: number) => Uint8Array): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    (toBase32(randomBytes(RECOVERY_BYTES)).match(/.{4}/g) ?? []).join('-'),
  )
}

/** The stored hash of a code, however it was typed. 80 random bits need no salt. */
export function recoveryHash(code: string): string {
  return createHash('sha256')
    .update(code.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase())
    .digest('hex')
}
