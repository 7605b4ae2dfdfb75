import { createHash } from 'node:crypto'
import { ROLE } from '@sluice/contract/capability'
import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { LOG_TYPE } from '@sluice/contract/log'
import { REDEMPTION_STATUS } from '@sluice/contract/redemption'
import type { RateRule } from '@sluice/coordination/rate'
import { createRateLimiter } from '@sluice/coordination/rate-limit'
import type { RedeemAnswer } from '@sluice/ledger/ledger'
import { wholeQuota } from '@sluice/ledger/units'
import { findRedemptionByKeyHash, type FoundRedemption } from '@sluice/store/queries/tokens/redemptions'
import type { SharedPorts } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'

const FAILURES: RateRule = { limit: 5, periodMs: 600_000 }
/** Users tracked at once. Further ones are refused rather than let through (class S28). */
const CAPACITY = 100_000

const INVALID: Refusal = { code: 'refused', params: { reason: 'The redemption code is not valid.' }, field: 'key' }
const DISABLED: Refusal = { code: 'refused', params: { reason: 'The redemption code is disabled.' }, field: 'key' }
const USED: Refusal = { code: 'refused', params: { reason: 'The redemption code has been used.' }, field: 'key' }
const EXPIRED: Refusal = { code: 'redemption_code_expired', field: 'key' }

/**
 * Redeems a code. The attempt is counted before the code is checked, and uncounted if the code pays, so parallel guesses cannot
 * slip past the throttle. The ledger ensures that the code pays at most once.
 */
export function createRedeem(
  deps: Pick<SharedPorts, 'database' | 'ledger' | 'now'>,
): (caller: Caller, code: string) => Promise<{ data: number } | Refusal> {
  const limiter = createRateLimiter({ capacity: CAPACITY, now: deps.now })

  const attempt = async (caller: Caller, code: string): Promise<{ data: number } | Refusal> => {
    const found = await findRedemptionByKeyHash(deps.database.kysely, codeHash(code))
    if (found === undefined) return INVALID
    const unusable = unusableNow(found, deps.now())
    if (unusable !== undefined) return unusable
    if (isOfOwnMaking(caller, found)) return { code: 'own_redemption_code', field: 'key' }
    const account = await deps.ledger.openAccount('user', caller.id, false)
    if (account === 'unavailable') return unavailable()
    const answer = await deps.ledger.redeem({
      redemption: found.id,
      account,
      actor: caller.id,
      ...(isAdministrator(caller) && { alteredBy: found.alteredBy }),
      log: {
        type: LOG_TYPE.topup,
        createdAt: Math.floor(deps.now() / 1_000),
        userId: caller.id,
        username: caller.username,
        content: `Redeemed the code "${found.name}" (id ${found.id})`,
      },
    })
    if (answer !== 'unusable') return replyTo(answer)
    // Another user was faster, or the code has changed since it was read.
    const now = await findRedemptionByKeyHash(deps.database.kysely, codeHash(code))
    return now === undefined ? INVALID : (unusableNow(now, deps.now()) ?? USED)
  }

  return async (caller, code) => {
    const user = String(caller.id)
    const decision = limiter.take(user, FAILURES)
    if (!decision.allowed) {
      const seconds = Math.ceil(decision.retryAfterMs / 1_000)
      return { code: 'login_throttled', params: { seconds }, retryAfter: seconds }
    }
    const reply = await attempt(caller, code)
    if (!isRefusal(reply) || reply.code === 'ledger_unavailable') limiter.giveBack(user, FAILURES)
    return reply
  }
}

/**
 * Whether a code would top up a user who may not be topped up this way. An administrator gets quota only from a higher role,
 * whether they made the code, a peer did, or one of them changed a code of root. No one redeems their own code, even after losing
 * the role of administrator. Root may top up anyone.
 */
function isOfOwnMaking(caller: Caller, { createdBy, createdByRole, alteredBy }: FoundRedemption): boolean {
  if (caller.role >= ROLE.root) return false
  if (createdBy === caller.id || alteredBy === caller.id) return true
  return isAdministrator(caller) && ((createdByRole ?? 0) <= caller.role || alteredBy !== 0)
}

function isAdministrator({ role }: Caller): boolean {
  return role >= ROLE.admin && role < ROLE.root
}

/** `now` in unix milliseconds. */
function unusableNow({ status, expiredTime }: FoundRedemption, now: number): Refusal | undefined {
  if (status !== REDEMPTION_STATUS.unused) return status === REDEMPTION_STATUS.used ? USED : DISABLED
  return expiredTime !== 0 && now >= expiredTime * 1_000 ? EXPIRED : undefined
}

function replyTo(answer: Exclude<RedeemAnswer, 'unusable'>): { data: number } | Refusal {
  if (typeof answer === 'object') return { data: wholeQuota(answer.paid) }
  switch (answer) {
    case 'out_of_range':
      return {
        code: 'refused',
        params: { reason: 'The balance would exceed the largest amount that can be recorded.' },
      }
    case 'unavailable':
      return unavailable()
  }
}

function unavailable(): Refusal {
  return { code: 'ledger_unavailable', retryAfter: 1 }
}

const CODE_BYTES = 16

/** 128 random bits as 32 hex characters, the form of the family's codes. */
export function newCode(randomBytes: (size: number) => Uint8Array): string {
  return Buffer.from(randomBytes(CODE_BYTES)).toString('hex')
}

/** Codes are found by this hash. They are case-sensitive. */
export function codeHash(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
