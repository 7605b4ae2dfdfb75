import type { RequestLimits } from '@sluice/store/options/request-limits'
import type { TokenGuardRules } from '@sluice/store/snapshots/tokens'
import type { SentCredential, StoredCredential } from './caller-credential.ts'

/** The payer, and what they may use. */
export interface Identity {
  readonly tokenId: number
  readonly tokenName: string
  readonly userId: number
  readonly username: string
  readonly group: string
  /** The token's groups that the user can use, in order; undefined if it has none. */
  readonly groups: readonly string[] | undefined
  readonly account: number
  readonly limitAccount: number
  /** The token's own limits: per minute, and on concurrent requests. */
  readonly limits: RequestLimits
  readonly guard: TokenGuardRules
  /** Undefined: every model of its groups. */
  readonly models: ReadonlySet<string> | undefined
  /** The caller's own provider key; undefined if the request brought only the gateway's key. */
  readonly callerCredential?: SentCredential | undefined
  /** Keys that the caller has stored here, for requests that do not bring one; undefined if there are none. */
  readonly ownKeys?: OwnKeys | undefined
  /** Channel selected by the key's suffix; only for administrators. */
  readonly pinnedChannel: number | undefined
  /** Fingerprint of the channel's only key that can reach the objects in the request; absent if any key can. */
  readonly pinnedKey?: string
  /** Usually the requested model, otherwise the fallback that created the objects in the request. */
  readonly pinnedModel?: string
}

export interface OwnKey {
  /** Undefined if it cannot be decrypted: it is then not used, but its setting still applies. */
  readonly credential: StoredCredential | undefined
  readonly fallsBack: boolean
}

/** Own keys by the name of their vendor. */
export type OwnKeys = ReadonlyMap<string, OwnKey>
