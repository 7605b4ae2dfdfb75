import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { type ConsumeBody, TRANSACTION_STATUS } from '@sluice/contract/key-holder'
import { mqFromQuota } from '@sluice/ledger/units'
import * as transactions from '@sluice/store/queries/tokens/token-transactions'
import { holdRefusal } from '../../hold-refusal.ts'
import { invalidField } from '../issue-text.ts'
import type { KeyHolder, SharedPorts } from '../ports.ts'
import { externalCharge, externalTrace } from './external-charge.ts'
import { createHolders } from './transaction-holders.ts'

type Row = transactions.TransactionRow
type Result = Row | Refusal
type Release = () => Promise<void>

/** Reserves, charges and releases quota for work that is done elsewhere, through the ledger's holds. */
export interface ExternalBilling {
  /** Performs one step of a transaction; returns it as it is then. A repeated step returns the same as the first time. */
  readonly consume: (holder: KeyHolder, body: ConsumeBody) => Promise<Result>
  /** Ends all reservations whose time is over, of any user. */
  readonly endDue: () => Promise<void>
}

/** Reservations of one token at the same time; each is a hold in the ledger. */
const OPEN_MAX = 1_000
const NOTHING_HELD: Release = () => Promise.resolve()
const NOT_FOUND: Refusal = { code: 'not_found', params: { what: 'Transaction' }, field: 'transaction_id' }
const OVER: Refusal = {
  code: 'refused',
  params: {
    reason:
      'The transaction has ended: it was confirmed with another amount, confirmed when its time ran out, or cancelled.',
  },
}

/**
 * Every step is stored first, under a condition on the status before, and then done by the ledger: the caller that wins the row
 * decides, and what a crash left undone is repeated from the row. While a reservation is pending, its hold knows what to charge, so
 * a process that dies charges what was reserved.
 */
export function createExternalBilling(
  deps: Pick<SharedPorts, 'database' | 'ledger' | 'options' | 'newId' | 'now'>,
): ExternalBilling {
  const db = deps.database.kysely
  const holders = createHolders(deps)
  const nowSeconds = (): number => Math.floor(deps.now() / 1_000)
  const chargeOf = (holder: KeyHolder, row: Row, quota: number, ended: string) =>
    externalCharge(holder, row, quota, { at: deps.now(), ended, unlogged: !deps.options().LogConsumeEnabled })

  /** Does in the ledger what the row says. Repeating it changes nothing. */
  const finish = async (holder: KeyHolder, row: Row): Promise<Result> => {
    const isCancelled = row.status === TRANSACTION_STATUS.cancelled
    if (isCancelled) await deps.ledger.void(row.request_id, externalTrace(holder.userId, row, deps.now()))
    // A process that died might have charged the reservation before its cancellation reached the ledger.
    if (!isCancelled || (await transactions.isCharged(db, row.request_id))) {
      const ended = row.status === TRANSACTION_STATUS.autoConfirmed ? 'reservation_expired' : 'complete'
      const answer = await deps.ledger.settle(chargeOf(holder, row, row.final_quota ?? row.pre_quota, ended))
      if (answer !== 'charged') return { code: 'ledger_unavailable', retryAfter: 1 }
    }
    await transactions.markSettled(db, row.id)
    return { ...row, settled: 1 }
  }

  const endDue = async (): Promise<void> => {
    for (const row of await transactions.endDueTransactions(db, nowSeconds())) {
      const holder = await holders(row)
      if (holder !== undefined) await finish(holder, row)
    }
  }

  /** Opens a transaction and holds its quota; leaves nothing behind when the ledger refuses. */
  const open = async (holder: KeyHolder, body: ConsumeBody, quota: number): Promise<Result> => {
    if ((await transactions.countOpenTransactions(db, holder.tokenId)) >= OPEN_MAX) {
      return { code: 'refused', params: { reason: `A token is limited to ${OPEN_MAX} open transactions.` } }
    }
    const now = nowSeconds()
    const requestId = deps.newId()
    const row = await transactions.openTransaction(db, {
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
      await deps.ledger.hold({ requestId, account, limitAccount, amount: mqFromQuota(quota), durable: true }),
    )
    if (refusal === undefined) return row
    await transactions.dropTransaction(db, row.id)
    return refusal
  }

  /** Its time was over before it was open: it has been cancelled, and what was held since is given back. */
  const tooLate = async (holder: KeyHolder, row: Row): Promise<Refusal> => {
    await deps.ledger.void(row.request_id, externalTrace(holder.userId, row, deps.now()))
    return OVER
  }

  const reserve = async (holder: KeyHolder, body: ConsumeBody): Promise<Result> => {
    if (body.add_used_quota === undefined) return invalidField('add_used_quota', 'is required to reserve quota')
    const row = await open(holder, body, body.add_used_quota)
    if (isRefusal(row)) return row
    await deps.ledger.renew(chargeOf(holder, row, row.pre_quota, 'reservation_expired'))
    const pending = await transactions.moveTransaction(db, row.id, row.status, { status: TRANSACTION_STATUS.pending })
    return pending ?? (await tooLate(holder, row))
  }

  const single = async (holder: KeyHolder, body: ConsumeBody): Promise<Result> => {
    const quota = body.final_used_quota ?? body.add_used_quota
    if (quota === undefined) return invalidField('add_used_quota', 'is required to charge quota')
    const row = await open(holder, body, quota)
    if (isRefusal(row)) return row
    const confirmed = await transactions.moveTransaction(db, row.id, row.status, {
      status: TRANSACTION_STATUS.confirmed,
      final_quota: quota,
      finished_time: nowSeconds(),
      elapsed_ms: body.elapsed_time_ms,
    })
    return confirmed === undefined ? await tooLate(holder, row) : await finish(holder, confirmed)
  }

  /**
   * Holds what the work cost beyond its reservation, and returns how to give back what the charge does not release. The amount is
   * the caller's word, so a key cannot spend more than its limit and its owner have left (class S25); the reservation stays open
   * for an amount that they do have.
   */
  const cover = async (holder: KeyHolder, row: Row, quota: number): Promise<Refusal | Release> => {
    if (row.status !== TRANSACTION_STATUS.pending || quota <= row.pre_quota) return NOTHING_HELD
    const answer = await deps.ledger.extend(row.request_id, mqFromQuota(quota))
    if (answer !== 'stale') return holdRefusal(answer) ?? NOTHING_HELD
    // The process died in between and the next start charged what was reserved: meanwhile, the excess has a hold of its own.
    const { account, limitAccount, userId } = holder
    const requestId = deps.newId()
    const amount = mqFromQuota(quota - row.pre_quota)
    const refusal = holdRefusal(await deps.ledger.hold({ requestId, account, limitAccount, amount, durable: true }))
    return refusal ?? (() => deps.ledger.void(requestId, { ...externalTrace(userId, row, deps.now()), requestId }))
  }

  /** Confirms or cancels a pending transaction. */
  const close = async (
    holder: KeyHolder,
    body: ConsumeBody,
    status: 2 | 4,
    finalQuota: (row: Row) => number,
  ): Promise<Result> => {
    if (body.transaction_id === undefined)
      return invalidField('transaction_id', `is required with the phase ${body.phase}`)
    const row = await transactions.findTransaction(db, holder.tokenId, body.transaction_id)
    if (row === undefined) return NOT_FOUND
    const final = finalQuota(row)
    const release = await cover(holder, row, final)
    if (isRefusal(release)) return release
    try {
      return await end(holder, body, row, { status, final })
    } finally {
      await release()
    }
  }

  const end = async (
    holder: KeyHolder,
    body: ConsumeBody,
    row: Row,
    { status, final }: { readonly status: 2 | 4; readonly final: number },
  ): Promise<Result> => {
    const closed = await transactions.moveTransaction(db, row.id, TRANSACTION_STATUS.pending, {
      status,
      final_quota: final,
      finished_time: nowSeconds(),
      elapsed_ms: body.elapsed_time_ms,
      ...(body.add_reason === '' ? {} : { reason: body.add_reason }),
    })
    if (closed !== undefined) return await finish(holder, closed)
    // Repeated because the answer was lost: the same answer, and the ledger gets the step again if it had not.
    const before = await transactions.findTransaction(db, holder.tokenId, row.transaction_id)
    if (before?.status !== status || before.final_quota !== final) return OVER
    return before.settled === 1 ? before : await finish(holder, before)
  }

  return {
    endDue,
    consume: async (holder, body) => {
      await endDue()
      switch (body.phase) {
        case 'pre':
          return await reserve(holder, body)
        case 'post':
          return await close(holder, body, 2, (row) => body.final_used_quota ?? body.add_used_quota ?? row.pre_quota)
        case 'cancel':
          return await close(holder, body, 4, () => 0)
        case 'single':
          return await single(holder, body)
      }
    },
  }
}
