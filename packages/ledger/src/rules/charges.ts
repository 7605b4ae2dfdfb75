import { MS_PER_DAY } from '../budget-window.ts'
import type { LeasedHold, Outcome, Settlement } from '../operation.ts'
import { savedByCache, type TokenCounts } from '../pricing.ts'
import { encodeUnits, outputUnits, promptUnits } from '../unit-class.ts'
import { fitsInt64 } from '../units.ts'
import { countSpending } from './budgets.ts'
import { correctionEvent } from './events.ts'
import { isHoldOf, release } from './holds.ts'
import { spendLease } from './leases.ts'
import { DONE, invalid, OUT_OF_RANGE } from './outcomes.ts'
import { type Account, type Charged, LOG_TYPE, type PricedTokens, type UsageRow } from './rows.ts'
import { settlementFault } from './settlement-fault.ts'
import { stateOf } from './transitions.ts'
import type { WorkingSet } from './working-set.ts'

/** Reason recorded for a charge that deliberately has no log row; see invariant I5. */
const UNLOGGED = 'unlogged'

/** absent | open → charged; charged → corrected, once. Delivered service is charged even beyond the balance. */
export function applySettle(set: WorkingSet, settlement: Settlement, leased?: LeasedHold): Outcome {
  const fault = settlementFault(set, settlement)
  if (fault !== undefined) return fault
  const hold = set.hold(settlement.requestId)
  if (hold !== undefined && !isHoldOf(hold, settlement))
    return invalid('the settlement names other accounts than the hold')
  const before = hold === undefined ? set.charged(settlement.requestId) : undefined
  if (before !== undefined) return correct(set, settlement, before)
  const outcome = consume(set, settlement)
  if (outcome !== DONE) return outcome
  if (hold !== undefined) release(set, hold)
  else if (leased !== undefined) spendLease(set, leased, settlement)
  return outcome
}

function consume(set: WorkingSet, settlement: Settlement): Outcome {
  const { requestId, account, limitAccount, amount, tokens, channelId, log } = settlement
  const atMs = log.createdAt * 1_000
  const model = storable(settlement.model)
  if (!post(set, settlement, amount)) return OUT_OF_RANGE
  for (const id of [account, limitAccount]) {
    const charged = set.account(id)
    if (charged === undefined) continue
    charged.requests += 1
    charged.lastMs = Math.max(charged.lastMs, atMs)
  }
  set.transfers.push({
    requestId,
    kind: 'consume',
    debit: account,
    credit: set.revenue.id,
    limitAccount,
    amount,
    priceId: set.priceId(settlement.price),
    tokens,
    channelId,
    model,
    actor: 0,
    reason: log.unlogged === true ? UNLOGGED : '',
    atMs,
    refersTo: null,
  })
  if (log.unlogged !== true) logCharge(set, settlement, model)
  set.traces.set(requestId, settlement.trace)
  const usage = { ...usageOf(settlement, { channelId, model, atMs }), requests: 1, ...countTokens(tokens), amount }
  countUsage(set, settlement, usage, atMs)
  set.setCharged(requestId, {
    account,
    limitAccount,
    amount,
    net: amount,
    tokens,
    channelId,
    model,
    atMs,
    corrected: false,
    refunded: 0n,
  })
  return DONE
}

function logCharge(set: WorkingSet, settlement: Settlement, model: string): void {
  const { requestId, userId, tokenId, channelId, amount, tokens, log } = settlement
  set.logs.push({
    ...log,
    ...countColumns(tokens),
    type: LOG_TYPE.consume,
    userId,
    tokenId,
    model,
    channelId,
    amount,
    requestId,
    saved: savedByCache(tokens, settlement.price),
  })
}

export function countColumns(tokens: TokenCounts) {
  return {
    ...countTokens(tokens),
    cachedPromptTokens: tokens.cachedInput,
    cacheWrite5mTokens: tokens.cacheWrite5m,
    cacheWrite1hTokens: tokens.cacheWrite1h,
    reasoningTokens: tokens.reasoning,
    units: encodeUnits(tokens.units),
  }
}

/** Posts the difference between a later settlement and the first one, unless the charge is final. */
function correct(set: WorkingSet, settlement: Settlement, before: Charged): Outcome {
  const { requestId, account, limitAccount, amount, tokens, log } = settlement
  if (before.account !== account || before.limitAccount !== limitAccount) {
    return invalid('the settlement names other accounts than the charge')
  }
  const more = amount - before.amount
  if (more === 0n || stateOf(set, requestId) !== 'charged') return DONE
  if (!post(set, settlement, more)) return OUT_OF_RANGE
  set.transfers.push({
    requestId,
    kind: more > 0n ? 'adjust' : 'refund',
    debit: more > 0n ? account : set.revenue.id,
    credit: more > 0n ? set.revenue.id : account,
    limitAccount,
    amount: more > 0n ? more : -more,
    priceId: set.priceId(settlement.price),
    tokens,
    channelId: before.channelId,
    model: before.model,
    actor: 0,
    reason: log.ended,
    atMs: log.createdAt * 1_000,
    refersTo: null,
  })
  set.corrections.push({
    ...log,
    ...countColumns(tokens),
    createdAt: before.atMs / 1_000,
    requestId,
    amount,
    saved: savedByCache(tokens, settlement.price),
  })
  set.events.push(correctionEvent(account, requestId, more))
  set.traces.set(requestId, settlement.trace)
  const [counted, charged] = [countTokens(tokens), countTokens(before.tokens)]
  const usage = {
    ...usageOf(settlement, before),
    requests: 0,
    promptTokens: counted.promptTokens - charged.promptTokens,
    completionTokens: counted.completionTokens - charged.completionTokens,
    amount: more,
  }
  countUsage(set, settlement, usage, before.atMs)
  set.setCharged(requestId, { ...before, net: amount, corrected: true })
  return DONE
}

/** Counts a charge by its time in the daily sums and the budgets. */
function countUsage(
  set: WorkingSet,
  { account, limitAccount, userId }: Settlement,
  usage: UsageRow,
  atMs: number,
): void {
  set.addUsage(usage)
  for (const id of [account, limitAccount]) {
    const charged = set.account(id)
    if (charged !== undefined) countSpending(set, charged, userId, usage.amount, atMs)
  }
}

function usageOf(
  { userId, tokenId }: Settlement,
  { channelId, model, atMs }: Pick<Charged, 'channelId' | 'model' | 'atMs'>,
): Pick<UsageRow, 'day' | 'userId' | 'tokenId' | 'channelId' | 'model'> {
  return { day: Math.floor(atMs / MS_PER_DAY), userId, tokenId, channelId, model }
}

function countTokens(tokens: PricedTokens): { promptTokens: number; completionTokens: number } {
  return {
    promptTokens:
      tokens.input + tokens.cachedInput + tokens.cacheWrite5m + tokens.cacheWrite1h + promptUnits(tokens.units),
    completionTokens: tokens.output + outputUnits(tokens.units),
  }
}

/**
 * A name that every engine stores unchanged: PostgreSQL text has no NUL, and UTF-8 has no lone surrogate, so two names that differ
 * only there would share a key.
 */
function storable(name: string): string {
  return name.isWellFormed() && !name.includes('\0') ? name : name.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** Moves `amount` (negative: back) from the user to the revenue and counts it, unless a balance would not hold it. */
export function post(
  set: WorkingSet,
  { account, limitAccount }: Pick<Charged, 'account' | 'limitAccount'>,
  amount: bigint,
): boolean {
  const user = set.account(account)
  const limit = set.account(limitAccount)
  const { revenue } = set
  if (user === undefined || limit === undefined) return false
  const fits = fitsInt64(revenue.posted + amount) && canSpend(user, amount) && canSpend(limit, amount)
  if (!fits) return false
  revenue.posted += amount
  for (const charged of [user, limit]) {
    charged.posted -= amount
    charged.spent += amount
  }
  return true
}

function canSpend(account: Account, amount: bigint): boolean {
  return fitsInt64(account.posted - amount) && fitsInt64(account.spent + amount)
}
