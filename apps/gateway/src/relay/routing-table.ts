import { asObject, parseJson } from '@sluice/dialects/json-value'
import type { ChannelSetup } from '@sluice/providers/channel-setup'
import type { Credentials, SignedCredentials, TokenCredentials } from '@sluice/providers/credentials/credentials'
import { credentialsOf } from '@sluice/providers/credentials/credentials-of'
import { type ChannelKind, kindOf } from '@sluice/providers/kinds'
import { mapModel, type ModelMapping, parseModelMapping } from '@sluice/providers/model-mapping'
import type { ModelConfigs } from '@sluice/providers/prices/model-config'
import { parseModelConfigs } from '@sluice/providers/prices/model-configs'
import type { Quote } from '@sluice/providers/prices/quote'
import { type ModelPrice, modelPrice, quoteAt } from '@sluice/providers/prices/rates'
import type { ChannelWays } from '@sluice/providers/ways/faces'
import type { Way } from '@sluice/providers/ways/way'
import { waysOf } from '@sluice/providers/ways/ways'
import type { ChannelSnapshot } from '@sluice/store/snapshots/channels'
import type { Asked } from './calls/asked.ts'

/** A channel ready to be called: addresses, headers and prices are worked out once, not per request. */
export interface Route {
  readonly channel: ChannelSnapshot
  readonly kind: ChannelKind
  /** How a call reaches a model; undefined when it does not. `upstreamModel` is the provider's name of it. */
  way(endpoint: string, asked: Pick<Asked, 'path' | 'conversation'>, upstreamModel: string): Way | undefined
  /** Flat list of names and values: what every request carries, and credentials that are the same for all of them. */
  readonly headers: readonly string[]
  /** Credentials that are made for each request; undefined where `headers` holds them. */
  readonly credentials: SignedCredentials | TokenCredentials | undefined
  /** Name of a requested model at the upstream. */
  upstreamModel(model: string): string
  /** Price of an upstream model for a request that started then (unix ms). `missing` is never guessed. */
  quote(upstreamModel: string, started: number): Quote | 'missing'
}

/** Channels of equal priority. */
export type Tier = readonly Route[]

export interface RoutingTable {
  /** Tiers in order of preference; undefined when no channel of the group has the model, usable or not. */
  tiers(group: string, model: string): readonly Tier[] | undefined
  /** Any channel by id, usable or not. */
  channel(id: number): FoundChannel | undefined
  /** Models that a group can call at the moment, with the kind that serves each, in order of name. */
  models(group: string): ReadonlyMap<string, string>
}

export type FoundChannel =
  | { readonly snapshot: ChannelSnapshot; readonly route: Route; readonly problem?: never }
  | { readonly snapshot: ChannelSnapshot; readonly route?: never; readonly problem: string }

/** A channel that cannot be used as it is configured. */
export interface ChannelProblem {
  readonly channel: number
  readonly problem: string
}

const ENABLED = 1
const USER_AGENT = 'sluice'

/** `openKey` answers undefined when the stored key cannot be opened. */
export function buildRoutingTable(
  channels: readonly ChannelSnapshot[],
  openKey: (sealed: string) => string | undefined,
): { readonly table: RoutingTable; readonly problems: readonly ChannelProblem[] } {
  const problems: ChannelProblem[] = []
  const byId = new Map<number, FoundChannel>()
  const offers = new Map<string, Map<string, Route[]>>()
  for (const snapshot of channels) {
    const route = buildRoute(snapshot, openKey)
    if ('problem' in route) {
      if (snapshot.status === ENABLED) problems.push({ channel: snapshot.id, problem: route.problem })
      byId.set(snapshot.id, { snapshot, problem: route.problem })
      offer(offers, snapshot, undefined)
    } else {
      byId.set(snapshot.id, { snapshot, route })
      offer(offers, snapshot, isServing(snapshot) ? route : undefined)
    }
  }
  return { table: tableOf(byId, offers), problems }
}

/** A negative priority is how the console pauses a channel. */
const isServing = (channel: ChannelSnapshot) => channel.status === ENABLED && channel.priority >= 0

/** Enters a channel's models; without a route the model is known but not served. */
function offer(offers: Map<string, Map<string, Route[]>>, channel: ChannelSnapshot, route: Route | undefined): void {
  for (const group of channel.groups) {
    const models = offers.get(group) ?? new Map<string, Route[]>()
    offers.set(group, models)
    for (const model of channel.models) {
      const routes = models.get(model) ?? []
      models.set(model, routes)
      if (route !== undefined) routes.push(route)
    }
  }
}

function tableOf(
  byId: ReadonlyMap<number, FoundChannel>,
  offers: ReadonlyMap<string, ReadonlyMap<string, readonly Route[]>>,
): RoutingTable {
  const tiers = new Map<string, Map<string, readonly Tier[]>>()
  const served = new Map<string, Map<string, string>>()
  for (const [group, models] of offers) {
    tiers.set(group, new Map([...models].map(([model, routes]) => [model, tiersOf(routes)])))
    const names = [...models].filter(([, routes]) => routes.length > 0).toSorted(([a], [b]) => (a < b ? -1 : 1))
    served.set(group, new Map(names.map(([model, routes]) => [model, routes[0]?.kind.name ?? ''])))
  }
  return {
    tiers: (group, model) => tiers.get(group)?.get(model),
    channel: (id) => byId.get(id),
    models: (group) => served.get(group) ?? new Map(),
  }
}

function tiersOf(routes: readonly Route[]): readonly Tier[] {
  const byPriority = Map.groupBy(routes, (route) => route.channel.priority)
  return [...byPriority].toSorted(([a], [b]) => b - a).map(([, tier]) => tier)
}

function buildRoute(
  channel: ChannelSnapshot,
  openKey: (sealed: string) => string | undefined,
): Route | { readonly problem: string } {
  const kind = kindOf(channel.type)
  if (kind === undefined) return { problem: `channel type ${channel.type} is unknown` }
  const key = openKey(channel.keySealed)
  if (key === undefined) return { problem: 'its key cannot be opened with the present master key' }
  const { baseUrl, other, inferenceProfileArnMap } = channel
  const config = asObject(parseJson(channel.config)) ?? {}
  const setup: ChannelSetup = { kind, baseUrl, config, other, key, inferenceProfileArnMap }
  const ways = waysOf(setup)
  if ('problem' in ways) return ways
  const credentials = credentialsOf(setup)
  if ('problem' in credentials) return credentials
  const mapping = parseModelMapping(channel.modelMapping)
  if ('problem' in mapping) return { problem: `model_mapping: ${mapping.problem}` }
  const configs = parseModelConfigs(channel.modelConfigs)
  if ('problem' in configs) return { problem: `model_configs: ${configs.problem}` }
  return routeOf(channel, kind, { ways, credentials, mapping, configs })
}

interface RouteParts {
  readonly ways: ChannelWays
  readonly credentials: Credentials
  readonly mapping: ModelMapping
  readonly configs: ModelConfigs
}

/** Ways that are remembered per channel; paths may hold ids, so there is no end of them. */
const WAYS_KEPT = 1_000

function routeOf(
  channel: ChannelSnapshot,
  kind: ChannelKind,
  { ways, credentials, mapping, configs }: RouteParts,
): Route {
  /** Bounded by the models that reach this channel: only listed names are asked, mapped or not. */
  const prices = new Map<string, ModelPrice | 'missing'>()
  const known = new Map<string, Way | undefined>()
  return {
    channel,
    kind,
    way: (endpoint, { path, conversation }, model) => {
      const dialect = conversation?.dialect
      const name = `${path} ${dialect ?? ''} ${model}`
      const found = known.get(name)
      if (found !== undefined || known.has(name)) return found
      if (known.size === WAYS_KEPT) known.clear()
      const way = ways.way({ endpoint, path, dialect }, model)
      known.set(name, way)
      return way
    },
    headers: [
      'user-agent',
      USER_AGENT,
      // Bytes are read here, so they must come as they are.
      'accept-encoding',
      'identity',
      ...(credentials.kind === 'fixed' ? credentials.headers : []),
    ],
    credentials: credentials.kind === 'fixed' ? undefined : credentials,
    upstreamModel: (model) => mapModel(mapping, model),
    quote: (model, started) => {
      const price = prices.get(model) ?? modelPrice(kind.code, model, configs)
      prices.set(model, price)
      return price === 'missing' ? price : quoteAt(price, started)
    },
  }
}
