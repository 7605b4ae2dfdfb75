import { hash } from 'node:crypto'
import type { Exclusion } from '@sluice/contract/routing'
import { asObject, parseJson } from '@sluice/dialects/json-value'
import { callerVendor } from '@sluice/providers/credentials/caller-credentials'
import type { ModelConfigs } from '@sluice/providers/prices/model-config'
import { NO_OVERRIDES } from '@sluice/providers/prices/price-overrides'
import { keyFingerprint } from '@sluice/routing/key-fingerprint'
import type { ChannelSnapshot } from '@sluice/store/snapshots/channels'
import { readKeys } from '@sluice/store/snapshots/key-list'
import { CHANNEL_STATUS } from '@sluice/store/statuses'
import type { Route, RouteKey } from '../stages/route.ts'
import { createRouteBuilder } from './route-builder.ts'

export type Tier = readonly ChannelRoutes[]

/** A channel with its enabled keys, ordered by fingerprint. */
export interface ChannelRoutes {
  readonly routes: readonly Route[]
  readonly fingerprints: readonly string[]
}

/** The channels that serve a model in a group, and those that would if they were usable. */
export interface Offer {
  readonly tiers: readonly Tier[]
  readonly idle: readonly IdleLane[]
  /** Vendors whose keys any of its channels accepts from callers, usable or not. */
  readonly vendors: readonly string[]
}

/** A channel, or one of its keys, that is never called. */
export interface IdleLane {
  readonly channel: ChannelSnapshot
  readonly key: Pick<RouteKey, 'position' | 'of'>
  readonly excluded: Exclusion
}

export interface RoutingTable {
  /** Undefined if no channel of the group has the model, usable or not. */
  offer(group: string, model: string): Offer | undefined
  /** Any channel by id, usable or not. */
  channel(id: number): FoundChannel | undefined
  /** Models that a group can currently call, with the kind that serves each, sorted by name. */
  models(group: string): ReadonlyMap<string, string>
}

/** `routes` has one route per enabled key; `route` is the first. `offRoutes` are those of disabled keys, only for testing them. */
export type FoundChannel = { readonly snapshot: ChannelSnapshot; readonly offRoutes: readonly Route[] } & (
  | { readonly route: Route; readonly routes: readonly Route[]; readonly problem?: never }
  | { readonly route?: never; readonly routes?: never; readonly problem: string }
)

export interface ChannelProblem {
  readonly channel: number
  readonly problem: string
}

/**
 * `openKey` returns undefined if the stored key cannot be decrypted. `overrides` are the current price overrides. `callerOrigins`
 * are the origins, besides the vendors' own, that callers' keys may be sent to.
 */
export function createRoutingTable(
  channels: readonly ChannelSnapshot[],
  openKey: (sealed: string) => string | undefined,
  overrides: () => ModelConfigs = () => NO_OVERRIDES,
  callerOrigins: readonly string[] = [],
): { readonly table: RoutingTable; readonly problems: readonly ChannelProblem[] } {
  const problems: ChannelProblem[] = []
  const byId = new Map<number, FoundChannel>()
  const offers = new Map<string, Map<string, OpenOffer>>()
  for (const snapshot of channels) {
    const { routes, offRoutes, idle, problem } = createRoutes(snapshot, openKey, overrides, callerOrigins)
    const [route] = routes
    if (problem !== undefined && snapshot.status === CHANNEL_STATUS.enabled)
      problems.push({ channel: snapshot.id, problem })
    if (route === undefined) {
      byId.set(snapshot.id, { snapshot, offRoutes, problem: problem ?? 'none of its keys is enabled' })
    } else byId.set(snapshot.id, { snapshot, offRoutes, route, routes })
    const excluded = exclusionOf(snapshot)
    if (excluded === undefined) enter(offers, snapshot, routes.length === 0 ? [] : [channelRoutes(routes)], idle)
    else enter(offers, snapshot, [], [{ channel: snapshot, key: ONLY_KEY, excluded }])
  }
  return { table: tableOf(byId, offers), problems }
}

interface OpenOffer {
  readonly channels: ChannelRoutes[]
  readonly idle: IdleLane[]
  readonly vendors: Set<string>
}

const ONLY_KEY = { position: 1, of: 1 } as const

/** A negative priority is how the console pauses a channel. */
function exclusionOf({ status, priority }: ChannelSnapshot): Exclusion | undefined {
  if (status === CHANNEL_STATUS.autoDisabled) return 'auto_disabled'
  if (status !== CHANNEL_STATUS.enabled) return 'disabled'
  return priority < 0 ? 'paused' : undefined
}

/** Adds a channel's models; without a route a model is known but not served. */
function enter(
  offers: Map<string, Map<string, OpenOffer>>,
  channel: ChannelSnapshot,
  served: readonly ChannelRoutes[],
  idle: readonly IdleLane[],
): void {
  const vendor = callerVendor(channel.type, asObject(parseJson(channel.config)) ?? {})
  for (const group of channel.groups) {
    const models = offers.get(group) ?? new Map<string, OpenOffer>()
    offers.set(group, models)
    for (const model of channel.models) {
      const offer = models.get(model) ?? { channels: [], idle: [], vendors: new Set() }
      models.set(model, offer)
      offer.channels.push(...served)
      offer.idle.push(...idle)
      if (vendor !== undefined) offer.vendors.add(vendor)
    }
  }
}

function tableOf(
  byId: ReadonlyMap<number, FoundChannel>,
  open: ReadonlyMap<string, ReadonlyMap<string, OpenOffer>>,
): RoutingTable {
  const offers = new Map<string, Map<string, Offer>>()
  const served = new Map<string, Map<string, string>>()
  for (const [group, models] of open) {
    const made = [...models].map(([model, { channels, idle, vendors }]): [string, Offer] => [
      model,
      { tiers: tiersOf(channels), idle, vendors: [...vendors] },
    ])
    offers.set(group, new Map(made))
    const names = [...models].filter(([, { channels }]) => channels.length > 0).toSorted(([a], [b]) => (a < b ? -1 : 1))
    const kindOf = ({ channels }: OpenOffer) => channels[0]?.routes[0]?.kind.name ?? ''
    served.set(group, new Map(names.map(([model, offer]) => [model, kindOf(offer)])))
  }
  return {
    offer: (group, model) => offers.get(group)?.get(model),
    channel: (id) => byId.get(id),
    models: (group) => served.get(group) ?? new Map(),
  }
}

function tiersOf(channels: readonly ChannelRoutes[]): readonly Tier[] {
  const byPriority = Map.groupBy(channels, ({ routes }) => routes[0]?.channel.priority ?? 0)
  return [...byPriority].toSorted(([a], [b]) => b - a).map(([, tier]) => tier)
}

export function channelRoutes(unordered: readonly Route[]): ChannelRoutes {
  const routes = unordered.toSorted(({ key: a }, { key: b }) => (a.fingerprint < b.fingerprint ? -1 : 1))
  return { routes, fingerprints: routes.map(({ key }) => key.fingerprint) }
}

/** Routes of one key if it exists and is enabled; otherwise all, because another key may belong to the same account. */
export function routesOfKey(routes: readonly Route[], fingerprint: string | undefined): readonly Route[] {
  const own = routes.filter(({ key }) => key.fingerprint === fingerprint)
  return own.length === 0 ? routes : own
}

interface BuiltRoutes {
  readonly routes: readonly Route[]
  readonly offRoutes: readonly Route[]
  readonly idle: readonly IdleLane[]
  /** Why the channel, or the first of its unusable keys, cannot be used. */
  readonly problem: string | undefined
}

function createRoutes(
  channel: ChannelSnapshot,
  openKey: (sealed: string) => string | undefined,
  overrides: () => ModelConfigs,
  callerOrigins: readonly string[],
): BuiltRoutes {
  const keys = keysOf(channel, openKey)
  if ('problem' in keys) return unusable(channel, keys.problem)
  const build = createRouteBuilder(channel, overrides, callerOrigins)
  if ('problem' in build) return unusable(channel, build.problem)
  const routes: Route[] = []
  const offRoutes: Route[] = []
  const idle: IdleLane[] = []
  let problem: string | undefined
  for (const [at, secret] of keys.list.entries()) {
    const key = { fingerprint: keyFingerprint(secret, sha256), position: at + 1, of: keys.list.length }
    const route = build(key, secret)
    if (channel.disabledKeys.has(key.fingerprint)) {
      idle.push({ channel, key, excluded: 'key_disabled' })
      if (!('problem' in route)) offRoutes.push(route)
    } else if ('problem' in route) {
      problem ??= route.problem
      idle.push({ channel, key, excluded: 'unusable' })
    } else routes.push(route)
  }
  return { routes, offRoutes, idle, problem }
}

function unusable(channel: ChannelSnapshot, problem: string): BuiltRoutes {
  return { routes: [], offRoutes: [], idle: [{ channel, key: ONLY_KEY, excluded: 'unusable' }], problem }
}

const sha256 = (text: string) => hash('sha256', text)

function keysOf(
  { keySealed, keyCount }: ChannelSnapshot,
  openKey: (sealed: string) => string | undefined,
): { readonly list: readonly string[] } | { readonly problem: string } {
  const text = openKey(keySealed)
  if (text === undefined) return { problem: 'its key cannot be decrypted with the current master key' }
  const list = readKeys(text, keyCount)
  return list === undefined ? { problem: 'its list of keys cannot be read' } : { list }
}
