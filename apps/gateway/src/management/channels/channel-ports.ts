import type { Refusal } from '@sluice/contract/errors'
import type { ChannelSettings } from '@sluice/contract/fields/channel'
import type { RoutingDecision } from '@sluice/contract/routing'
import type { LaneView } from '@sluice/routing/health'
import type { TokenSnapshot } from '@sluice/store/snapshots/tokens'
import type { SharedPorts } from '../ports.ts'
import type { ChannelBalances } from './jobs/channel-balance.ts'
import type { ChannelTests } from './jobs/channel-test.ts'

export interface ChannelDeps extends Pick<SharedPorts, 'database' | 'vault' | 'now' | 'kinds' | 'fetchGuarded'> {
  readonly channelTests: ChannelTests
  readonly channelBalances: ChannelBalances
  /** Sends one short request through a channel that is not stored, with its key in the clear; charges nothing. */
  readonly testDraft: TestDraft
  readonly routing: Routing
  /** False for an IP address that no channel may use; names are checked when they are resolved. */
  readonly isHostAllowed: (host: string) => boolean
  /** Origins besides the vendors' own that may receive callers' keys. */
  readonly callerKeyOrigins: readonly string[]
}

export interface Routing {
  /** Explains the routing of a hypothetical request; nothing is sent, counted or changed. Undefined for paths without a model. */
  readonly explain: (request: ThoughtOfRequest) =>
    | {
        readonly decision: RoutingDecision | undefined
        readonly refusal: Refusal | undefined
        /** The groups used for routing; absent if the token names none. */
        readonly groups?: readonly string[]
        readonly skippedGroups?: readonly string[]
      }
    | undefined
  /** Every recently called lane of channels that still exist. */
  readonly lanes: () => readonly ChannelLane[]
  /** Forgets a channel's recorded failures on every replica. */
  readonly forget: (channel: number) => void
}

export interface ThoughtOfRequest {
  readonly model: string
  /** In the spelling that clients send. */
  readonly path: string
  readonly group: string
  /** The token whose rules apply in addition to those of the group; undefined for none. */
  readonly token: TokenSnapshot | undefined
  /** The user whose rules apply without a token; undefined for none. */
  readonly user: Pick<TokenSnapshot['user'], 'status' | 'role'> | undefined
  /** Channel that the key's suffix would select. */
  readonly pinnedChannel: number | undefined
  /** Name of the conversation; undefined for none. */
  readonly session: string | undefined
}

/** `position` counts the lane's key from 1 among `of` keys; both are 0 for callers' own keys. */
export interface ChannelLane extends LaneView {
  readonly channelName: string
  readonly position: number
  readonly of: number
}

/** `model` null selects the cheapest. `key`: the fingerprint of the key to call with. `signal` ends the test early. */
export type TestChannel = (
  channelId: number,
  model: string | null,
  signal: AbortSignal,
  key?: string,
) => Promise<ChannelTestResult>

export type TestDraft = (draft: TestedDraft, model: string | null, signal: AbortSignal) => Promise<ChannelTestResult>

/** An unsaved channel with checked fields. `config` is without credentials. */
export interface TestedDraft extends Omit<ChannelSettings, 'models'> {
  readonly models: readonly string[]
  /** Never logged, never returned. */
  readonly key: string
}

export interface ChannelTestResult {
  readonly ok: boolean
  /**
   * Cause of a failure; absent on success. account → key or account refused · limited → too many calls · unknown_model → the model
   * is not served · request → the request is at fault · provider → it does not work · stopped → aborted here · setup → the
   * configuration allows no call
   */
  readonly cause?: 'account' | 'limited' | 'unknown_model' | 'request' | 'provider' | 'stopped' | 'setup'
  /** The called model; empty if no model could be called. */
  readonly model: string
  readonly elapsedMs: number
  /** Start of the reply on success, otherwise the error, free of secrets. */
  readonly message: string
}
