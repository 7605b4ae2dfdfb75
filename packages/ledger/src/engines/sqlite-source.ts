import type { AccountKind, MoveKind } from '../operation.ts'
import { type Price, priceContent } from '../pricing.ts'
import { NO_BUDGETS } from '../rules/budgets.ts'
import type { Account, Charged, Hold, Moved, Redemption, Refund } from '../rules/rows.ts'
import type { RowSource } from '../rules/working-set.ts'
import { decodeCounts } from '../unit-class.ts'
import { createSqliteBudgets, type SqliteBudgets } from './sqlite-budgets.ts'
import type { SqliteConnection, SqliteStatement, SqliteValue } from './sqlite-connection.ts'
import { SYSTEM_OWNER } from './system-accounts.ts'
import { PRICE } from './tables.ts'
import { insertInto } from './written-table.ts'

/** Accounts and prices cached between batches; above this number they are read again. */
const MAX_REMEMBERED = 20_000

const SELECT_ACCOUNT =
  'select id, kind, owner_id, posted, held, spent, requests, credit_floor, unlimited, last_ms, budgeted, reminded from account'

/** Rows by point look-ups inside the open transaction. Accounts and prices are cached until another connection writes. */
export class SqliteSource implements RowSource {
  readonly #dataVersion: SqliteStatement
  readonly #account: SqliteStatement
  readonly #accountByOwner: SqliteStatement
  readonly #openAccount: SqliteStatement
  readonly #hold: SqliteStatement
  readonly #charged: SqliteStatement
  readonly #moved: SqliteStatement
  readonly #refund: SqliteStatement
  readonly #redemption: SqliteStatement
  readonly #price: SqliteStatement
  readonly #insertPrice: SqliteStatement
  readonly #budgets: SqliteBudgets
  readonly #accounts = new Map<number, Account>()
  readonly #owners = new Map<string, Account>()
  readonly #prices = new Map<string, number>()
  #seenVersion: SqliteValue | undefined

  constructor(connection: SqliteConnection) {
    this.#dataVersion = connection.prepare('pragma data_version')
    this.#account = connection.prepare(`${SELECT_ACCOUNT} where id = ?`)
    this.#accountByOwner = connection.prepare(`${SELECT_ACCOUNT} where kind = ? and owner_id = ?`)
    this.#openAccount = connection.prepare('insert into account (kind, owner_id) values (?, ?)')
    this.#hold = connection.prepare(
      'select account, limit_account, amount, progress, replica, opened_ms, touched_ms from hold where request_id = ?',
    )
    this.#charged = connection.prepare(`
      select debit, limit_account, amount, input_tokens, cached_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
        output_tokens, units, channel_id, model, at_ms,
        (select case c.kind when 'adjust' then c.amount else -c.amount end from transfer c
          where c.request_id = t.request_id and c.kind in ('adjust', 'refund')),
        (select sum(r.amount) from transfer r where r.refers_to = t.request_id)
      from transfer t where request_id = ? and kind = 'consume'`)
    this.#moved = connection.prepare(
      'select debit, credit, limit_account, actor, at_ms from transfer where request_id = ? and kind = ?',
    )
    this.#refund = connection.prepare(
      `select refers_to, amount, actor, at_ms from transfer where request_id = ? and kind = 'admin-refund'`,
    )
    this.#redemption = connection.prepare(
      'select amount, status, altered_by, redeemed_by, redeemed_ms, expired_time, used_before from redemption where id = ?',
    )
    this.#price = connection.prepare('select id from price where content = ?')
    this.#budgets = createSqliteBudgets(connection)
    this.#insertPrice = connection.prepare(`${insertInto(PRICE)} returning id`)
  }

  /** Call it first in every transaction: forgets what another connection may have changed. */
  refresh(): void {
    const version = this.#dataVersion.values()[0]?.[0]
    const stale = version !== this.#seenVersion || this.#accounts.size + this.#prices.size > MAX_REMEMBERED
    if (stale) this.forget()
    this.#seenVersion = version
  }

  /** Call it after a rollback. */
  forget(): void {
    this.#accounts.clear()
    this.#owners.clear()
    this.#prices.clear()
  }

  get revenue(): Account {
    return this.accountOf('system', SYSTEM_OWNER.revenue)
  }

  get issuance(): Account {
    return this.accountOf('system', SYSTEM_OWNER.issuance)
  }

  get equity(): Account {
    return this.accountOf('system', SYSTEM_OWNER.equity)
  }

  account(id: number): Account | undefined {
    const known = this.#accounts.get(id)
    if (known !== undefined) return known
    const row = this.#account.values(id)[0]
    return row === undefined ? undefined : this.#remember(this.#readAccount(row))
  }

  accountOf(kind: AccountKind, owner: number): Account {
    const key = `${kind} ${owner}`
    const known = this.#owners.get(key)
    if (known !== undefined) return known
    if (this.#accountByOwner.values(kind, owner).length === 0) this.#openAccount.run(kind, owner)
    const [row] = this.#accountByOwner.values(kind, owner)
    if (row === undefined) throw new Error(`account ${key} was not opened`)
    // One object per account, however it was found first.
    const found = this.#readAccount(row)
    const account = this.#accounts.get(found.id) ?? this.#remember(found)
    this.#owners.set(key, account)
    return account
  }

  hold(requestId: string): Hold | undefined {
    const row = this.#hold.values(requestId)[0]
    if (row === undefined) return undefined
    const [account, limitAccount, amount, progress, replica, openedMs, touchedMs] = row
    return {
      requestId,
      account: account as number,
      limitAccount: limitAccount as number,
      amount: amount as bigint,
      progress: progress as string | null,
      replica: replica as string,
      openedMs: openedMs as number,
      touchedMs: touchedMs as number,
    }
  }

  charged(requestId: string): Charged | undefined {
    const row = this.#charged.values(requestId)[0]
    if (row === undefined) return undefined
    const [
      account,
      limitAccount,
      amount,
      input,
      cached,
      write5m,
      write1h,
      output,
      units,
      channelId,
      model,
      atMs,
      correction,
      refunded,
    ] = row
    return {
      account: account as number,
      limitAccount: limitAccount as number,
      amount: amount as bigint,
      net: (amount as bigint) + integer(correction ?? 0),
      tokens: {
        input: input as number,
        cachedInput: cached as number,
        cacheWrite5m: write5m as number,
        cacheWrite1h: write1h as number,
        output: output as number,
        units: decodeCounts(units as string | null),
      },
      channelId: channelId as number,
      model: model as string,
      atMs: atMs as number,
      corrected: correction !== null,
      refunded: integer(refunded ?? 0),
    }
  }

  moved(requestId: string, kind: MoveKind): Moved | undefined {
    const row = this.#moved.values(requestId, kind)[0]
    if (row === undefined) return undefined
    const [debit, credit, limitAccount, actor, atMs] = row
    const system = kind === 'import' ? this.equity.id : this.issuance.id
    const account = limitAccount ?? (credit === system ? debit : credit)
    return { account: account as number, actor: actor as number, atMs: atMs as number }
  }

  refund(refundId: string): Refund | undefined {
    const row = this.#refund.values(refundId)[0]
    if (row === undefined) return undefined
    const [requestId, amount, actor, atMs] = row
    return {
      requestId: requestId as string,
      amount: amount as bigint,
      actor: actor as number,
      atMs: atMs as number,
    }
  }

  redemption(id: number): Redemption | undefined {
    const row = this.#redemption.values(id)[0]
    if (row === undefined) return undefined
    const [amount, status, alteredBy, redeemedBy, redeemedMs, expiredTime, usedBefore] = row
    return {
      id,
      amount: amount as bigint,
      status: status as number,
      alteredBy: alteredBy as number,
      redeemedBy: redeemedBy as number,
      redeemedMs: redeemedMs as number,
      expiredTime: expiredTime as number,
      usedBefore: usedBefore === 1,
    }
  }

  spentSince(account: Account, userId: number, day: number): bigint {
    return this.#budgets.spentSince(account, userId, day)
  }

  priceId(price: Price): number {
    const content = priceContent(price)
    const known = this.#prices.get(content)
    if (known !== undefined) return known
    const row = this.#price.values(content)[0] ?? this.#insertPrice.values(...PRICE.values(price))[0]
    const id = row?.[0] as number
    this.#prices.set(content, id)
    return id
  }

  #readAccount(row: readonly SqliteValue[]): Account {
    const [id, kind, owner, posted, held, spent, requests, floor, unlimited, lastMs, budgeted, reminded] = row
    return {
      id: id as number,
      kind: kind as AccountKind,
      owner: owner as number,
      posted: posted as bigint,
      held: held as bigint,
      spent: spent as bigint,
      requests: requests as number,
      floor: floor as bigint,
      unlimited: unlimited === 1,
      lastMs: lastMs as number,
      reminded: reminded === 1,
      budgets: budgeted === 1 ? this.#budgets.of(id as number) : NO_BUDGETS,
    }
  }

  #remember(account: Account): Account {
    this.#accounts.set(account.id, account)
    return account
  }
}

/** A computed column has no declared type: small integers come as number. */
function integer(value: SqliteValue): bigint {
  return BigInt(value as bigint | number)
}
