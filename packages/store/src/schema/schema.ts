import type { ChannelColumns } from '@sluice/contract/fields/channel'
import type { TokenColumns } from '@sluice/contract/fields/token'
import type { ColumnType, Generated } from 'kysely'
import type { AuditCallTable, AuditHeadTable, AuditTable } from './audit.ts'
import type { ChannelHistoryTable, ChannelRestTable } from './channel-health.ts'
import type { ChannelJobTables } from './channel-jobs.ts'
import type { AlarmTable, CheckTables } from './checks.ts'
import type { ConfigurationTables } from './configuration.ts'
import type { DatabaseMoveTable } from './database-move.ts'
import type { ImportTables } from './imports.ts'
import type { LedgerTables } from './ledger.ts'
import type { RedemptionTable, TokenTransactionTable } from './redemption.ts'
import type { RollUps } from './roll-ups.ts'
import type { RunningCallTables } from './running-calls.ts'
import type { BackgroundResponseTable, StoredResponseTable } from './stored-response.ts'

/**
 * Every table, as in both engines. Names are singular snake case; money is mq in 64-bit integers; times are unix seconds if the
 * wire uses seconds (`*_time`, `created_at` of `log`) and unix milliseconds elsewhere (`*_ms`).
 */
export interface Schema
  extends ChannelJobTables, CheckTables, ConfigurationTables, ImportTables, LedgerTables, RollUps, RunningCallTables {
  user: UserTable
  session: SessionTable
  token: TokenTable
  channel: ChannelTable
  channel_key: ChannelKeyTable
  channel_history: ChannelHistoryTable
  channel_rest: ChannelRestTable
  option: OptionTable
  snapshot_version: SnapshotVersionTable
  recovery_code: RecoveryCodeTable
  email_code: EmailCodeTable
  password_reset: PasswordResetTable
  ceremony: CeremonyTable
  passkey: PasskeyTable
  own_key: OwnKeyTable
  pending_gift: PendingGiftTable
  gift_receiver: GiftReceiverTable
  outbox: OutboxTable
  identity: IdentityTable
  oauth_state: OAuthStateTable
  alarm: AlarmTable
  kept_response: StoredResponseTable
  background_response: BackgroundResponseTable
  audit: AuditTable
  audit_call: AuditCallTable
  audit_head: AuditHeadTable
  doctor_call: DoctorCallTable
  redemption: RedemptionTable
  token_transaction: TokenTransactionTable
  database_move: DatabaseMoveTable
}

/** 0 or 1: SQLite has no boolean, so neither engine uses one. */
type Flag = ColumnType<number, number, number>

export interface UserTable {
  id: Generated<number>
  username: string
  /** `argon2id$…` in our own encoding, or an imported bcrypt hash. */
  password_hash: string
  display_name: string
  role: number
  status: number
  email: string
  group_name: string
  aff_code: string | null
  created_time: number
  /** SHA-256 of the access token for the management API, hex. */
  access_token_hash: string | null
  /** Id of the user who invited this one; 0 if none did. */
  inviter_id: Generated<number>
  /** The TOTP secret in base32, sealed; null when the second step is off. */
  totp_sealed: string | null
  /** The last 30-second step whose code was accepted: codes up to it are used up. */
  totp_last_step: Generated<number>
}

/** A code that stands in once for a lost TOTP device. */
export interface RecoveryCodeTable {
  user_id: number
  /** SHA-256 of the code, hex. */
  code_hash: string
}

/** A code mailed to an address to prove that its owner reads it; removed once used. One per address, requester and action. */
export interface EmailCodeTable {
  /**
   * SHA-256 of action, requester and address, hex. The column has kept its name, so that a replica of the previous release, which
   * writes addresses, works next to this one.
   */
  email: string
  code_sealed: string
  attempts_left: number
  expires_time: number
}

/** The link mailed to a user who forgot the password; one per user, removed once it is used. */
export interface PasswordResetTable {
  user_id: number
  /** SHA-256 of the token, hex. */
  token_hash: string
  expires_time: number
}

/** An act that its owner must finish in time, and only once: a challenge, or a TOTP secret not yet confirmed. */
export interface CeremonyTable {
  /** Digest of the session, access token or cookie that began it. */
  owner: string
  action: string
  content: string
  expires_time: number
}

export interface PasskeyTable {
  id: Generated<number>
  user_id: number
  name: string
  /** base64url. */
  credential_id: string
  /** COSE key, base64url. */
  public_key: string
  sign_count: number
  /** Comma-separated. */
  transports: string
  created_time: number
  /** Unix seconds of the last sign-in; 0 never. */
  used_time: number
}

/** A provider key that a user has stored for their own calls; one per vendor. */
interface OwnKeyTable {
  id: Generated<number>
  user_id: number
  vendor: string
  label: string
  /** Sealed together with its owner and vendor: in another row it cannot be opened. */
  key_sealed: string
  /** See `keyFingerprint`. */
  fingerprint: string
  /** Whether the platform's channels may serve requests that this key could not. */
  falls_back: Flag
  /** Unix seconds at which the current key was stored. */
  created_time: number
}

/** Receivers of the gifts for newcomers, including deleted users, so that no one gets them twice. */
export interface GiftReceiverTable {
  /** Keyed digest of a mailbox or of an account at a sign-in provider: it reveals nothing to anyone without the master key. */
  digest: string
}

/** A gift that was promised in the transaction that created a user and that the ledger has not yet moved. */
export interface PendingGiftTable {
  /** Id of the movement, which moves money only once, however often it is tried. */
  request_id: string
  kind: 'gift' | 'invite'
  user_id: number
  username: string
  /** Whole points. */
  quota: number
  content: string
  /** User id of the newcomer who must have been charged for something first; 0 if none. */
  awaits_user: Generated<number>
}

export interface SessionTable {
  /** SHA-256 of the cookie value, hex. */
  id_hash: string
  user_id: number
  created_time: number
  expires_time: number
  /** The browser's user agent at sign-in, cut to 200 characters; empty when unknown. */
  user_agent: Generated<string>
  /** Address at sign-in; empty when unknown. */
  address: Generated<string>
}

export interface TokenTable extends TokenColumns {
  id: Generated<number>
  user_id: number
  /** SHA-256 of the bare key, hex: the look-up value. */
  key_hash: string
  /** The key, sealed; shown again to its owner. */
  key_sealed: string
  /** 1 enabled, 2 disabled; expired and exhausted are derived. */
  status: number
  created_time: number
}

export interface ChannelTable extends ChannelColumns {
  id: Generated<number>
  key_sealed: string
  status: number
  response_time: number
  test_time: number
  created_time: number
  /** Counted tests, oldest first, at most 20: `1` passed, `0` failed. */
  recent_tests: Generated<string>
  /** Millionths of `balance_currency`; may be negative. */
  balance_micros: Generated<number>
  balance_currency: Generated<string>
  /** Unix seconds of the last balance check; 0 never. */
  balance_time: Generated<number>
  /** 0: `key_sealed` is a single key as it stands. Otherwise it is a JSON list of this many keys. */
  key_count: Generated<number>
  /** Why the gateway disabled it; empty while it is not disabled automatically. */
  disabled_reason: Generated<string>
  /** When the gateway last disabled it, and how often with less than a day in between; both 0 once a person has switched it. */
  disabled_ms: Generated<number>
  disabled_times: Generated<number>
}

/** A channel key that is switched off; the others have no row. */
export interface ChannelKeyTable {
  channel_id: number
  /** See `keyFingerprint`. */
  fingerprint: string
  /** 2: switched off by a person; 3: by the gateway. */
  status: number
  /** Why the gateway did it; never a provider's own words. */
  reason: string
  since_ms: number
}

export interface OptionTable {
  key: string
  /** Sealed for secret keys. */
  value: string
}

/** A counter per cached group of rows; a replica reloads its snapshot when the number has changed. */
export interface SnapshotVersionTable {
  name: string
  version: number
}

/** Outgoing mail. Rows of sent and abandoned mails stay for a while without their content. */
export interface OutboxTable {
  id: Generated<number>
  /** The kind of mail, as named in the gateway's `messages/mail.ts`. */
  kind: string
  recipient: string
  /** JSON of subject, text and html, sealed for the purpose `message`; empty once the row is done. */
  content_sealed: string
  /** `waiting`, `sent`, or `dead` (abandoned). */
  state: string
  /** Delivery attempts begun. */
  attempts: number
  /** When to try (again); while a sender works on the row, the end of its lease. */
  due_ms: number
  /** When the mail is no longer worth sending. */
  expires_ms: number
  /** Claim of the sender that is working on the row; empty when none is. */
  lease: string
  /** Why the last attempt failed, free of secrets. */
  problem: string
  created_ms: number
  /** 0 while waiting. */
  done_ms: number
}

/** An account at another provider that signs in as one of our users. */
export interface IdentityTable {
  /** `github`, `lark`, `oidc` or `wechat`. */
  provider: string
  /** The issuer that assigned `subject`: another issuer may use the same subject for a different person. */
  issuer: string
  /** The provider's immutable id for the person. */
  subject: string
  user_id: number
  /** A name to show, such as the login name at the time; decides nothing. */
  label: string
  created_time: number
}

export interface OAuthStateTable {
  /** SHA-256 of the state, hex. */
  state_hash: string
  /** SHA-256 of the cookie of the browser that began, hex. */
  browser_hash: string
  provider: string
  /** The user who binds an identity; 0 for a sign-in. */
  user_id: number
  /** Invitation code for an account that this sign-in may create; may be empty. */
  aff_code: string
  expires_ms: number
}

/** A value that the doctor has sent to the gateway through its public address. */
interface DoctorCallTable {
  /** SHA-256 of the value, hex. */
  value_hash: string
  expires_ms: number
}
