import type { AccountKind, BudgetsOperation, Operation, Settlement } from '../operation.ts'
import { type Price, priceContent } from '../pricing.ts'
import { decodeProgress } from '../progress.ts'
import type { RecoverOperation } from '../rules/recovery.ts'
import { fitsInt64 } from '../units.ts'
import { accountKey } from './postgres-source.ts'
import { columnArrays, type Query } from './postgres-statements.ts'
import { SYSTEM_OWNER } from './system-accounts.ts'
import { PRICE } from './tables.ts'

/** Account ids by owner and price ids are cached between batches; above this number all are looked up again. */
const MAX_REMEMBERED = 20_000

/** What a batch needs. Everything that requires no lock has already been opened or looked up. */
export interface PreparedBatch {
  /** Accounts to lock. */
  readonly accounts: ReadonlySet<number>
  /** The paying user's account, by the token's limit account. */
  readonly payers: ReadonlyMap<number, number>
  /** Requests whose hold must be read. */
  readonly holds: ReadonlySet<string>
  /** Ids whose transfers must be read. */
  readonly transfers: ReadonlySet<string>
  /** Redemption codes to lock. */
  readonly redemptions: ReadonlySet<number>
  /** The operations whose accounts may get a budget, by account. */
  readonly budgets: ReadonlyMap<number, BudgetsOperation>
  /** The batch imports balances from another gateway, so it needs the equity account. */
  readonly imports: boolean
  readonly accountIds: ReadonlyMap<string, number>
  readonly priceIds: ReadonlyMap<string, number>
}

interface Owner {
  readonly kind: AccountKind
  readonly owner: number
}

interface Needs {
  readonly accounts: Set<number>
  readonly payers: Map<number, number>
  readonly owners: Map<string, Owner>
  readonly holds: Set<string>
  /** Requests whose accounts are named only by their hold. */
  readonly unknown: Set<string>
  readonly transfers: Set<string>
  /** Requests whose accounts are named only by their charge. */
  readonly charges: Set<string>
  readonly redemptions: Set<number>
  readonly budgets: Map<number, BudgetsOperation>
  readonly prices: Map<string, Price>
}

/** Prepares batches before their transaction. Opened accounts and stored prices survive a rollback; unused ones do no harm. */
export function createPreparation(
  query: Query,
): (batch: readonly (Operation | RecoverOperation)[]) => Promise<PreparedBatch> {
  const accountIds = new Map<string, number>()
  const priceIds = new Map<string, number>()

  const openAccounts = async (owners: ReadonlyMap<string, Owner>): Promise<void> => {
    if (accountIds.size > MAX_REMEMBERED) accountIds.clear()
    const wanted = [...owners].filter(([key]) => !accountIds.has(key)).map(([, owner]) => owner)
    if (wanted.length === 0) return
    const values = [wanted.map(({ kind }) => kind), wanted.map(({ owner }) => owner)]
    await query('openAccounts', values)
    for (const row of await query('findAccounts', values)) {
      accountIds.set(accountKey(row['kind'] as AccountKind, row['owner_id'] as number), row['id'] as number)
    }
  }

  const storePrices = async (prices: ReadonlyMap<string, Price>): Promise<void> => {
    if (priceIds.size > MAX_REMEMBERED) priceIds.clear()
    const wanted = [...prices].filter(([content]) => !priceIds.has(content)).map(([, price]) => price)
    if (wanted.length === 0) return
    await query('storePrices', columnArrays(PRICE, wanted))
    for (const row of await query('findPrices', [wanted.map(priceContent)])) {
      priceIds.set(row['content'] as string, row['id'] as number)
    }
  }

  return async (batch) => {
    const needs = needsOf(batch)
    await discoverHolds(query, needs)
    await discoverCharges(query, needs)
    await openAccounts(needs.owners)
    await storePrices(needs.prices)
    for (const [key, { kind }] of needs.owners) {
      const id = accountIds.get(key)
      if (id !== undefined && kind !== 'system') needs.accounts.add(id)
    }
    const imports = needs.owners.has(accountKey('system', SYSTEM_OWNER.equity))
    return { ...needs, imports, accountIds, priceIds }
  }
}

/** Needs that follow from the operations alone. Issuance and revenue are always needed. */
function needsOf(batch: readonly (Operation | RecoverOperation)[]): Needs {
  const needs: Needs = {
    accounts: new Set(),
    payers: new Map(),
    owners: new Map(),
    holds: new Set(),
    unknown: new Set(),
    transfers: new Set(),
    charges: new Set(),
    redemptions: new Set(),
    budgets: new Map(),
    prices: new Map(),
  }
  for (const owner of [SYSTEM_OWNER.issuance, SYSTEM_OWNER.revenue]) needOwner(needs, { kind: 'system', owner })
  for (const operation of batch) needOperation(needs, operation)
  return needs
}

function needOperation(needs: Needs, operation: Operation | RecoverOperation): void {
  switch (operation.op) {
    case 'hold':
      needPayer(needs, operation.account, operation.limitAccount)
      needs.holds.add(operation.requestId)
      needs.transfers.add(operation.requestId)
      if (operation.lease !== undefined) needs.holds.add(operation.lease.lease)
      return
    case 'lease':
      needPayer(needs, operation.account, operation.limitAccount)
      needs.holds.add(operation.requestId)
      return
    case 'settle':
      needSettlement(needs, operation.settlement)
      needs.holds.add(operation.settlement.requestId)
      if (operation.lease !== undefined) needs.holds.add(operation.lease.lease)
      needs.transfers.add(operation.settlement.requestId)
      return
    case 'renew':
      needPayer(needs, operation.progress.account, operation.progress.limitAccount)
      needUnknownHold(needs, operation.requestId)
      return
    case 'extend':
    case 'void':
    case 'recover':
      needUnknownHold(needs, operation.requestId)
      return
    case 'refund':
      needs.transfers.add(operation.refundId).add(operation.requestId)
      needs.charges.add(operation.requestId)
      return
    case 'move':
      needs.accounts.add(operation.account)
      needs.transfers.add(operation.requestId)
      if (operation.kind === 'import') needOwner(needs, { kind: 'system', owner: SYSTEM_OWNER.equity })
      return
    case 'redeem':
      needs.accounts.add(operation.account)
      needs.redemptions.add(operation.redemption)
      return
    case 'budgets':
      needs.accounts.add(operation.account)
      needBudgets(needs, operation)
      return
    case 'account':
      needOwner(needs, operation.id)
  }
}

function needPayer({ accounts, payers }: Needs, account: number, limitAccount: number): void {
  accounts.add(account).add(limitAccount)
  payers.set(limitAccount, account)
}

function needSettlement(needs: Needs, settlement: Settlement): void {
  needPayer(needs, settlement.account, settlement.limitAccount)
  // The rules refuse a price that no column can hold; storing it would fail the batch before they run.
  if (isStorable(settlement.price)) needs.prices.set(priceContent(settlement.price), settlement.price)
}

function isStorable({ rates, groupRatio }: Price): boolean {
  const { input, cachedInput, cacheWrite5m, cacheWrite1h, output } = rates
  return [input, cachedInput, cacheWrite5m, cacheWrite1h, output, groupRatio].every(fitsInt64)
}

/** An account's daily sums are read once, starting with the first day that any of its operations needs. */
function needBudgets({ budgets }: Needs, operation: BudgetsOperation): void {
  const earlier = budgets.get(operation.account)
  if (earlier === undefined || operation.at < earlier.at) budgets.set(operation.account, operation)
}

function needUnknownHold(needs: Needs, requestId: string): void {
  needs.holds.add(requestId)
  needs.unknown.add(requestId)
}

function needOwner(needs: Needs, { kind, owner }: Owner): void {
  needs.owners.set(accountKey(kind, owner), { kind, owner })
}

/** Finds the accounts of holds, and what recovery can charge. Takes no lock: later movements are noticed later. */
async function discoverHolds(query: Query, needs: Needs): Promise<void> {
  if (needs.unknown.size === 0) return
  for (const row of await query('findHolds', [[...needs.unknown]])) {
    needPayer(needs, row['account'] as number, row['limit_account'] as number)
    const progress = typeof row['progress'] === 'string' ? decodeProgress(row['progress']) : undefined
    if (progress !== undefined) needSettlement(needs, progress)
  }
}

/** Finds the accounts of charges. Rows of `transfer` never change. */
async function discoverCharges(query: Query, needs: Needs): Promise<void> {
  const { charges } = needs
  if (charges.size === 0) return
  for (const row of await query('findCharges', [[...charges]])) {
    needPayer(needs, row['debit'] as number, row['limit_account'] as number)
  }
}
