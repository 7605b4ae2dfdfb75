import type { Refusal } from '@sluice/contract/errors'
import type { LedgerCheckMode } from '@sluice/contract/ledger-check'
import type { RoutingDecision } from '@sluice/contract/routing'
import type { VersionWatch } from '@sluice/coordination/snapshot-versions'
import type { Ledger } from '@sluice/ledger/ledger'
import type { LaneView } from '@sluice/routing/health'
import type { Database } from '@sluice/store/database'
import type { Options } from '@sluice/store/options'
import type { TokenSnapshot } from '@sluice/store/snapshots/tokens'
import type { Vault } from '@sluice/store/vault'
import type { Context } from 'hono'
import type { EnqueueMail, Notify } from '../messages/mail.ts'
import type { FetchOutside } from '../outbound/outside.ts'
import type { SignInProviders } from '../sign-in-providers/provider.ts'
import type { ChannelKinds } from './channel-kinds.ts'
import type { ChannelBalances } from './channels/channel-balance.ts'
import type { ChannelTests } from './channels/channel-test.ts'

/** What the management API is given. `main.ts` wires it; nothing here reaches for more. */
export interface ManagementDeps {
  readonly database: Database
  readonly ledger: Ledger
  /** Proofs of the books, run beside everything else. */
  readonly ledgerChecks: StartLedgerChecks
  readonly vault: Vault
  /** The settings as they are now: a snapshot that follows `versions`. */
  readonly options: () => Options
  /** Asked to look after every call that changed something, so that this process serves the change at once. */
  readonly versions: Pick<VersionWatch, 'check'>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly randomBytes: (size: number) => Uint8Array
  /** UUIDv7 as 32 hex characters. */
  readonly newId: () => string
  /** Tests of channels and looks at balances, started here and by the schedule. */
  readonly channelTests: ChannelTests
  readonly channelBalances: ChannelBalances
  /** Sends one short request through a channel; charges nothing. */
  readonly probeChannel: ProbeChannel
  /** The same through a channel that is stored nowhere, with its key in clear. */
  readonly probeDraft: ProbeDraft
  /** How requests find their way, and how the ways stand. */
  readonly routing: Routing
  /** The only way to ask an address that comes from a setting or a form; guarded, bounded, never rejects. */
  readonly fetchOutside: FetchOutside
  /** Mail goes through the outbox only; answers what became of it. */
  readonly enqueueMail: EnqueueMail
  /** Tells the operators of something, through the message pusher or by mail. */
  readonly notify: Notify
  /** GitHub, Lark, OpenID Connect and WeChat, as they are set up at the moment. */
  readonly signInProviders: SignInProviders
  /** Where answers to the bot challenge are checked. */
  readonly turnstileAddress: string
  /**
   * Whose API key a request carries, by the relay's rules: known, enabled, not expired, address and owner allowed. A token
   * without quota passes: it may still look and settle.
   */
  readonly holderOfKey: (context: Context) => Promise<KeyHolder | Refusal>
  /** Address of the caller as the edge knows it: the socket's, or what a trusted proxy says. */
  readonly clientAddress: (context: Context) => string
  /** True when the caller reached us, or a trusted proxy, over https. */
  readonly isSecure: (context: Context) => boolean
  readonly version: string
  /** Address of the feed that tells the newest release; empty for none. */
  readonly releaseFeed: string
  /** Unix seconds. */
  readonly startTime: number
  readonly kinds: ChannelKinds
  /** False for an IP address that no channel may point at; names are looked at when they are resolved. */
  readonly isHostAllowed: (host: string) => boolean
  /** Runs work that outlives its request. It is awaited at shutdown, after `signal` told it to stop; failures are reported. */
  readonly inBackground: (work: (signal: AbortSignal) => Promise<void>) => void
  /** Told about every unexpected failure. */
  readonly report: (error: unknown, request: { readonly method: string; readonly path: string }) => void
}

/** `startedBy`: a user id. Answers the id of the proof, which goes on behind the answer; `busy` while one runs anywhere. */
export interface StartLedgerChecks {
  start(order: { readonly mode: LedgerCheckMode; readonly startedBy: number }): Promise<number | 'busy'>
}

/** Who pays with an API key, and what it may call. */
export interface KeyHolder {
  readonly tokenId: number
  readonly tokenName: string
  readonly userId: number
  readonly username: string
  readonly group: string
  /** Ledger account of the user. */
  readonly account: number
  /** Ledger account of the token's own limit. */
  readonly limitAccount: number
  /** Undefined: every model of the group. */
  readonly models: ReadonlySet<string> | undefined
}

/** What this replica knows of the ways to providers. */
export interface Routing {
  /**
   * Lays out the way of a request that is only thought of: nothing is sent, counted or changed. Undefined for a path that is
   * offered and is no call that takes its way by a model.
   */
  readonly explain: (request: ThoughtOfRequest) =>
    | {
        readonly decision: RoutingDecision | undefined
        /** What the caller would get instead of an answer. */
        readonly refusal: Refusal | undefined
      }
    | undefined
  /** Every lane that was called lately, of channels that are still there. */
  readonly lanes: () => readonly ChannelLane[]
  /** Forgets what is held against a channel, on every replica. */
  readonly forget: (channel: number) => void
}

export interface ThoughtOfRequest {
  readonly model: string
  /** As clients send it. */
  readonly path: string
  readonly group: string
  /** Whose rules apply besides those of the group; undefined for none. */
  readonly token: TokenSnapshot | undefined
  /** Whose rules apply where there is no token; undefined for nobody's. */
  readonly user: Pick<TokenSnapshot['user'], 'status' | 'role'> | undefined
  /** Channel that the key's suffix would name. */
  readonly pinnedChannel: number | undefined
  /** What the conversation is recognised by; undefined for none. */
  readonly session: string | undefined
}

/** A lane with what it is called. `position` of its key counts from 1, of `of`. */
export interface ChannelLane extends LaneView {
  readonly channelName: string
  readonly position: number
  readonly of: number
}

/**
 * `model` null asks for the cheapest model the channel offers; `key` names the key to ask with, by its fingerprint. Ends early
 * when `signal` aborts.
 */
export type ProbeChannel = (
  channelId: number,
  model: string | null,
  signal: AbortSignal,
  key?: string,
) => Promise<ProbeResult>

export type ProbeDraft = (draft: ProbedDraft, model: string | null, signal: AbortSignal) => Promise<ProbeResult>

/** What of an unsaved channel decides how its provider is called; every field is checked. */
export interface ProbedDraft {
  readonly type: number
  readonly baseUrl: string
  readonly other: string
  /** Without credentials. */
  readonly config: string
  readonly models: readonly string[]
  readonly modelMapping: string | null
  readonly modelConfigs: string | null
  readonly systemPrompt: string | null
  readonly inferenceProfileArnMap: string | null
  /** Never logged, never answered. */
  readonly key: string
}

export interface ProbeResult {
  readonly ok: boolean
  /**
   * Why it failed; absent when it did not. account → key or account refused · limited → too many calls · request → what was
   * asked is at fault · provider → it does not work · stopped → given up here · setup → it cannot be called as configured
   */
  readonly cause?: 'account' | 'limited' | 'request' | 'provider' | 'stopped' | 'setup'
  /** The model that was asked; empty when there was none to ask. */
  readonly model: string
  readonly elapsedMs: number
  /** Start of the reply on success, else what went wrong, free of secrets. */
  readonly message: string
}
