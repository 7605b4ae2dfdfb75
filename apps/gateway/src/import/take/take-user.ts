import { createHash } from 'node:crypto'
import { INT_MAX } from '@sluice/contract/row-id'
import { QUOTA_MAX } from '@sluice/contract/scalars'
import { emailAddress } from '@sluice/contract/user'
import { readArgon2 } from '@sluice/store/argon2-hash'
import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import { ROLE, USER_STATUS } from '@sluice/store/statuses'
import * as v from 'valibot'
import { Fields } from './fields.ts'
import { totpSecretOf } from './second-factors.ts'
import { SKIPPED, type Taken, takenFrom } from './taken.ts'

/** A user of another gateway, with the fields that exist here too. Quota in whole points. */
export interface SourceUser {
  readonly username: string
  /** bcrypt, or our argon2id; empty when no password opens the account. */
  readonly passwordHash: string
  readonly displayName: string
  readonly role: number
  readonly isEnabled: boolean
  readonly email: string
  readonly group: string
  /** Empty for none. */
  readonly affCode: string
  /** Id at the source; 0 for none. */
  readonly inviter: number
  /** SHA-256 of the access token, hex; empty for none. */
  readonly accessTokenHash: string
  /** Base32 secret of the second step; empty when it is off. */
  readonly totpSecret: string
  /** Unix seconds; 0 unknown. */
  readonly createdTime: number
  /** Balance, including the reward for invitations that new-api stores separately. */
  readonly quota: number
  readonly usedQuota: number
  readonly requests: number
  /** Accounts at sign-in providers by the family's column, without empty ones. */
  readonly identities: Readonly<Record<string, string>>
  /** Ids of the passkeys from the source's separate table; absent for none. */
  readonly passkeys?: readonly string[]
}

export const USER_COLUMNS = [
  'id',
  'username',
  'password',
  'display_name',
  'role',
  'status',
  'email',
  'group',
  'aff_code',
  'inviter_id',
  'access_token',
  'access_token_hash',
  'totp_secret',
  'created_at',
  'quota',
  'used_quota',
  'request_count',
  'aff_quota',
  'deleted_at',
  'github_id',
  'lark_id',
  'oidc_id',
  'wechat_id',
  'discord_id',
  'linux_do_id',
  'telegram_id',
] as const

const IDENTITY_COLUMNS = USER_COLUMNS.filter((column) =>
  /^(github|lark|oidc|wechat|discord|linux_do|telegram)_id$/.test(column),
)

const NAME_MAX = 100
const GROUP_MAX = 32
const DISPLAY_NAME_MAX = 255
const STATUS_MAX = 3
/** Permitted costs of bcrypt hashes; higher ones would keep a thread busy for seconds at each attempt. */
const BCRYPT = /^\$2[aby]\$(0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/

export function takeUser(row: ForeignRow): Taken<SourceUser> {
  const fields = new Fields(row)
  const status = fields.integer('status', 0, STATUS_MAX, USER_STATUS.enabled)
  if (fields.deleted('deleted_at') || status === USER_STATUS.deleted) return SKIPPED
  const identities = IDENTITY_COLUMNS.map((column) => [column, fields.text(column, 255)] as const)
  const user: SourceUser = {
    username: usernameOf(fields),
    passwordHash: passwordOf(fields),
    displayName: fields.text('display_name', DISPLAY_NAME_MAX),
    role: roleOf(fields),
    isEnabled: status !== USER_STATUS.disabled,
    email: emailOf(fields),
    group: groupOf(fields),
    affCode: fields.text('aff_code', 64),
    inviter: fields.integer('inviter_id', 0, INT_MAX, 0),
    accessTokenHash: accessTokenOf(fields),
    totpSecret: totpSecretOf(fields, 'totp_secret'),
    createdTime: fields.seconds('created_at'),
    quota: fields.integer('quota', -QUOTA_MAX, QUOTA_MAX) + fields.integer('aff_quota', 0, QUOTA_MAX, 0),
    usedQuota: fields.integer('used_quota', -QUOTA_MAX, QUOTA_MAX, 0),
    requests: fields.integer('request_count', 0, Number.MAX_SAFE_INTEGER, 0),
    identities: Object.fromEntries(identities.filter(([, id]) => id !== '')),
  }
  return takenFrom(fields, user)
}

/** A mark that identifies a user, because it hardly ever changes: the invitation code, or the name of a user without a code. */
export function markOfUser({ affCode, username }: Pick<SourceUser, 'affCode' | 'username'>): string {
  return affCode === '' ? `name ${username}` : `code ${affCode}`
}

function usernameOf(fields: Fields): string {
  const name = fields.required('username', NAME_MAX)
  if (/\p{Cc}/u.test(name)) fields.refuse('username', 'contains a control character')
  if (/^deleted_\d+$/.test(name)) fields.refuse('username', 'is a name reserved for deleted users')
  return name
}

function passwordOf(fields: Fields): string {
  // Users of sign-in providers have none.
  const hash = fields.text('password', 255)
  if (fields.isNull('password')) fields.refuse('password', 'is NULL')
  if (hash === '' || BCRYPT.test(hash) || readArgon2(hash) !== undefined) return hash
  const what = hash.startsWith('argon2id$')
    ? 'is an argon2id hash that requires more than 64 MiB, 8 passes or 4 lanes, or is damaged'
    : 'is not a bcrypt hash with a cost from 4 to 14'
  fields.adapt('password', `${what}: the user has to set a new password`)
  return ''
}

function roleOf(fields: Fields): number {
  const role = fields.integer('role', 0, ROLE.root, ROLE.user)
  // The family compares roles as numbers: a role between two others has the rights of the lower one.
  return role >= ROLE.root ? ROLE.root : role >= ROLE.admin ? ROLE.admin : ROLE.user
}

function emailOf(fields: Fields): string {
  const email = fields.text('email', 1_000).trim()
  if (email === '' || v.is(emailAddress, email)) return email
  fields.adapt('email', 'is not an address of at most 50 characters: left empty')
  return ''
}

function groupOf(fields: Fields): string {
  const group = fields.text('group', 255).trim()
  if (group === '') return 'default'
  if (group.length > GROUP_MAX || /[,\p{Cc}]/u.test(group)) {
    fields.refuse(
      'group',
      `is not a group name of at most ${GROUP_MAX} characters without commas and control characters`,
    )
  }
  return group
}

/** The management API finds tokens by the digest of the sent text without the scheme. Our own exports contain only the digest. */
function accessTokenOf(fields: Fields): string {
  const hash = fields.text('access_token_hash', 64)
  if (/^[0-9a-f]{64}$/.test(hash)) return hash
  const token = fields.text('access_token', 199).trim()
  return token === '' ? '' : createHash('sha256').update(token).digest('hex')
}
