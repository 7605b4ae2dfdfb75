import { isIP } from 'node:net'
import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { Ledger } from '@sluice/ledger/ledger'
import { vendorOfKey } from '@sluice/providers/kinds/vendor-hosts'
import type { QuietHours } from '@sluice/store/options/quiet-hours'
import type { AccountSnapshot } from '@sluice/store/snapshots/tokens'
import { ROLE, TOKEN_STATUS, USER_STATUS } from '@sluice/store/statuses'
import type { Accepted } from '../../edge/exchange.ts'
import { bareKey } from '../../tokens/bare-key.ts'
import type { RelayOptions } from '../relay-options.ts'
import { SentCredential } from '../stages/caller-credential.ts'
import type { Identity } from '../stages/identity.ts'
import { quietRefusal, quietUntil } from './quiet-hours.ts'
import { type KeyCarrier, type PresentedKey, readKey, readCredential } from './read-key.ts'
import { noGroupLeft, servedGroups } from './served-groups.ts'
import type { KnownToken, TokenDirectory } from './token-directory.ts'

export interface AuthenticateDeps {
  readonly tokens: TokenDirectory
  readonly ledger: Pick<Ledger, 'knownBalance' | 'openAccount'>
  readonly options: () => Pick<RelayOptions, 'Groups'>
  readonly now: () => number
}

type Caller = KeyCarrier & Pick<Accepted, 'client'>
type Purpose = 'spend' | 'look'

const NEVER = -1

/** `purpose`: what the key is used for; spending by default. */
export type Authenticate = (caller: Caller, purpose?: Purpose) => Promise<Identity | Refusal>

/**
 * Identifies the caller by the request's head alone: a request without a valid key costs neither memory nor time (class S43).
 * Checks the key's rules in the family's order: key known, token enabled, not expired, not used up, address allowed, user enabled,
 * channel pinned only by administrators, one of its groups left. A token that is used up, or has no group left, can still be used
 * to look things up.
 */
export async function authenticate(
  deps: AuthenticateDeps,
  accepted: Caller,
  purpose: Purpose = 'spend',
): Promise<Identity | Refusal> {
  const presented = readKey(accepted)
  if (presented === undefined) return { code: 'missing_key' }
  const digest = deps.tokens.digest(presented.key)
  let known = deps.tokens.cached(digest) ?? (await deps.tokens.load(digest))
  if (typeof known !== 'string' && mayBeUsedUp(deps, known)) known = await deps.tokens.load(digest)
  if (typeof known === 'string') return known === 'absent' ? unknownKey(accepted) : NO_TOKEN[known]
  const { client } = accepted
  const broken = ruleBroken(deps.now(), known, { client, pinnedChannel: presented.pinnedChannel, purpose })
  if (broken !== undefined) return broken
  const { token, user } = known.snapshot
  const groups = servedGroups(deps.options().Groups, user.group, token.groups)
  if (groups?.length === 0 && purpose === 'spend') return noGroupLeft(token.groups)
  const callerCredential = presented.isSeparate === true ? await ownCredential(deps, accepted, digest) : undefined
  if (callerCredential !== undefined && isRefusal(callerCredential)) return callerCredential
  const identity = await identityOf(deps, presented, known, groups)
  if (isRefusal(identity)) return identity
  const { userAccount, tokenAccount } = known.snapshot
  // Without this, every further request would open them again and wait for that commit.
  if (userAccount === undefined || tokenAccount === undefined) void deps.tokens.load(digest)
  const { ownKeys } = known
  if (callerCredential === undefined) return ownKeys === undefined ? identity : { ...identity, ownKeys }
  return { ...identity, callerCredential }
}

/** A provider's key without a gateway key is a mistake that can be reported specifically. */
function unknownKey({ headers }: Caller): Refusal {
  const found = readCredential(headers)
  return found !== undefined && vendorOfKey(found.key) !== undefined
    ? { code: 'gateway_key_missing', params: { header: found.header } }
    : { code: 'invalid_key' }
}

/** A gateway key in place of a provider's key is never treated as one, because it would be sent to a provider. */
async function ownCredential(
  { tokens }: Pick<AuthenticateDeps, 'tokens'>,
  { headers }: Caller,
  digest: string,
): Promise<SentCredential | Refusal | undefined> {
  const found = readCredential(headers)
  if (found === undefined) return undefined
  const { header, key } = found
  if (key === '') return { code: 'caller_credential_invalid', params: { header } }
  const own = tokens.digest(bareKey(key))
  if (own === digest) return undefined
  const known = tokens.cached(own) ?? (await tokens.load(own))
  if (known === 'absent') return new SentCredential(header, key)
  if (typeof known === 'string') return NO_TOKEN[known]
  return { code: 'caller_credential_invalid', params: { header } }
}

const NO_TOKEN = {
  overloaded: { code: 'overloaded', params: { limit: 'key look-ups' }, retryAfter: 1 },
  unavailable: { code: 'ledger_unavailable', retryAfter: 1 },
} as const satisfies Readonly<Record<string, Refusal>>

/** Cached rows do not follow spending. They are read again only if this process knows of no quota left on the token. */
function mayBeUsedUp({ ledger }: AuthenticateDeps, { snapshot: { token, tokenAccount } }: KnownToken): boolean {
  if (token.unlimited || tokenAccount === undefined) return false
  const balance = ledger.knownBalance(tokenAccount.id)
  return balance === undefined ? hasNothingLeft(tokenAccount) : balance.available <= 0n
}

/** Held amounts are ignored: a token whose quota is only reserved is busy, not used up. */
const hasNothingLeft = (account: AccountSnapshot) => account.posted <= account.creditFloor

interface KeyUse {
  /** The caller's address. */
  readonly client: string
  readonly pinnedChannel: number | undefined
  readonly purpose?: Purpose
}

/** The first rule that a key violates. `now` in unix milliseconds. */
export function ruleBroken(
  now: number,
  { snapshot: { token, user, tokenAccount }, subnet, quiet }: Pick<KnownToken, 'snapshot' | 'subnet' | 'quiet'>,
  { client, pinnedChannel, purpose = 'spend' }: KeyUse,
): Refusal | undefined {
  if (token.status !== TOKEN_STATUS.enabled) return { code: 'token_disabled' }
  if (token.expiredTime !== NEVER && token.expiredTime * 1_000 <= now) return { code: 'token_expired' }
  const mustHaveQuota = purpose === 'spend' && !token.unlimited && tokenAccount !== undefined
  if (mustHaveQuota && hasNothingLeft(tokenAccount)) return { code: 'token_exhausted' }
  if (subnet !== undefined && !subnet.check(client, isIP(client) === 6 ? 'ipv6' : 'ipv4')) {
    return { code: 'subnet_not_allowed' }
  }
  return userRuleBroken(user, pinnedChannel) ?? (purpose === 'spend' ? quietRule(quiet, now) : undefined)
}

function quietRule(quiet: QuietHours | undefined, now: number): Refusal | undefined {
  const until = quiet && quietUntil(quiet, now)
  return until === undefined ? undefined : quietRefusal(until, now)
}

/** As `ruleBroken`, for the rules that apply to the key's owner. */
export function userRuleBroken(
  user: Pick<KnownToken['snapshot']['user'], 'status' | 'role'>,
  pinnedChannel: number | undefined,
): Refusal | undefined {
  if (user.status !== USER_STATUS.enabled) return { code: 'user_disabled' }
  if (pinnedChannel !== undefined && user.role < ROLE.admin) return { code: 'channel_pin_not_allowed' }
  return undefined
}

async function identityOf(
  { ledger }: AuthenticateDeps,
  { pinnedChannel }: PresentedKey,
  { snapshot: { token, user, userAccount, tokenAccount }, models }: KnownToken,
  groups: readonly string[] | undefined,
): Promise<Identity | Refusal> {
  // Rows that were imported without their accounts get them with the first request.
  const account = userAccount?.id ?? (await ledger.openAccount('user', user.id, false))
  const limitAccount = tokenAccount?.id ?? (await ledger.openAccount('token', token.id, token.unlimited))
  if (account === 'unavailable' || limitAccount === 'unavailable') return { code: 'ledger_unavailable', retryAfter: 1 }
  return {
    tokenId: token.id,
    tokenName: token.name,
    userId: user.id,
    username: user.username,
    group: user.group,
    groups,
    account,
    limitAccount,
    limits: token.limits,
    guard: token.guard,
    models,
    pinnedChannel,
  }
}
