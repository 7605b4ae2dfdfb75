import { HELD, ORPHANS, POSTED, SPENT, ZERO_SUM } from './invariants/balances.ts'
import { BUDGETED } from './invariants/budgets.ts'
import { CHARGED_ONCE, DAILY_SUMS, LOGGED } from './invariants/charges.ts'
import { IMPORTED } from './invariants/imports.ts'
import type { Invariant } from './invariants/invariant.ts'
import { REDEEMED_ONCE } from './invariants/redemptions.ts'
import { REFUNDED } from './invariants/refunds.ts'
import { REPRICED } from './invariants/repriced.ts'

/** The ledger's promises, in the order of the proof. */
export const INVARIANTS: readonly Invariant[] = [
  POSTED,
  HELD,
  SPENT,
  CHARGED_ONCE,
  LOGGED,
  DAILY_SUMS,
  REDEEMED_ONCE,
  REPRICED,
  ORPHANS,
  ZERO_SUM,
  BUDGETED,
  REFUNDED,
  IMPORTED,
]
