import type { HoldAnswer, RequestLedger } from '@sluice/ledger/ledger'
import type { SessionClaim, SessionRefusal } from './session-amounts.ts'
import type { TokenGuard } from './token-guard.ts'

type HoldRequest = Parameters<RequestLedger['hold']>[0] & { readonly session?: SessionClaim | undefined }

/** The ledger as used by the relay: a hold can also be refused because of its session. */
export interface RelayLedger extends Omit<RequestLedger, 'hold'> {
  hold(request: HoldRequest): Promise<HoldAnswer | SessionRefusal>
}

export function isSessionRefusal(answer: HoldAnswer | SessionRefusal): answer is SessionRefusal {
  return typeof answer === 'object' && answer.reason.startsWith('session')
}

/** Every charging path holds and settles through it, so no path bypasses the guard. */
export function createGuardedLedger(ledger: RequestLedger, guard: TokenGuard): RelayLedger {
  const extend: RelayLedger['extend'] = async (requestId, amount) => {
    const answer = await ledger.extend(requestId, amount)
    if (answer === 'held') guard.grow(requestId, amount)
    return answer
  }
  return {
    get dead() {
      return ledger.dead
    },
    hold: async ({ session, ...request }) => {
      if (session === undefined) return await ledger.hold(request)
      const { requestId, amount } = request
      const taken = await guard.take(requestId, session, amount)
      if (taken !== 'within') return taken
      const answer = await ledger.hold(request)
      if (answer !== 'held') guard.end(requestId, 0n)
      return answer
    },
    extend,
    renew: (progress) => ledger.renew(progress),
    settle: async (settlement) => {
      const answer = await ledger.settle(settlement)
      if (answer === 'charged') guard.end(settlement.requestId, settlement.amount)
      return answer
    },
    withdraw: (requestId) => ledger.withdraw(requestId),
    void: async (requestId, trace) => {
      await ledger.void(requestId, trace)
      guard.end(requestId, 0n)
    },
    openAccount: (...account) => ledger.openAccount(...account),
    knownBalance: (account) => ledger.knownBalance(account),
    isComfortable: (account, amount) => ledger.isComfortable(account, amount),
  }
}
