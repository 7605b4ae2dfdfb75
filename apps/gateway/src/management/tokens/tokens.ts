import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { splitList } from '@sluice/contract/fields/comma-list'
import { copiedSettings, PLAIN_TOKEN, type TokenSettings } from '@sluice/contract/fields/token'
import type { BodyOutput } from '@sluice/contract/route'
import * as routes from '@sluice/contract/routes/tokens'
import { TOKEN_STATUS, type Token } from '@sluice/contract/token'
import { mq, mqFromQuota } from '@sluice/ledger/units'
import { readQuietHours } from '@sluice/store/options/quiet-hours'
import { pageOf, sortingOf } from '@sluice/store/paging'
import type { BudgetRow } from '@sluice/store/queries/ledger/budgets'
import * as tokens from '@sluice/store/queries/tokens/tokens'
import type { LatestRefusals } from '../../tokens/refusals.ts'
import { bind, type Binding, bindUpdate } from '../bind.ts'
import { setBudgets } from '../budgets.ts'
import { invalidField } from '../issue-text.ts'
import type { ListQuery } from '../list-query.ts'
import type { SharedPorts } from '../ports.ts'
import { quotaChange } from '../quota-change.ts'
import { moveAmount } from '../quota-move.ts'
import type { Caller } from '../sessions/caller.ts'
import { parseSubnet } from './subnet.ts'
import { storedGroups } from './token-groups.ts'
import { keyHash, newTokenKey } from './token-key.ts'
import { shownStatus, tokenOnWire } from './token-wire.ts'

/** Far more than any user needs; the database sorts a list in memory. */
const TOKENS_PER_USER = 1_000
const NOT_FOUND: Refusal = { code: 'not_found', params: { what: 'Token' } }
const NEWEST = { column: 'token.id', direction: 'desc' } as const

type NewToken = BodyOutput<typeof routes.createToken>
type TokenBody = NewToken | BodyOutput<typeof routes.updateToken>

export type TokenDeps = Pick<
  SharedPorts,
  'database' | 'ledger' | 'vault' | 'options' | 'newId' | 'now' | 'randomBytes'
> & {
  readonly latestRefusals: Pick<LatestRefusals, 'of'>
}

/** A user's own tokens. Other users' tokens do not exist here, whatever the caller's role (class S11). */
export function tokenRoutes(deps: TokenDeps): readonly Binding[] {
  return [
    bind(routes.listTokens, ({ caller, query }) => list(deps, caller, '', query)),
    bind(routes.searchTokens, ({ caller, query }) => list(deps, caller, query.keyword, query)),
    bind(routes.getToken, ({ caller, id }) => answer(deps, caller, id)),
    bind(routes.firstCallOfToken, ({ caller, id }) => firstCall(deps, caller, id)),
    bind(routes.createToken, ({ caller, body }) => create(deps, caller, body)),
    bindUpdate(routes.updateToken, {
      full: ({ caller, body }) => update(deps, caller, body),
      statusOnly: ({ caller, body }) => setStatus(deps, caller, body.id, body.status),
    }),
    bind(routes.deleteToken, async ({ caller, id }) =>
      (await tokens.deleteToken(deps.database.kysely, caller.id, id)) ? {} : NOT_FOUND,
    ),
  ]
}

async function list(deps: TokenDeps, caller: Caller, keyword: string, query: ListQuery) {
  const sorting = sortingOf(tokens.TOKEN_SORT_COLUMNS, query, NEWEST)
  const { rows, total } = await tokens.listTokens(
    deps.database.kysely,
    caller.id,
    keyword,
    sorting,
    pageOf(query),
    nowSeconds(deps),
  )
  return { data: rows.map((row) => onWire(deps, row)), total }
}

async function answer(deps: TokenDeps, caller: Caller, id: number): Promise<{ data: Token } | Refusal> {
  const row = await tokens.findToken(deps.database.kysely, caller.id, id)
  return row === undefined ? NOT_FOUND : { data: onWire(deps, row) }
}

async function firstCall(deps: TokenDeps, caller: Caller, id: number) {
  const row = await tokens.findToken(deps.database.kysely, caller.id, id)
  if (row === undefined) return NOT_FOUND
  const refusal = deps.latestRefusals.of(id)
  return {
    data: {
      called_time: Math.floor(row.lastMs / 1_000),
      refusal: refusal && {
        code: refusal.code,
        message: refusal.message,
        time: Math.floor(refusal.at / 1_000),
      },
    },
  }
}

async function create(deps: TokenDeps, caller: Caller, body: NewToken) {
  const settings = settingsOf(body, PLAIN_TOKEN, storedGroups(deps.options(), caller.group, body, null))
  if (isRefusal(settings)) return settings
  if ((await tokens.countTokens(deps.database.kysely, caller.id)) >= TOKENS_PER_USER) {
    return { code: 'refused', params: { reason: `An account is limited to ${TOKENS_PER_USER} tokens.` } } as const
  }
  const key = newTokenKey(deps.randomBytes)
  const id = await tokens.insertToken(deps.database.kysely, caller.id, {
    ...settings,
    keyHash: keyHash(key),
    keySealed: deps.vault.seal('token_key', key),
    createdTime: nowSeconds(deps),
  })
  const refusal =
    (await budgetsOf(deps, caller, id, [], body)) ??
    (await setLimit(deps, caller, id, body.unlimited_quota, {
      mode: 'set',
      amount: mqFromQuota(Math.max(0, body.remain_quota)),
    }))
  if (refusal === undefined) return answer(deps, caller, id)
  // Without its limits, the token would be useless, and its owner would create another.
  await tokens.deleteToken(deps.database.kysely, caller.id, id)
  return refusal
}

async function update(deps: TokenDeps, caller: Caller, body: BodyOutput<typeof routes.updateToken>) {
  const before = await tokens.findToken(deps.database.kysely, caller.id, body.id)
  if (before === undefined) return NOT_FOUND
  const settings = settingsOf(body, before, storedGroups(deps.options(), caller.group, body, before.groups))
  if (isRefusal(settings)) return settings
  const change = limitChange(body, before) ?? NO_CHANGE
  const unchanged = before.unlimited === body.unlimited_quota && change === NO_CHANGE
  const refusal =
    (await budgetsOf(deps, caller, body.id, before.budgets, body)) ??
    (unchanged ? undefined : await setLimit(deps, caller, body.id, body.unlimited_quota, change))
  if (refusal !== undefined) return refusal
  await tokens.updateToken(deps.database.kysely, caller.id, body.id, settings, storedStatus(body.status))
  return answer(deps, caller, body.id)
}

function budgetsOf(deps: TokenDeps, caller: Caller, id: number, before: readonly BudgetRow[], body: TokenBody) {
  const account = { kind: 'token', id, userId: caller.id, unlimited: body.unlimited_quota } as const
  return setBudgets(deps, account, before, body.budgets)
}

/** Sets the remaining quota of a new token, or moves the difference for an existing one, and switches its limit on or off. */
function setLimit(
  deps: TokenDeps,
  caller: Caller,
  id: number,
  unlimited: boolean,
  { mode, amount }: NonNullable<ReturnType<typeof quotaChange>>,
): Promise<Refusal | undefined> {
  return moveAmount(
    deps.ledger,
    { kind: 'token', id, unlimited },
    { requestId: deps.newId(), kind: 'limit-set', mode, amount, actor: caller.id, reason: 'set by the owner' },
  )
}

async function setStatus(deps: TokenDeps, caller: Caller, id: number, status: 1 | 2) {
  const row = await tokens.findToken(deps.database.kysely, caller.id, id)
  if (row === undefined) return NOT_FOUND
  const problem = status === TOKEN_STATUS.enabled ? enableProblem(row, nowSeconds(deps)) : undefined
  if (problem !== undefined) return problem
  await tokens.setTokenStatus(deps.database.kysely, caller.id, id, status)
  return answer(deps, caller, id)
}

function onWire(deps: TokenDeps, row: tokens.TokenRow): Token {
  return tokenOnWire(row, deps.vault, nowSeconds(deps))
}

function nowSeconds({ now }: TokenDeps): number {
  return Math.floor(now() / 1_000)
}

const NO_CHANGE = { mode: 'add', amount: mq(0n) } as const

/** The change of a token's remaining quota; undefined for none. */
function limitChange(body: BodyOutput<typeof routes.updateToken>, { remain, spent, ...before }: tokens.TokenRow) {
  const { remain_quota: quota, unlimited_quota: unlimited } = body
  // A negative amount, shown for an overdrawn token, means nothing for an unlimited one.
  if (unlimited && quota !== undefined && quota < 0)
    return before.unlimited ? undefined : ({ mode: 'set', amount: mq(0n) } as const)
  const said = { quota, seen: body.remain_quota_seen, exact: body.remain_quota_exact, used: body.used_quota }
  return quotaChange(said, { left: remain, used: spent })
}

/** The quota to check; undefined if a body contains none, or the one that its sender was shown. */
function requestedQuota(body: TokenBody): number | undefined {
  const seen = 'remain_quota_seen' in body ? body.remain_quota_seen : undefined
  return body.remain_quota === seen ? undefined : body.remain_quota
}

function settingsOf(
  body: TokenBody,
  before: TokenSettings,
  groups: ReturnType<typeof storedGroups>,
): TokenSettings | Refusal {
  if (isRefusal(groups)) return groups
  if (!body.unlimited_quota && (requestedQuota(body) ?? 0) < 0)
    return invalidField('remain_quota', 'Quota must be non-negative')
  const parsed = parseSubnet(body.subnet)
  if ('problem' in parsed) return invalidField('subnet', parsed.problem)
  const quiet = storedQuietHours(body.quiet_hours, before.quietHours)
  if (isRefusal(quiet)) return quiet
  return {
    ...copiedSettings(body, before),
    // The family also treats 0 as never.
    expiredTime: body.expired_time || -1,
    models: splitList(body.models).join(',') || null,
    subnet: parsed.subnet,
    groups: groups.groups,
    sessionQuota: body.session_quota === undefined ? before.sessionQuota : mqFromQuota(body.session_quota),
    quietHours: quiet.quietHours,
  }
}

function storedQuietHours(
  text: string | null | undefined,
  before: string | null,
): { readonly quietHours: string | null } | Refusal {
  if (text === undefined) return { quietHours: before }
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') return { quietHours: null }
  const read = readQuietHours(trimmed)
  return 'problem' in read ? invalidField('quiet_hours', read.problem) : { quietHours: trimmed }
}

/** Expired and exhausted follow from time and quota; only the switch itself is stored. */
function storedStatus(status: 1 | 2 | 3 | 4 | undefined): 1 | 2 | undefined {
  return status === TOKEN_STATUS.enabled || status === TOKEN_STATUS.disabled ? status : undefined
}

/** The reason why a token must not be switched on: it would not work. */
function enableProblem(row: tokens.TokenRow, now: number): Refusal | undefined {
  const status = shownStatus({ ...row, status: TOKEN_STATUS.enabled }, now)
  if (status === TOKEN_STATUS.expired) {
    const reason = 'The token has expired. To enable it, change its expiration time or set it to never expire.'
    return { code: 'refused', params: { reason } }
  }
  if (status === TOKEN_STATUS.exhausted) {
    const reason = 'The token has no quota left. To enable it, give it more quota or make it unlimited.'
    return { code: 'refused', params: { reason } }
  }
  return undefined
}
