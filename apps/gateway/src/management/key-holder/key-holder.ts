import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { type TokenTransaction, TRANSACTION_STATUS } from '@sluice/contract/key-holder'
import * as routes from '@sluice/contract/routes/key-holder'
import { mq, quotaText, wholeQuota } from '@sluice/ledger/units'
import { logRecord } from '@sluice/observe/log-record'
import { pageOf } from '@sluice/store/paging'
import { findUser } from '@sluice/store/queries/accounts/users'
import { listModelsOfGroups } from '@sluice/store/queries/channels/channels'
import { findBalance } from '@sluice/store/queries/ledger/balances'
import { findLogOfRequest, listLogsOfToken, type LogRow } from '@sluice/store/queries/logs/logs'
import { listTransactions, type TransactionRow } from '@sluice/store/queries/tokens/token-transactions'
import { findToken } from '@sluice/store/queries/tokens/tokens'
import { type Answer, bind, type Binding } from '../bind.ts'
import { clearedBefore } from '../logs/log-scope.ts'
import type { KeyHolder, SharedPorts } from '../ports.ts'
import { chargedOnWire, usedOnWire } from '../quota-wire.ts'
import { inUnits, spendingOf } from './billing.ts'
import { ExternalBilling } from './consume.ts'
import { usageOf } from './key-usage.ts'

/** Rows that the holder of a key can page through, as in the family. */
const HISTORY_MAX = 1_000

export type KeyHolderDeps = Pick<SharedPorts, 'database' | 'ledger' | 'options' | 'newId' | 'now'>

/** Routes for programs with nothing but an API key. Everything concerns that key's token and its owner (class S11). */
export function keyHolderRoutes(deps: KeyHolderDeps): readonly Binding[] {
  const db = deps.database.kysely
  const billing = new ExternalBilling(deps)

  return [
    bind(routes.tokenBalance, async ({ holder }) => {
      await billing.endDue()
      return { data: await balanceOf(deps, holder) }
    }),

    bind(routes.tokenTransactions, async ({ holder, query }) => {
      await billing.endDue()
      const { rows, total } = await listTransactions(db, holder.tokenId, pageOf(query), HISTORY_MAX)
      return { data: rows.map(transactionOnWire), total }
    }),

    bind(routes.tokenLogs, async ({ holder, query }) => {
      const since = clearedBefore(deps)
      const { rows, total } = await listLogsOfToken(db, { ...holder, since }, pageOf(query), HISTORY_MAX)
      return { data: rows.map((row) => logRecord(row, { ...chargedOnWire(row.amount), showChannel: false })), total }
    }),

    bind(routes.consumeToken, async ({ holder, body }) => {
      const row = await billing.consume(holder, body)
      if (isRefusal(row)) return row
      return { data: await balanceOf(deps, holder), extra: { transaction: transactionOnWire(row) } }
    }),

    bind(routes.ownerOfKey, ({ holder }) => ownerOnWire(deps, holder)),

    bind(routes.modelsOfKey, async ({ holder: { group, groups, models } }) => {
      const reachable = await listModelsOfGroups(db, groups ?? [group])
      const available = reachable.filter((model) => models === undefined || models.has(model))
      return { data: { available, enabled: models !== undefined } }
    }),

    bind(routes.usageOfKey, async ({ holder }) => {
      await billing.endDue()
      return await usageInNewApi(deps, holder)
    }),

    bind(routes.usageInSub2api, async ({ holder }) => {
      await billing.endDue()
      return { data: await usageOf(deps, holder) }
    }),

    bind(routes.logsOfKey, async ({ holder }) => {
      const all = { limit: HISTORY_MAX, offset: 0 }
      const { rows } = await listLogsOfToken(db, { ...holder, since: clearedBefore(deps) }, all, HISTORY_MAX)
      return { data: { success: true, message: '', data: rows.map(logInNewApi) } } as const
    }),

    bind(routes.costOfRequest, ({ holder, params }) => costOf(deps, holder, params.request_id)),

    bind(routes.billingSubscriptionOfKey, ({ holder }) => subscriptionOf(deps, holder)),
    bind(routes.billingSubscriptionOfKeyV1, ({ holder }) => subscriptionOf(deps, holder)),
    bind(routes.billingUsageOfKey, ({ holder }) => spentOf(deps, holder)),
    bind(routes.billingUsageOfKeyV1, ({ holder }) => spentOf(deps, holder)),
  ]
}

async function balanceOf({ database }: KeyHolderDeps, { limitAccount, tokenId, tokenName }: KeyHolder) {
  const { posted, held, spent, unlimited } = await findBalance(database.kysely, limitAccount)
  return {
    id: tokenId,
    name: tokenName,
    remain_quota: wholeQuota(mq(posted - held)),
    remain_quota_exact: quotaText(mq(posted - held)),
    ...usedOnWire(spent),
    unlimited_quota: unlimited,
  }
}

function transactionOnWire(row: TransactionRow): TokenTransaction {
  const isCancelled = row.status === TRANSACTION_STATUS.cancelled
  return {
    id: row.id,
    transaction_id: row.transaction_id,
    token_id: row.token_id,
    status: row.status,
    pre_quota: row.pre_quota,
    final_quota: row.final_quota,
    reason: row.reason,
    request_id: row.request_id,
    expires_at: row.expires_time,
    created_at: row.created_time,
    confirmed_at: isCancelled ? 0 : row.finished_time,
    canceled_at: isCancelled ? row.finished_time : 0,
    auto_confirmed: row.status === TRANSACTION_STATUS.autoConfirmed,
    elapsed_time_ms: row.elapsed_ms,
  }
}

async function ownerOnWire(
  deps: KeyHolderDeps,
  holder: KeyHolder,
): Promise<Answer<typeof routes.ownerOfKey> | Refusal> {
  const user = await findUser(deps.database.kysely, holder.userId)
  if (user === undefined) return { code: 'not_found', params: { what: 'User' } }
  return {
    data: {
      id: user.id,
      username: user.username,
      display_name: user.displayName,
      role: user.role,
      status: user.status,
      group: user.group,
      quota: wholeQuota(mq(user.posted)),
      quota_exact: quotaText(mq(user.posted)),
      ...usedOnWire(user.spent),
      request_count: user.requests,
      token: await balanceOf(deps, holder),
    },
  }
}

async function usageInNewApi(deps: KeyHolderDeps, holder: KeyHolder) {
  const { name, used_quota, remain_quota, unlimited_quota } = await balanceOf(deps, holder)
  const token = await findToken(deps.database.kysely, holder.userId, holder.tokenId)
  const data = {
    object: 'token_usage',
    name,
    total_granted: remain_quota + used_quota,
    total_used: used_quota,
    total_available: remain_quota,
    unlimited_quota,
    model_limits: Object.fromEntries([...(holder.models ?? [])].map((model) => [model, true] as const)),
    model_limits_enabled: holder.models !== undefined,
    expires_at: Math.max(0, token?.expiredTime ?? 0),
  } as const
  return { data: { code: true, message: 'ok', data } } as const
}

function logInNewApi(row: LogRow) {
  return {
    ...logRecord(row, { ...chargedOnWire(row.amount), showChannel: false }),
    use_time: Math.ceil(row.elapsed_ms / 1_000),
    other: JSON.stringify({
      cache_tokens: row.cached_prompt_tokens,
      cache_creation_tokens: row.cache_write_5m_tokens + row.cache_write_1h_tokens,
    }),
  }
}

async function costOf(
  deps: KeyHolderDeps,
  holder: KeyHolder,
  requestId: string,
): Promise<Answer<typeof routes.costOfRequest> | Refusal> {
  const row = await findLogOfRequest(deps.database.kysely, requestId)
  const { QuotaPerUnit: unit } = deps.options()
  // A request paid with another key gets the same answer as an unknown id.
  if (
    row === undefined ||
    row.token_id !== holder.tokenId ||
    row.user_id !== holder.userId ||
    row.created_at < clearedBefore(deps)
  )
    return { code: 'not_found', params: { what: 'The request' } }
  const { id, created_at: created_time, user_id, amount } = row
  const cost_usd = inUnits(amount, unit)
  return { data: { id, created_time, user_id, request_id: requestId, ...chargedOnWire(amount), cost_usd } }
}

async function subscriptionOf(deps: KeyHolderDeps, holder: KeyHolder) {
  const { total, expires } = await spendingOf(deps, holder)
  return {
    data: {
      object: 'billing_subscription',
      has_payment_method: true,
      soft_limit_usd: total,
      hard_limit_usd: total,
      system_hard_limit_usd: total,
      access_until: expires,
    },
  } as const
}

async function spentOf(deps: KeyHolderDeps, holder: KeyHolder) {
  const { usage: total } = await spendingOf(deps, holder)
  return { data: { object: 'list', total_usage: total } } as const
}
