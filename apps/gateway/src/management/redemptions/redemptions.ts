import { ROLE } from '@sluice/contract/capability'
import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { type Redemption, REDEMPTION_STATUS } from '@sluice/contract/redemption'
import type { BodyOutput } from '@sluice/contract/route'
import * as routes from '@sluice/contract/routes/redemptions'
import { mq, mqFromQuota, wholeQuota } from '@sluice/ledger/units'
import { pageOf, sortingOf } from '@sluice/store/paging'
import * as redemptions from '@sluice/store/queries/tokens/redemptions'
import { bind, type Binding, bindUpdate } from '../bind.ts'
import { invalidField } from '../issue-text.ts'
import type { ListQuery } from '../list-query.ts'
import type { SharedPorts } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'
import { codeHash, createRedeem, newCode } from './redeem.ts'

const NOT_FOUND: Refusal = { code: 'not_found', params: { what: 'Redemption code' } }
const USED: Refusal = {
  code: 'refused',
  params: { reason: 'The code has been used. It now serves as a receipt and cannot be changed or enabled again.' },
}
const NEWEST = { column: 'redemption.id', direction: 'desc' } as const

export type RedemptionDeps = Pick<SharedPorts, 'database' | 'ledger' | 'vault' | 'now' | 'randomBytes'>

/** Administrators manage redemption codes; everyone can redeem one. */
export function redemptionRoutes(deps: RedemptionDeps): readonly Binding[] {
  const redeem = createRedeem(deps)

  return [
    bind(routes.listRedemptions, ({ query }) => list(deps, '', query)),
    bind(routes.searchRedemptions, ({ query }) => list(deps, query.keyword, query)),
    bind(routes.getRedemption, ({ id }) => answer(deps, id)),
    bind(routes.createRedemptions, ({ caller, body }) => create(deps, caller, body)),
    bindUpdate(routes.updateRedemption, {
      full: ({ caller, body: { id, name, quota, expired_time: expiredTime } }) =>
        change(deps, caller, id, { name, amount: mqFromQuota(quota), expiredTime }),
      statusOnly: ({ caller, body }) => change(deps, caller, body.id, { status: body.status }),
    }),
    bind(routes.deleteRedemption, async ({ id }) =>
      (await redemptions.deleteRedemption(deps.database.kysely, id, nowSeconds(deps))) ? {} : NOT_FOUND,
    ),
    bind(routes.redeem, ({ caller, body }) => redeem(caller, body.key)),
  ]
}

async function list(deps: RedemptionDeps, keyword: string, query: ListQuery) {
  const sorting = sortingOf(redemptions.REDEMPTION_SORT_COLUMNS, query, NEWEST)
  const { rows, total } = await redemptions.listRedemptions(deps.database.kysely, keyword, sorting, pageOf(query))
  return { data: rows.map((row) => onWire(deps, row)), total }
}

async function answer(deps: RedemptionDeps, id: number): Promise<{ data: Redemption } | Refusal> {
  const row = await redemptions.findRedemption(deps.database.kysely, id)
  return row === undefined ? NOT_FOUND : { data: onWire(deps, row) }
}

async function create(
  deps: RedemptionDeps,
  caller: Caller,
  { name, quota, count, expired_time: expiredTime }: BodyOutput<typeof routes.createRedemptions>,
) {
  if (expiredTime !== 0 && expiredTime <= nowSeconds(deps)) return invalidField('expired_time', 'must be in the future')
  const codes = Array.from({ length: count }, () => newCode(deps.randomBytes))
  await redemptions.insertRedemptions(
    deps.database.kysely,
    codes.map((code) => ({
      name,
      keyHash: codeHash(code),
      keySealed: deps.vault.seal('redemption', code),
      amount: mqFromQuota(quota),
      createdBy: caller.id,
      createdTime: nowSeconds(deps),
      expiredTime,
    })),
  )
  return { data: codes }
}

async function change(
  deps: RedemptionDeps,
  caller: Caller,
  id: number,
  values: Parameters<typeof redemptions.updateRedemption>[2],
) {
  const alteredBy = caller.role < ROLE.root ? caller.id : undefined
  const changed = await redemptions.updateRedemption(deps.database.kysely, id, values, alteredBy)
  const after = await answer(deps, id)
  return changed || isRefusal(after) || after.data.status !== REDEMPTION_STATUS.used ? after : USED
}

function onWire(deps: RedemptionDeps, row: redemptions.RedemptionRow): Redemption {
  const opened = deps.vault.open('redemption', row.keySealed)
  return {
    id: row.id,
    name: row.name,
    // A code sealed under a lost master key still works for a user who has it.
    key: opened.ok ? opened.text : '',
    status: row.status,
    quota: wholeQuota(mq(row.amount)),
    user_id: row.createdBy,
    created_time: row.createdTime,
    expired_time: row.expiredTime,
    redeemed_time: Math.floor(row.redeemedMs / 1_000),
    redeemed_by: row.redeemedBy,
    redeemed_by_name: row.redeemedByName ?? '',
  }
}

function nowSeconds({ now }: RedemptionDeps): number {
  return Math.floor(now() / 1_000)
}
