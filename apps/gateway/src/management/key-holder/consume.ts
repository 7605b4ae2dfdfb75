import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { type ConsumeBody, TRANSACTION_STATUS } from '@sluice/contract/key-holder'
import { mqFromQuota } from '@sluice/ledger/units'
import * as transactions from '@sluice/store/queries/tokens/token-transactions'
import { holdRefusal } from '../../tokens/refusals.ts'
import { invalidField } from '../issue-text.ts'
import type { KeyHolder, SharedPorts } from '../ports.ts'
import { externalCharge, externalTrace } from './external-charge.ts'
import { createHolders } from './transaction-holders.ts'

type Row = transactions.TransactionRow
type Result = Row | Refusal
type Release = () => Promise<void>

export type ExternalBillingDeps = Pick<SharedPorts, 'database' | 'ledger' | 'options' | 'newId' | 'now'>

/** Open reservations of one token; each is a hold in the ledger. */
const OPEN_MAX = 1_000
const NOTHING_HELD: Release = () => Promise.resolve()
const NOT_FOUND: Refusal = { code: 'not_found', params: { what: 'Transaction' }, field: 'transaction_id' }
const OVER: Refusal = {
  code: 'refused',
  params: {
    reason:
      'The transaction is closed: it was confirmed with a different amount, confirmed automatically when it timed out, or cancelled.',
  },
}

/**
 * Reserves, charges and releases quota, through the ledger's holds, for work done elsewhere. Every step is stored first, under a
 * condition on the previous status, and then done by the ledger: the caller that wins the row decides, and steps that a crash left
 * undone are repeated from the row. While a reservation is pending, its hold records the charge, so if a process dies, the reserved
 * amount is charged.
 */
export class ExternalBilling {
  readonly #deps: ExternalBillingDeps
  readonly #db: ExternalBillingDeps['database']['kysely']
  readonly #holders: ReturnType<typeof createHolders>

  constructor(deps: ExternalBillingDeps) {
    this.#deps = deps
    this.#db = deps.database.kysely
    this.#holders = createHolders(deps)
  }

  /** Performs one step of a transaction and returns its new state. A repeated step returns the same state as the first time. */
  async consume(holder: KeyHolder, body: ConsumeBody): Promise<Result> {
    await this.endDue()
    switch (body.phase) {
      case 'pre':
        return await this.#reserve(holder, body)
      case 'post':
        return await this.#close(
          holder,
          body,
          2,
          (row) => body.final_used_quota ?? body.add_used_quota ?? row.pre_quota,
        )
      case 'cancel':
        return await this.#close(holder, body, 4, () => 0)
      case 'single':
        return await this.#single(holder, body)
    }
  }

  async endDue(): Promise<void> {
    for (const row of await transactions.endDueTransactions(this.#db, this.#nowSeconds())) {
      const holder = await this.#holders(row)
      if (holder !== undefined) await this.#finish(holder, row)
    }
  }

  async #reserve(holder: KeyHolder, body: ConsumeBody): Promise<Result> {
    if (body.add_used_quota === undefined) return invalidField('add_used_quota', 'is required to reserve quota')
    const row = await this.#open(holder, body, body.add_used_quota)
    if (isRefusal(row)) return row
    await this.#deps.ledger.renew(this.#chargeOf(holder, row, row.pre_quota, 'reservation_expired'))
    const pending = await transactions.moveTransaction(this.#db, row.id, row.status, {
      status: TRANSACTION_STATUS.pending,
    })
    return pending ?? (await this.#tooLate(holder, row))
  }

  async #single(holder: KeyHolder, body: ConsumeBody): Promise<Result> {
    const quota = body.final_used_quota ?? body.add_used_quota
    if (quota === undefined) return invalidField('add_used_quota', 'is required to charge quota')
    const row = await this.#open(holder, body, quota)
    if (isRefusal(row)) return row
    const confirmed = await transactions.moveTransaction(this.#db, row.id, row.status, {
      status: TRANSACTION_STATUS.confirmed,
      final_quota: quota,
      finished_time: this.#nowSeconds(),
      elapsed_ms: body.elapsed_time_ms,
    })
    return confirmed === undefined ? await this.#tooLate(holder, row) : await this.#finish(holder, confirmed)
  }

  /** Opens a transaction and holds its quota; leaves nothing behind when the ledger refuses. */
  async #open(holder: KeyHolder, body: ConsumeBody, quota: number): Promise<Result> {
    if ((await transactions.countOpenTransactions(this.#db, holder.tokenId)) >= OPEN_MAX) {
      return { code: 'refused', params: { reason: `A token is limited to ${OPEN_MAX} open transactions.` } }
    }
    const now = this.#nowSeconds()
    const requestId = this.#deps.newId()
    const row = await transactions.openTransaction(this.#db, {
      token_id: holder.tokenId,
      transaction_id: body.transaction_id ?? requestId,
      user_id: holder.userId,
      pre_quota: quota,
      reason: body.add_reason,
      request_id: requestId,
      expires_time: now + body.timeout_seconds,
      created_time: now,
    })
    if (row === undefined) {
      return {
        code: 'refused',
        params: { reason: 'A transaction with this name already exists.' },
        field: 'transaction_id',
      }
    }
    const { account, limitAccount } = holder
    const refusal = holdRefusal(
      await this.#deps.ledger.hold({ requestId, account, limitAccount, amount: mqFromQuota(quota), durable: true }),
    )
    if (refusal === undefined) return row
    await transactions.dropTransaction(this.#db, row.id)
    return refusal
  }

  /** The transaction expired before it was opened: it is cancelled, and any hold made since is released. */
  async #tooLate(holder: KeyHolder, row: Row): Promise<Refusal> {
    await this.#deps.ledger.void(row.request_id, externalTrace(holder.userId, row, this.#deps.now()))
    return OVER
  }

  /** Confirms or cancels a pending transaction. */
  async #close(holder: KeyHolder, body: ConsumeBody, status: 2 | 4, finalQuota: (row: Row) => number): Promise<Result> {
    if (body.transaction_id === undefined)
      return invalidField('transaction_id', `is required with the phase ${body.phase}`)
    const row = await transactions.findTransaction(this.#db, holder.tokenId, body.transaction_id)
    if (row === undefined) return NOT_FOUND
    const final = finalQuota(row)
    const release = await this.#cover(holder, row, final)
    if (isRefusal(release)) return release
    try {
      return await this.#end(holder, body, row, { status, final })
    } finally {
      await release()
    }
  }

  /**
   * Holds the cost beyond the reservation, and returns a function that gives back the part that the charge does not release. The
   * caller chooses the amount, so it is limited to what the key and its owner have left (class S25); the reservation stays open for
   * an amount that is available.
   */
  async #cover(holder: KeyHolder, row: Row, quota: number): Promise<Refusal | Release> {
    if (row.status !== TRANSACTION_STATUS.pending || quota <= row.pre_quota) return NOTHING_HELD
    const answer = await this.#deps.ledger.extend(row.request_id, mqFromQuota(quota))
    if (answer !== 'stale') return holdRefusal(answer) ?? NOTHING_HELD
    // A process died in between, and the next start charged the reservation. Until the rest is charged, it has its own hold.
    const { account, limitAccount, userId } = holder
    const requestId = this.#deps.newId()
    const amount = mqFromQuota(quota - row.pre_quota)
    const refusal = holdRefusal(
      await this.#deps.ledger.hold({ requestId, account, limitAccount, amount, durable: true }),
    )
    return (
      refusal ??
      (() => this.#deps.ledger.void(requestId, { ...externalTrace(userId, row, this.#deps.now()), requestId }))
    )
  }

  async #end(
    holder: KeyHolder,
    body: ConsumeBody,
    row: Row,
    { status, final }: { readonly status: 2 | 4; readonly final: number },
  ): Promise<Result> {
    const closed = await transactions.moveTransaction(this.#db, row.id, TRANSACTION_STATUS.pending, {
      status,
      final_quota: final,
      finished_time: this.#nowSeconds(),
      elapsed_ms: body.elapsed_time_ms,
      ...(body.add_reason === '' ? {} : { reason: body.add_reason }),
    })
    if (closed !== undefined) return await this.#finish(holder, closed)
    // The caller repeats the step because the answer was lost: it gets the same answer, and the ledger gets a step that it missed.
    const before = await transactions.findTransaction(this.#db, holder.tokenId, row.transaction_id)
    if (before?.status !== status || before.final_quota !== final) return OVER
    return before.settled === 1 ? before : await this.#finish(holder, before)
  }

  /** Does in the ledger what the row says. Repeating it changes nothing. */
  async #finish(holder: KeyHolder, row: Row): Promise<Result> {
    const isCancelled = row.status === TRANSACTION_STATUS.cancelled
    if (isCancelled) await this.#deps.ledger.void(row.request_id, externalTrace(holder.userId, row, this.#deps.now()))
    // A process that died might have charged the reservation before its cancellation reached the ledger.
    if (!isCancelled || (await transactions.isCharged(this.#db, row.request_id))) {
      const ended = row.status === TRANSACTION_STATUS.autoConfirmed ? 'reservation_expired' : 'complete'
      const answer = await this.#deps.ledger.settle(
        this.#chargeOf(holder, row, row.final_quota ?? row.pre_quota, ended),
      )
      if (answer !== 'charged') return { code: 'ledger_unavailable', retryAfter: 1 }
    }
    await transactions.markSettled(this.#db, row.id)
    return { ...row, settled: 1 }
  }

  #chargeOf(holder: KeyHolder, row: Row, quota: number, ended: string) {
    const unlogged = !this.#deps.options().LogConsumeEnabled
    return externalCharge(holder, row, quota, { at: this.#deps.now(), ended, unlogged })
  }

  #nowSeconds(): number {
    return Math.floor(this.#deps.now() / 1_000)
  }
}
