import type { Refusal } from '@sluice/contract/errors'
import { quotaText, mq } from '@sluice/ledger/units'
import { rateLimited } from '../caller/limits/limit.ts'
import { endsAt, paused, secondsUntil } from '../caller/quiet-hours.ts'
import { sessionDigest } from '../caller/session-name.ts'
import type { Authorised } from '../stages/authorised.ts'
import type { Identity } from '../stages/identity.ts'
import { bodyDigest } from './body-digest.ts'
import type { SessionClaim, SessionRefusal } from './session-amounts.ts'
import type { TokenGuard } from './token-guard.ts'

const RELEASE = 'Its owner can release it under Tokens in the console'
/** A session does not end on its own, so a client that retries anyway should wait long. */
const SESSION_RETRY_S = 3_600
const BUSY_MS = 1_000

/** Undefined if the token does not limit sessions. `now` in unix milliseconds. */
export function sessionClaim(
  headers: Authorised['accepted']['headers'],
  identity: Pick<Identity, 'tokenId' | 'guard'>,
  body: Buffer | undefined,
  now: number,
): SessionClaim | undefined {
  const { tokenId, guard } = identity
  if (guard.sessionQuota === 0n) return undefined
  const named = sessionDigest(headers, identity, body)
  // Calls without a session share one session per day: omitting the name must not circumvent the limit.
  const subject = named === '' ? `day ${new Date(now).toISOString().slice(0, 10)}` : named
  return { tokenId, subject, limit: guard.sessionQuota }
}

export function sessionRefusal(refused: SessionRefusal): Refusal {
  switch (refused.reason) {
    case 'session_unavailable':
      return { code: 'ledger_unavailable', retryAfter: 1 }
    case 'session_busy':
      return rateLimited('this session’s limit: its other running calls have reserved the rest', BUSY_MS)
    case 'session': {
      const spent = `${quotaText(mq(refused.spent))} of ${quotaText(mq(refused.limit))} quota`
      const reason = `this session has used ${spent}, and the request could exceed the limit`
      return paused(reason, `${RELEASE} or raise the session limit.`, SESSION_RETRY_S)
    }
  }
}

export interface LoopDeps {
  readonly loops: Pick<TokenGuard, 'countBody'>
  readonly now: () => number
}

/** Counts the call's body, without ids, for a token that watches for loops. */
export async function refuseLoop(
  { loops, now }: LoopDeps,
  { identity: { tokenId, guard: rules }, body }: Pick<Authorised, 'identity' | 'body'>,
): Promise<Refusal | undefined> {
  const until = await loops.countBody(tokenId, bodyDigest(body), rules.repeatRpm)
  if (until === undefined) return undefined
  const reason = `the same body was sent more than ${rules.repeatRpm} times within a minute, which looks like a loop`
  return paused(reason, `${endsAt(until)}. ${RELEASE}.`, secondsUntil(until, now()))
}
