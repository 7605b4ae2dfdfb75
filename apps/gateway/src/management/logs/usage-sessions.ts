import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { QueryOutput } from '@sluice/contract/route'
import * as routes from '@sluice/contract/routes/usage-sessions'
import { INT_MAX } from '@sluice/contract/row-id'
import { fitsInt64, mq, quotaText, wholeQuota } from '@sluice/ledger/units'
import {
  listSessions,
  type SessionFilter,
  type SessionPlace,
  type SessionSort,
  type UsageSessionRow,
} from '@sluice/store/queries/logs/usage-sessions'
import { type Binding, bind } from '../bind.ts'
import { invalidField } from '../issue-text.ts'
import type { SharedPorts } from '../ports.ts'
import { chargedOnWire } from '../quota-wire.ts'
import { createLogScope } from './log-scope.ts'

const SORTS: Readonly<Record<(typeof routes.SESSION_SORTS)[number], SessionSort>> = {
  last_at: 'last',
  quota: 'cost',
  duration: 'duration',
}

type Query = QueryOutput<typeof routes.listSessions>

export function usageSessionRoutes(deps: Pick<SharedPorts, 'database' | 'options' | 'now'>): readonly Binding[] {
  const db = deps.database.kysely
  const scope = createLogScope(deps)

  const list = async (filter: SessionFilter, query: Query) => {
    const after = query.after === '' ? undefined : placeOf(query.after)
    if (after !== undefined && isRefusal(after)) return after
    const sort = routes.SESSION_SORTS.find((name) => name === query.sort) ?? 'last_at'
    const direction = query.order === 'asc' ? 'asc' : 'desc'
    const page = await listSessions(db, filter, { sort: SORTS[sort], direction, after, limit: query.size })
    const { next, among } = page
    return {
      data: page.rows.map(sessionRecord),
      extra: { ...(next !== undefined && { next: placeText(next) }), ...(among !== undefined && { among }) },
    }
  }

  return [
    bind(routes.listSessions, async ({ query }) => list(await scope.everybody(withoutOthers(query)), query)),
    bind(routes.listOwnUsageSessions, async ({ caller, query }) =>
      list(await scope.own(caller, withoutOthers(query)), query),
    ),
  ]
}

function withoutOthers(query: Query) {
  return { ...query, type: 0, model_name: '', channel: 0 }
}

function sessionRecord(row: UsageSessionRow): routes.UsageSession {
  const saved = mq(row.saved)
  return {
    session: row.session,
    token_id: row.token_id,
    token_name: row.token_name,
    user_id: row.user_id,
    username: row.username,
    client: row.client,
    models: row.models.split('\n'),
    first_at: row.first_at,
    last_at: row.last_at,
    calls: row.calls,
    ...chargedOnWire(row.amount),
    // Rounded down, like remaining amounts, so that savings are never overstated.
    saved_quota: wholeQuota(saved),
    saved_quota_exact: quotaText(saved),
    prompt_tokens: row.prompt_tokens,
    cached_prompt_tokens: row.cached_prompt_tokens,
    cache_write_5m_tokens: row.cache_write_5m_tokens,
    cache_write_1h_tokens: row.cache_write_1h_tokens,
    completion_tokens: row.completion_tokens,
    reasoning_tokens: row.reasoning_tokens,
  }
}

const PLACE = /^(\d{1,19})\.(\d{1,13})\.(\d{1,10})\.([\w-]{22})$/

function placeText({ value, lastAt, tokenId, session }: SessionPlace): string {
  return `${value}.${lastAt}.${tokenId}.${session}`
}

/** Values that do not fit into their columns would cause database errors. */
function placeOf(text: string): SessionPlace | Refusal {
  const [, value = '', lastAt = '', tokenId = '', session = ''] = PLACE.exec(text) ?? []
  const place = { value: BigInt(value), lastAt: Number(lastAt), tokenId: Number(tokenId), session }
  const isSound = session !== '' && fitsInt64(place.value) && place.tokenId <= INT_MAX
  return isSound ? place : invalidField('after', 'must be the value of next from an earlier reply')
}
