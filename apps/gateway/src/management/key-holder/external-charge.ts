import { PLAIN_SETTLED_LOG } from '@sluice/contract/fields/log'
import type { Settlement, TraceRow } from '@sluice/ledger/operation'
import { charge } from '@sluice/ledger/pricing'
import { mq } from '@sluice/ledger/units'
import type { TransactionRow } from '@sluice/store/queries/tokens/token-transactions'
import type { KeyHolder } from '../ports.ts'

/** Model name of charges for work done elsewhere, in logs and on the dashboard. */
const EXTERNAL_MODEL = 'external'
const PATH = '/api/token/consume'
/** 10^-9 quota points, the ledger's unit of rates. */
const RATE_PER_QUOTA = 1_000_000_000n

/** Charges `quota` points for one piece of work as one call at that price, which is proved like any other. `at` is unix ms. */
export function externalCharge(
  holder: KeyHolder,
  transaction: TransactionRow,
  quota: number,
  { at, ended, unlogged }: { readonly at: number; readonly ended: string; readonly unlogged: boolean },
): Settlement {
  const units = { call: BigInt(quota) * RATE_PER_QUOTA }
  const rates = { input: 0n, cachedInput: 0n, cacheWrite5m: 0n, cacheWrite1h: 0n, output: 0n, units }
  const price = { rates, groupRatio: 1_000_000n, source: EXTERNAL_MODEL }
  const none = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 }
  const tokens = { ...none, units: { call: 1 } }
  return {
    requestId: transaction.request_id,
    account: holder.account,
    limitAccount: holder.limitAccount,
    amount: charge(tokens, price),
    price,
    tokens,
    userId: holder.userId,
    tokenId: holder.tokenId,
    channelId: 0,
    model: EXTERNAL_MODEL,
    log: {
      ...PLAIN_SETTLED_LOG,
      createdAt: Math.floor(at / 1_000),
      username: holder.username,
      tokenName: holder.tokenName,
      originModel: EXTERNAL_MODEL,
      elapsedMs: transaction.elapsed_ms,
      ended,
      content: transaction.reason,
      unlogged,
    },
    trace: externalTrace(holder.userId, transaction, at),
  }
}

/** The trace of such a charge: when it was reserved and when it ended. */
export function externalTrace(userId: number, transaction: TransactionRow, at: number): TraceRow {
  return {
    requestId: transaction.request_id,
    userId,
    url: PATH,
    method: 'POST',
    status: 200,
    bodySize: 0,
    received: transaction.created_time * 1_000,
    forwarded: 0,
    firstUpstream: 0,
    firstClient: 0,
    upstreamCompleted: 0,
    completed: at,
    attempts: '[]',
    held: mq(0n),
    upstreamUsage: '',
    routing: '',
  }
}
