import type { Refusal } from '@sluice/contract/errors'
import type { ChannelSettings } from '@sluice/contract/fields/channel'
import type { RoutingDecision } from '@sluice/contract/routing'
import type { LaneView } from '@sluice/routing/health'
import type { TokenSnapshot } from '@sluice/store/snapshots/tokens'
import type { SharedPorts } from '../ports.ts'
import type { ChannelBalances } from './jobs/channel-balance.ts'
import type { ChannelTests } from './jobs/channel-test.ts'

export interface ChannelDeps extends Pick<SharedPorts, 'database' | 'vault' | 'now' | 'kinds' | 'fetchGuarded'> {
  /** Tests of channels and balance requests, started here and by the schedule. */
  readonly channelTests: ChannelTests
  readonly channelBalances: ChannelBalances
  /** Sends one short request through a channel that is stored nowhere, with its key in the clear; charges nothing. */
  readonly testDraft: TestDraft
  /** How requests find their channel, and the state of the lanes. */
  readonly routing: Routing
  /** False for an IP address that no channel may point at; names are checked when they are resolved. */
  readonly isHostAllowed: (host: string) => boolean
  /** Origins besides the vendors' own that callers' keys may be sent to. */
  readonly callerKeyOrigins: readonly string[]
}

/** What this replica knows about routing. */
export interface Routing {
  /**
   * Explains how a hypothetical request would be routed: nothing is sent, counted or changed. Undefined for a path that is
   * offered, but whose calls are not routed by a model.
   */
  readonly explain: (request: ThoughtOfRequest) =>
    | {
        readonly decision: RoutingDecision | undefined
        /** What the caller would get instead of an answer. */
        readonly refusal: Refusal | undefined
        /** The groups that it is routed by, and those of its token that do not apply; absent if the token names none. */
        readonly groups?: readonly string[]
        readonly skippedGroups?: readonly string[]
      }
    | undefined
  /** Every recently called lane of channels that still exist. */
  readonly lanes: () => readonly ChannelLane[]
  /** Forgets the recorded failures of a channel, on every replica. */
  readonly forget: (channel: number) => void
}

export interface ThoughtOfRequest {
  readonly model: string
  /** As clients send it. */
  readonly path: string
  readonly group: string
  /** The token whose rules apply in addition to those of the group; undefined for none. */
  readonly token: TokenSnapshot | undefined
  /** The user whose rules apply if there is no token; undefined for none. */
  readonly user: Pick<TokenSnapshot['user'], 'status' | 'role'> | undefined
  /** Channel that the key's suffix would select. */
  readonly pinnedChannel: number | undefined
  /** The name of the conversation; undefined for none. */
  readonly session: string | undefined
}

/** A lane with its name. `position` is that of its key, from 1, among `of` keys; both are 0 for callers' own keys. */
export interface ChannelLane extends LaneView {
  readonly channelName: string
  readonly position: number
  readonly of: number
}

/** `model` null: the cheapest the channel offers. `key`: the fingerprint of the key to call with. `signal` ends it early. */
export type TestChannel = (
  channelId: number,
  model: string | null,
  signal: AbortSignal,
  key?: string,
) => Promise<ChannelTestResult>

export type TestDraft = (draft: TestedDraft, model: string | null, signal: AbortSignal) => Promise<ChannelTestResult>

/** An unsaved channel; every field has been checked. `config` is without credentials. */
export interface TestedDraft extends Omit<ChannelSettings, 'models'> {
  readonly models: readonly string[]
  /** Never logged, never returned. */
  readonly key: string
}

export interface ChannelTestResult {
  readonly ok: boolean
  /**
   * Why it failed; absent when it did not. account → key or account refused · limited → too many calls · unknown_model → the model
   * is not served · request → the request is at fault · provider → it does not work · stopped → aborted here · setup → it cannot be
   * called as configured
   */
  readonly cause?: 'account' | 'limited' | 'unknown_model' | 'request' | 'provider' | 'stopped' | 'setup'
  /** The model that was called; empty when there was none to call. */
  readonly model: string
  readonly elapsedMs: number
  /** Start of the reply on success, otherwise what went wrong, free of secrets. */
  readonly message: string
}
