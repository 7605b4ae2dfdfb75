import type { Refusal } from '@sluice/contract/errors'
import { emailAddress, USER_STATUS, username } from '@sluice/contract/user'
import { isEmailTaken } from '@sluice/store/queries/accounts/email-codes'
import {
  bindIdentity,
  findUserByIdentity,
  type NewIdentity,
  type SignInUser,
} from '@sluice/store/queries/accounts/identities'
import * as v from 'valibot'
import type { ProvidedIdentity } from '../../sign-in-providers/provider.ts'
import { type NewAccountDeps, openNewAccount } from '../account/new-account.ts'

const SUFFIX_BYTES = 4
const NAME_TRIES = 4
const DISPLAY_NAME_MAX = 20
const LABEL_MAX = 200

export const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  github: 'GitHub',
  lark: 'Lark',
  oidc: 'OpenID Connect',
  wechat: 'WeChat',
}

/**
 * The user that an identity signs in as; a new account if sign-up is open and the identity has none. Only the provider's own id of
 * the person counts: an address never lets a person into an existing account.
 */
export async function findOrOpenAccount(
  deps: NewAccountDeps,
  provider: string,
  identity: ProvidedIdentity,
  affCode: string,
): Promise<SignInUser | Refusal> {
  const key = { provider, issuer: identity.issuer, subject: identity.subject }
  const user = await findUserByIdentity(deps.database.kysely, key)
  if (user !== undefined) return user.status === USER_STATUS.enabled ? user : { code: 'account_disabled' }
  if (!deps.options().RegisterEnabled) return { code: 'registration_disabled' }

  await openAccount(deps, provider, identity, affCode)
  // A concurrent call with the same identity might have opened the account.
  const created = await findUserByIdentity(deps.database.kysely, key)
  return created ?? { code: 'refused', params: { reason: 'No free username was found; try again.' } }
}

export async function bindTo(
  deps: NewAccountDeps,
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
  deps: NewAccountDeps,
  provider: string,
  identity: ProvidedIdentity,
  affCode: string,
): Promise<void> {
  const vouchedEmail = addressOf(identity)
  const isFree = vouchedEmail !== '' && !(await isEmailTaken(deps.database.kysely, vouchedEmail, 0))
  for (const name of proposeNames(deps, provider, identity)) {
    const opened = await openNewAccount(deps, {
      username: name,
      passwordHash: '',
      displayName: shown(identity.displayName, DISPLAY_NAME_MAX),
      // If two accounts had the same address, neither could sign in by it.
      email: isFree ? vouchedEmail : '',
      proof: undefined,
      vouchedEmail,
      affCode,
      identity: newIdentity(deps, provider, identity),
    })
    if (opened !== 'name_taken') return
  }
}

/** The provider's suggestion if it can be a username here, then names that no user has. */
function proposeNames(
  deps: NewAccountDeps,
  provider: string,
  { username: proposed }: ProvidedIdentity,
): readonly string[] {
  const isFit = /^[A-Za-z][\w.-]*$/.test(proposed) && v.is(username, proposed)
  const random = (): string => `${provider}_${Buffer.from(deps.randomBytes(SUFFIX_BYTES)).toString('hex')}`
  return [...(isFit ? [proposed] : []), ...Array.from({ length: NAME_TRIES }, random)]
}

/** The verified address. Like all addresses here, it is refused if a mailer would read it as two. */
function addressOf({ email }: ProvidedIdentity): string {
  return v.is(emailAddress, email) && email === email.trim() ? email : ''
}

/** The text without halves of surrogate pairs, even if cutting it left one. */
function shown(text: string, max: number): string {
  const visible = text.replace(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ').trim()
  return visible
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
}

function newIdentity(deps: NewAccountDeps, provider: string, identity: ProvidedIdentity): NewIdentity {
  const { issuer, subject, label } = identity
  return { provider, issuer, subject, label: shown(label, LABEL_MAX), createdTime: Math.floor(deps.now() / 1_000) }
}
