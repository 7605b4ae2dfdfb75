import type { AccountKind, MoveKind } from '../operation.ts'
import { type Price, priceContent } from '../pricing.ts'
import { NO_BUDGETS } from '../rules/budgets.ts'
import type { Account, Budget, Charged, Hold, Moved, Redemption, Refund } from '../rules/rows.ts'
import type { RowSource } from '../rules/working-set.ts'
import { decodeCounts } from '../unit-class.ts'
import type { DailySums } from './postgres-budgets.ts'
import type { PostgresRow } from './postgres-connection.ts'

/** Something that the batch needs did not exist when it was prepared: prepare it again. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile'
}

/** The rules need daily sums that are not among the rows: read the batch again with them. Rare, because new windows are. */
export class DailySumsNeeded extends Error {
  override readonly name = 'DailySumsNeeded'
  /** Days since 1970-01-01. */
  readonly since: number

  constructor(since: number) {
    super()
    this.since = since
  }
}

/** All rows of one batch, read while their accounts were locked. */
export interface PostgresRows {
  readonly accounts: ReadonlyMap<number, Account>
  readonly holds: ReadonlyMap<string, Hold>
  /** Transfers by request id. */
  readonly transfers: ReadonlyMap<string, readonly PostgresRow[]>
  /** Amounts that administrators have given back so far, by charged request. */
  readonly refunded: ReadonlyMap<string, bigint>
  readonly redemptions: ReadonlyMap<number, Redemption>
  /** Only for accounts that are about to get a budget, or for all that have one. */
  readonly dailySums: ReadonlyMap<number, DailySums>
  readonly accountIds: ReadonlyMap<string, number>
  readonly priceIds: ReadonlyMap<string, number>
  readonly revenue: Account
  readonly issuance: Account
  /** Undefined in a batch that imports nothing. */
  readonly equity: Account | undefined
}

export class PostgresSource implements RowSource {
  readonly #rows: PostgresRows

  constructor(rows: PostgresRows) {
    this.#rows = rows
    for (const hold of rows.holds.values()) {
      if (!rows.accounts.has(hold.account) || !rows.accounts.has(hold.limitAccount)) throw new ChangedMeanwhile()
    }
  }

  get revenue(): Account {
    return this.#rows.revenue
  }

  get issuance(): Account {
    return this.#rows.issuance
  }

  get equity(): Account {
    const { equity } = this.#rows
    if (equity === undefined) throw new Error('a batch that imports nothing needs no equity account')
    return equity
  }

  account(id: number): Account | undefined {
    return this.#rows.accounts.get(id)
  }

  accountOf(kind: AccountKind, owner: number): Account {
    const account = this.#rows.accounts.get(this.#rows.accountIds.get(accountKey(kind, owner)) ?? 0)
    if (account === undefined) throw new ChangedMeanwhile()
    return account
  }

  hold(requestId: string): Hold | undefined {
    return this.#rows.holds.get(requestId)
  }

  charged(requestId: string): Charged | undefined {
    const rows = this.#rows.transfers.get(requestId) ?? []
    const consume = rows.find((row) => row['kind'] === 'consume')
    if (consume === undefined) return undefined
    const correction = rows.find((row) => row['kind'] === 'adjust' || row['kind'] === 'refund')
    const amount = consume['amount'] as bigint
    return {
      account: consume['debit'] as number,
      limitAccount: consume['limit_account'] as number,
      amount,
      net: amount + (correction === undefined ? 0n : signedAmount(correction)),
      tokens: {
        input: consume['input_tokens'] as number,
        cachedInput: consume['cached_tokens'] as number,
        cacheWrite5m: consume['cache_write_5m_tokens'] as number,
        cacheWrite1h: consume['cache_write_1h_tokens'] as number,
        output: consume['output_tokens'] as number,
        units: decodeCounts(consume['units'] as string | null),
      },
      channelId: consume['channel_id'] as number,
      model: consume['model'] as string,
      atMs: consume['at_ms'] as number,
      corrected: correction !== undefined,
      refunded: this.#rows.refunded.get(requestId) ?? 0n,
    }
  }

  moved(requestId: string, kind: MoveKind): Moved | undefined {
    const row = this.#rows.transfers.get(requestId)?.find((transfer) => transfer['kind'] === kind)
    if (row === undefined) return undefined
    const { debit, credit, limit_account: limitAccount } = row
    const system = kind === 'import' ? this.equity.id : this.issuance.id
    const account = limitAccount ?? (credit === system ? debit : credit)
    return { account: account as number, actor: row['actor'] as number, atMs: row['at_ms'] as number }
  }

  refund(refundId: string): Refund | undefined {
    const row = this.#rows.transfers.get(refundId)?.find((transfer) => transfer['kind'] === 'admin-refund')
    if (row === undefined) return undefined
    return {
      requestId: row['refers_to'] as string,
      amount: row['amount'] as bigint,
      actor: row['actor'] as number,
      atMs: row['at_ms'] as number,
    }
  }

  redemption(id: number): Redemption | undefined {
    return this.#rows.redemptions.get(id)
  }

  spentSince({ id }: Account, _userId: number, day: number): bigint {
    const read = this.#rows.dailySums.get(id)
    if (read === undefined || read.since > day) throw new DailySumsNeeded(day)
    return read.sums.reduce((sum, each) => (each.day >= day ? sum + each.amount : sum), 0n)
  }

  priceId(price: Price): number {
    const id = this.#rows.priceIds.get(priceContent(price))
    if (id === undefined) throw new ChangedMeanwhile()
    return id
  }
}

function signedAmount(correction: PostgresRow): bigint {
  const amount = correction['amount'] as bigint
  return correction['kind'] === 'adjust' ? amount : -amount
}

export function accountKey(kind: AccountKind, owner: number): string {
  return `${kind} ${owner}`
}

export function readAccount(row: PostgresRow, budgets: readonly Budget[] = NO_BUDGETS): Account {
  return {
    id: row['id'] as number,
    kind: row['kind'] as AccountKind,
    owner: row['owner_id'] as number,
    posted: row['posted'] as bigint,
    held: row['held'] as bigint,
    spent: row['spent'] as bigint,
    requests: row['requests'] as number,
    floor: row['credit_floor'] as bigint,
    unlimited: row['unlimited'] === 1,
    reminded: row['reminded'] === 1,
    lastMs: row['last_ms'] as number,
    budgets,
  }
}

/** A system account before this batch changes it. It is not locked, and only the batch's additions are written. */
export function unlockedSystemAccount(id: number, owner: number): Account {
  return {
    id,
    kind: 'system',
    owner,
    posted: 0n,
    held: 0n,
    spent: 0n,
    requests: 0,
    floor: 0n,
    unlimited: false,
    reminded: false,
    lastMs: 0,
    budgets: NO_BUDGETS,
  }
}

export function readRedemption(row: PostgresRow): Redemption {
  return {
    id: row['id'] as number,
    amount: row['amount'] as bigint,
    status: row['status'] as number,
    alteredBy: row['altered_by'] as number,
    redeemedBy: row['redeemed_by'] as number,
    redeemedMs: row['redeemed_ms'] as number,
    expiredTime: row['expired_time'] as number,
    usedBefore: row['used_before'] === 1,
  }
}

export function readHold(row: PostgresRow): Hold {
  return {
    requestId: row['request_id'] as string,
    account: row['account'] as number,
    limitAccount: row['limit_account'] as number,
    amount: row['amount'] as bigint,
    progress: row['progress'] as string | null,
    replica: row['replica'] as string,
    openedMs: row['opened_ms'] as number,
    touchedMs: row['touched_ms'] as number,
  }
}
