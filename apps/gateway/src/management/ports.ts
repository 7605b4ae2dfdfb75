import type { VersionWatch } from '@sluice/coordination/snapshot-versions'
import type { Ledger } from '@sluice/ledger/ledger'
import type { Database } from '@sluice/store/database'
import type { Options } from '@sluice/store/options/options'
import type { Vault } from '@sluice/store/vault'
import type { Context } from 'hono'
import type { EnqueueMail } from '../messages/mail.ts'
import type { FetchGuarded } from '../outbound/guarded-fetch.ts'
import type { ChannelKinds } from './channel-kinds.ts'

/** Dependencies that several areas share. Each area declares in its own folder which of these, and what else, it may access. */
export interface SharedPorts {
  readonly database: Database
  readonly ledger: Ledger
  readonly vault: Vault
  /** The current settings: a snapshot that follows `versions`. */
  readonly options: () => Options
  /** Checked after every call that changed something, so that this process applies the change at once. */
  readonly versions: Pick<VersionWatch, 'check'>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly randomBytes: (size: number) => Uint8Array
  /** UUIDv7 as 32 hex characters. */
  readonly newId: () => string
  /** The only way to call an address from a setting or a form; guarded, bounded, never rejects. */
  readonly fetchGuarded: FetchGuarded
  /** Sends mail only through the outbox; returns whether it was accepted. */
  readonly enqueueMail: EnqueueMail
  /** Address of the caller as the edge knows it: the socket's, or one from a trusted proxy. */
  readonly clientAddress: (context: Context) => string
  /** True when the caller reached the gateway, or a trusted proxy, over https. */
  readonly isSecure: (context: Context) => boolean
  /** Prefix of every path in the browser, such as `/ai`; empty for none. Cookies are restricted to it. */
  readonly basePath: string
  readonly kinds: ChannelKinds
  /** Runs work that outlives its request. Shutdown awaits it after `signal` has asked it to stop; failures are reported. */
  readonly inBackground: (work: (signal: AbortSignal) => Promise<void>) => void
  /** Receives every unexpected failure. */
  readonly report: (error: unknown, request: { readonly method: string; readonly path: string }) => void
}

/** The payer of calls with an API key, and the calls that the key allows. */
export interface KeyHolder {
  readonly tokenId: number
  readonly tokenName: string
  readonly userId: number
  readonly username: string
  readonly group: string
  /** The token's groups that the user can use; undefined if it names none. */
  readonly groups: readonly string[] | undefined
  /** Ledger account of the user. */
  readonly account: number
  /** Ledger account of the token's own limit. */
  readonly limitAccount: number
  /** Undefined for every model of its groups. */
  readonly models: ReadonlySet<string> | undefined
}
