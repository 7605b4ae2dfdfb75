import type { Adapter } from '@sluice/providers/adapters/adapter'
import type { Tooling } from '@sluice/providers/channel-fields/tooling'
import type { CallerRule } from '@sluice/providers/credentials/caller-credentials'
import type { SignedCredentials, TokenCredentials } from '@sluice/providers/credentials/credentials'
import type { ProviderKind } from '@sluice/providers/kinds/kind'
import type { Quote } from '@sluice/providers/prices/quote'
import type { Lane } from '@sluice/routing/lane'
import type { ChannelSnapshot } from '@sluice/store/snapshots/channels'
import type { Conversation, ParsedCall } from '../calls/parsed-call.ts'
import type { CallerCredential } from './caller-credential.ts'

/** A channel with one of its keys, ready to be called: addresses, headers and prices are computed once, not per request. */
export interface Route {
  readonly channel: ChannelSnapshot
  readonly key: RouteKey
  readonly kind: ProviderKind
  /** How a call reaches a model; undefined if it cannot. `upstreamModel` is the provider's name for it. */
  adapter(endpoint: string, asked: AdapterQuery, upstreamModel: string): Adapter | undefined
  /** Flat list of names and values: headers of every request, and credentials that are the same for all of them. */
  readonly headers: readonly string[]
  /** Credentials created for each request; undefined if `headers` contains them. */
  readonly credentials: SignedCredentials | TokenCredentials | undefined
  /** The provider's name for a requested model. */
  upstreamModel(model: string): string
  /** The lane to one upstream model through this channel and key; health is tracked per lane. */
  lane(upstreamModel: string): Lane
  /** Whether this origin serves Responses over a websocket. */
  takesSocket(origin: string): boolean
  /** The channel's settings for tools that its provider runs; undefined for none. */
  readonly tooling: Tooling | undefined
  /** How the channel uses its callers' keys; undefined if it does not accept any. */
  readonly callers: TakesCallers | undefined
  /** The caller whose key this route uses instead of the channel's. */
  readonly caller?: CallerCredential
  /** Price of an upstream model for a request that started at this time (unix ms). `missing` is never guessed. */
  quote(upstreamModel: string, started: number): Quote | 'missing'
}

export interface TakesCallers extends CallerRule {
  /** The route with a caller's key instead of the channel's; undefined if that cannot be a key of the provider. */
  bind(credential: CallerCredential): Route | undefined
}

/**
 * Key of the lane shared by all callers with their own keys. What a provider says about one of those keys says nothing about the
 * others, so only a broken provider affects the lane.
 */
export const CALLERS_KEY = 'caller'

export interface AdapterQuery extends Pick<ParsedCall, 'path'> {
  readonly conversation: Pick<Conversation, 'dialect'> | undefined
}

export interface RouteKey {
  readonly fingerprint: string
  /** From 1. */
  readonly position: number
  readonly of: number
}

/** For a trace: the position of the key if there are several, or the fingerprint of the caller's own. */
export function keyOf({ key, caller }: Pick<Route, 'key' | 'caller'>): {
  readonly key?: number
  readonly caller_key?: string
} {
  if (caller !== undefined) return { caller_key: caller.fingerprint }
  return key.of > 1 ? { key: key.position } : {}
}
