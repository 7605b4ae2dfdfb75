import type { EmailProof } from '@sluice/store/queries/accounts/email-codes'
import type { NewIdentity } from '@sluice/store/queries/accounts/identities'
import { findInviter, type Gift, insertAccount, type OpenedAccount } from '@sluice/store/queries/accounts/registration'
import type { SharedPorts } from '../ports.ts'
import { newDefaultToken } from '../tokens/default-token.ts'
import { payGifts } from './gifts.ts'

const GROUP = 'default'
const DISPLAY_NAME_MAX = 20

/** A person who signs up with a password or through a sign-in provider. All fields have been checked. */
export interface Newcomer {
  readonly username: string
  /** Empty if no password opens the account. */
  readonly passwordHash: string
  /** Empty for the username. */
  readonly displayName: string
  /** Empty, or proved: by `proof`, or by the provider. */
  readonly email: string
  readonly proof: EmailProof | undefined
  /** The mailbox that the provider vouches for, even if the account does not keep it; empty if the provider vouches for none. */
  readonly vouchedEmail?: string
  /** The provider's account that signs in as this one from now on. */
  readonly identity?: NewIdentity
  /** An invitation code; an unknown one does not prevent the sign-up. */
  readonly affCode: string
}

export type NewAccountDeps = Pick<
  SharedPorts,
  'database' | 'ledger' | 'vault' | 'options' | 'now' | 'randomBytes' | 'newId' | 'report'
>

/**
 * Opens an account with its unlimited token `default` and the gifts of the settings, for the newcomer and the inviter. The gifts
 * are promised in the same transaction and paid right after it, or later if the ledger does not answer; at most once, and not to a
 * mailbox or provider account that has already received them (class S47). The inviter's gift waits for the newcomer's first charge.
 */
export async function openNewAccount(deps: NewAccountDeps, newcomer: Newcomer): Promise<OpenedAccount> {
  const db = deps.database.kysely
  const { username, passwordHash, displayName, email, proof, identity, affCode } = newcomer
  const inviter = affCode === '' ? undefined : await findInviter(db, affCode)
  const opened = await insertAccount(db, {
    username,
    passwordHash,
    displayName: displayName || username.slice(0, DISPLAY_NAME_MAX),
    email,
    proof,
    identity,
    group: GROUP,
    inviterId: inviter?.id ?? 0,
    createdTime: Math.floor(deps.now() / 1_000),
    token: newDefaultToken(deps),
    gifts: giftsOf(deps, inviter),
    receivers: receiversOf(deps, newcomer),
  })
  // The account exists; a gift that cannot be paid now is paid later.
  if (typeof opened === 'object') {
    await payGifts(deps).catch((error: unknown) =>
      deps.report(error, { method: 'POST', path: 'gifts for a new account' }),
    )
  }
  return opened
}

/** Only proved mailboxes and identities count: without one, it is unknown whose account it is. */
function receiversOf({ vault }: Pick<SharedPorts, 'vault'>, { email, proof, vouchedEmail = '', identity }: Newcomer) {
  const mailbox = proof === undefined ? vouchedEmail : email
  return [
    ...(mailbox === '' ? [] : [`mailbox ${mailboxOf(mailbox)}`]),
    ...(identity === undefined ? [] : [`identity ${identity.provider} ${identity.issuer} ${identity.subject}`]),
  ].map((text) => vault.digests('gift_receiver', text))
}

function giftsOf(
  { options, newId }: Pick<SharedPorts, 'options' | 'newId'>,
  inviter: { readonly id: number; readonly username: string } | undefined,
): readonly Gift[] {
  const { QuotaForNewUser: welcome, QuotaForInvitee: invited, QuotaForInviter: inviting } = options()
  const gift = (kind: Gift['kind'], to: Gift['to'], quota: number, why: string): Gift[] =>
    quota === 0
      ? []
      : [{ requestId: newId(), kind, to, quota, content: `${why}: ${quota} quota`, awaitsCharge: to !== undefined }]
  return [
    ...gift('gift', undefined, welcome, 'Gift for a new user'),
    ...(inviter === undefined ? [] : gift('invite', undefined, invited, 'Gift for using an invitation code')),
    ...(inviter === undefined ? [] : gift('invite', inviter, inviting, 'Gift for inviting a user')),
  ]
}

/** Providers that ignore dots in names: https://support.google.com/mail/answer/7436150 */
const DOTLESS = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
])

/**
 * The mailbox of an address in a uniform spelling: lower case, without the text after a plus sign (RFC 5233) and without the dots
 * that its provider ignores. For comparison only; mail goes to the address as written.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1).toLowerCase()
  const [name = ''] = address.slice(0, at).toLowerCase().split('+')
  const dotless = DOTLESS.get(domain)
  return dotless === undefined ? `${name}@${domain}` : `${name.replaceAll('.', '')}@${dotless}`
}
