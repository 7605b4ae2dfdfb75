import type { Refusal } from '@sluice/contract/errors'
import { USER_STATUS, username } from '@sluice/contract/user'
import { isEmailTaken } from '@sluice/store/queries/email-codes'
import { bindIdentity, findUserByIdentity, type NewIdentity, type SignInUser } from '@sluice/store/queries/identities'
import * as v from 'valibot'
import type { ProvidedIdentity } from '../../sign-in-providers/provider.ts'
import { openNewAccount } from '../account/new-account.ts'
import type { ManagementDeps } from '../ports.ts'

const SUFFIX_BYTES = 4
const NAME_TRIES = 4
const DISPLAY_NAME_MAX = 20

/** Names as people read them. */
export const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  github: 'GitHub',
  lark: 'Lark',
  oidc: 'OpenID Connect',
  wechat: 'WeChat',
}

/**
 * The user that an identity signs in as; a new account when there is none and anybody may sign up. Only the provider's own id
 * of the person counts: an address is never a reason to let somebody into an account that exists.
 */
export async function findOrOpenAccount(
  deps: ManagementDeps,
  provider: string,
  identity: ProvidedIdentity,
  affCode: string,
): Promise<SignInUser | Refusal> {
  const key = { provider, issuer: identity.issuer, subject: identity.subject }
  const user = await findUserByIdentity(deps.database.kysely, key)
  if (user !== undefined) return user.status === USER_STATUS.enabled ? user : { code: 'account_disabled' }
  if (!deps.options().RegisterEnabled) return { code: 'registration_disabled' }

  await openAccount(deps, provider, identity, affCode)
  // Another call with the same identity may have been first; then it opened the account.
  const created = await findUserByIdentity(deps.database.kysely, key)
  return created ?? { code: 'refused', params: { reason: 'No free username was found; try again.' } }
}

/** Binds an identity to the account of the caller. */
export async function bindTo(
  deps: ManagementDeps,
  userId: number,
  provider: string,
  identity: ProvidedIdentity,
): Promise<Refusal | undefined> {
  const answer = await bindIdentity(deps.database.kysely, userId, newIdentity(deps, provider, identity))
  return answer === 'bound'
    ? undefined
    : { code: 'identity_taken', params: { provider: PROVIDER_NAMES[provider] ?? provider } }
}

async function openAccount(
  deps: ManagementDeps,
  provider: string,
  identity: ProvidedIdentity,
  affCode: string,
): Promise<void> {
  const email = await freeEmail(deps, identity.email)
  for (const name of proposeNames(deps, provider, identity)) {
    const opened = await openNewAccount(deps, {
      username: name,
      passwordHash: '',
      displayName: displayNameOf(identity),
      email,
      proof: undefined,
      vouchedEmail: identity.email,
      affCode,
      identity: newIdentity(deps, provider, identity),
    })
    if (opened !== 'name_taken') return
  }
}

/** What the provider proposes if it can be a username here, then names that nobody has. */
function proposeNames(
  deps: ManagementDeps,
  provider: string,
  { username: proposed }: ProvidedIdentity,
): readonly string[] {
  const isFit = /^[A-Za-z][\w.-]*$/.test(proposed) && v.is(username, proposed)
  const random = (): string => `${provider}_${Buffer.from(deps.randomBytes(SUFFIX_BYTES)).toString('hex')}`
  return [...(isFit ? [proposed] : []), ...Array.from({ length: NAME_TRIES }, random)]
}

/** A verified address that no account has. With a second account of the same address neither could sign in by it. */
async function freeEmail(deps: ManagementDeps, email: string): Promise<string> {
  const fits = email !== '' && email.length <= 50 && /^[\x21-\x3f\x41-\x7e]+@[\x21-\x7e]+$/.test(email)
  return fits && !(await isEmailTaken(deps.database.kysely, email, 0)) ? email : ''
}

/** Without invisible characters, and without half of one that needs two places. */
function displayNameOf({ displayName }: ProvidedIdentity): string {
  const shown = displayName.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return shown
    .slice(0, DISPLAY_NAME_MAX)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
}

function newIdentity(deps: ManagementDeps, provider: string, identity: ProvidedIdentity): NewIdentity {
  const { issuer, subject, label } = identity
  return { provider, issuer, subject, label: label.slice(0, 200), createdTime: Math.floor(deps.now() / 1_000) }
}
