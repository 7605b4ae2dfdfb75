import type { RequestLimits } from '@sluice/store/options/request-limits'
import type { TokenGuardRules } from '@sluice/store/options/token-guard-rules'
import type { SentCredential, StoredCredential } from './caller-credential.ts'

/** Who pays, and what they may use. */
export interface Identity {
  readonly tokenId: number
  readonly tokenName: string
  readonly userId: number
  readonly username: string
  /** Of the user. */
  readonly group: string
  /** The token's groups that the user can use, in the order in which they are tried; undefined where it names none. */
  readonly groups: readonly string[] | undefined
  /** Ledger account of the user. */
  readonly account: number
  /** Ledger account of the token's own limit. */
  readonly limitAccount: number
  /** The token's own limits, per minute and at the same time. */
  readonly limits: RequestLimits
  readonly guard: TokenGuardRules
  /** Undefined: every model of its groups. */
  readonly models: ReadonlySet<string> | undefined
  /** The caller's own key of a provider; undefined where the request brought none besides the gateway's. */
  readonly callerCredential?: SentCredential | undefined
  /** Those that the caller has stored here, for requests that bring none; undefined where there are none. */
  readonly ownKeys?: OwnKeys | undefined
  /** Channel that the key's suffix names; set for administrators only. */
  readonly pinnedChannel: number | undefined
  /** Fingerprint of that channel's only key that can reach what the request refers to; absent where any key can. */
  readonly pinnedKey?: string
  /** The model to request from that channel: usually the requested model, or the fallback that made what the request refers to. */
  readonly pinnedModel?: string
}

/** A key that a user has stored here for their own calls. */
export interface OwnKey {
  /** Undefined where it cannot be opened: then nothing is sent with it, but its setting stands. */
  readonly credential: StoredCredential | undefined
  /** Whether the platform's channels may serve what it could not. */
  readonly fallsBack: boolean
}

/** By the name of the vendor. */
export type OwnKeys = ReadonlyMap<string, OwnKey>
