import { KnownBalances } from '@sluice/ledger/commit/known-balances'
import type { Settlement } from '@sluice/ledger/operation'
import { writeSettlement } from '@sluice/ledger/settlement-values'
import type { RelayLedger } from '../relay/guard/guarded-ledger.ts'
import type { Link } from './link.ts'
import type { AgedBalance, MainServices } from './main-services.ts'

/**
 * The ledger of the main thread, as a relay thread sees it. Balances are those that came with the answers to its own holds, so they
 * only tell whether a call to the provider can start while its hold is decided; every hold is decided by the one ledger.
 */
export function createRemoteLedger(
  link: Link<MainServices>,
  steady: () => number,
  now: () => number,
  isDead: () => boolean,
): RelayLedger {
  const balances = new KnownBalances()
  const remember = (seen: readonly AgedBalance[]): void => {
    for (const { age, ...balance } of seen) balances.remember([balance], steady() - age)
  }
  return {
    get dead() {
      return isDead()
    },
    hold: async (request) => {
      const [answer, seen] = await link.call('hold', request)
      remember(seen)
      return answer
    },
    extend: (requestId, amount) => link.call('extend', requestId, amount),
    renew: (progress) => link.call('renew', valuesOf(progress)),
    settle: (settlement) => link.call('settle', valuesOf(settlement)),
    withdraw: (requestId) => link.tell('withdraw', requestId),
    void: (requestId, trace) => link.call('void', requestId, trace),
    openAccount: (...account) => link.call('openAccount', ...account),
    knownBalance: (account) => balances.get(account),
    isComfortable: (account, amount) => balances.isComfortable(account, amount, steady(), now()),
  }
}

/** Names of fields are not sent: they cost more than the values. */
function valuesOf(settlement: Settlement): readonly unknown[] {
  const values: unknown[] = []
  writeSettlement(values, settlement)
  return values
}
