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
 * Every table, as both engines hold it. Names are singular snake case; money is mq in 64-bit integers; times are unix
 * seconds where the wire wants seconds (`*_time`, `created_at` of `log`) and unix milliseconds elsewhere (`*_ms`).
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

/** What opens an account once when the TOTP device is lost. */
export interface RecoveryCodeTable {
  user_id: number
  /** SHA-256 of the code, hex. */
  code_hash: string
}

/** A code mailed to an address to prove that it can be read, gone once it was used; one per address, requester and action. */
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

/** The link mailed to a user who forgot the password; one per user, gone once it was used. */
export interface PasswordResetTable {
  user_id: number
  /** SHA-256 of the token, hex. */
  token_hash: string
  expires_time: number
}

/** Something that its owner has begun and must finish in time, once: a challenge, or a TOTP secret not yet confirmed. */
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

/** A key of a provider that a user has stored for their own calls; one for each vendor. */
interface OwnKeyTable {
  id: Generated<number>
  user_id: number
  vendor: string
  label: string
  /** Sealed together with its owner and vendor: in another row it opens nothing. */
  key_sealed: string
  /** See `keyFingerprint`. */
  fingerprint: string
  /** Whether the platform's channels may serve what this key could not. */
  falls_back: Flag
  /** Unix seconds; of the key that is there now. */
  created_time: number
}

/** Who has had the gifts for newcomers: also users who have been deleted, so that no one gets them again. */
export interface GiftReceiverTable {
  /** Keyed digest of a mailbox or of an account at a sign-in provider: it reveals nothing to anyone without the master key. */
  digest: string
}

/** A gift promised in the transaction that created a user, until the ledger has moved it. */
export interface PendingGiftTable {
  /** Id of the movement: it moves money once, however often it is tried. */
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
  /** What the browser called itself at sign-in, cut to 200 characters; empty when it is not known. */
  user_agent: Generated<string>
  /** Address at sign-in; empty when it is not known. */
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
  /** 0: `key_sealed` is one key as it stands. Otherwise it is a JSON list of this many keys. */
  key_count: Generated<number>
  /** Why the gateway disabled it; empty while it is not disabled automatically. */
  disabled_reason: Generated<string>
  /** When it last did, and how often it did without a day in between; both 0 since a person has switched it. */
  disabled_ms: Generated<number>
  disabled_times: Generated<number>
}

/** A key of a channel that is not enabled; the others have no row. */
export interface ChannelKeyTable {
  channel_id: number
  /** See `keyFingerprint`. */
  fingerprint: string
  /** 2 by a person, 3 by the gateway. */
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

/** A counter per cached table; a replica reloads its snapshot when the number has changed. */
export interface SnapshotVersionTable {
  name: string
  version: number
}

/** Outgoing mail. Sent and given-up rows stay for a while without their content. */
export interface OutboxTable {
  id: Generated<number>
  /** What the mail is about, as named in the gateway's `messages/mail.ts`. */
  kind: string
  recipient: string
  /** JSON of subject, text and html, sealed for the purpose `message`; empty once the row is done. */
  content_sealed: string
  /** `waiting`, `sent`, or `dead`: given up. */
  state: string
  /** Deliveries begun. */
  attempts: number
  /** When to try (again); while a sender works on the row, the end of its lease. */
  due_ms: number
  /** Not worth sending after this. */
  expires_ms: number
  /** Claim of the sender that works on the row; empty when none does. */
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
  /** The issuer of this subject: another issuer may use the same subject for another person. */
  issuer: string
  /** The provider's immutable id of the person. */
  subject: string
  user_id: number
  /** What to show, such as the login name at the time; decides nothing. */
  label: string
  created_time: number
}

/** A sign-in with a provider that has begun. */
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

/** A value that the doctor has sent on its way through the public address. */
interface DoctorCallTable {
  /** SHA-256 of the value, hex. */
  value_hash: string
  expires_ms: number
}
