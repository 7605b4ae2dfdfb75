import { asObject, parseJson } from '@sluice/dialects/json-value'
import { readTooling, type Tooling } from '@sluice/providers/channel-fields/tooling'
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
import type { Lane } from '@sluice/routing/lane'
import type { ChannelSnapshot } from '@sluice/store/snapshots/channels'
import type { Asked, Conversation } from './calls/asked.ts'

/** A channel with one of its keys, ready to be called: addresses, headers and prices are worked out once, not per request. */
export interface Route {
  readonly channel: ChannelSnapshot
  readonly key: RouteKey
  readonly kind: ChannelKind
  /** How a call reaches a model; undefined when it does not. `upstreamModel` is the provider's name of it. */
  way(endpoint: string, asked: AskedWay, upstreamModel: string): Way | undefined
  /** Flat list of names and values: what every request carries, and credentials that are the same for all of them. */
  readonly headers: readonly string[]
  /** Credentials that are made for each request; undefined where `headers` holds them. */
  readonly credentials: SignedCredentials | TokenCredentials | undefined
  /** Name of a requested model at the upstream. */
  upstreamModel(model: string): string
  /** The way to one upstream model through this channel and key, as its health is kept. */
  lane(upstreamModel: string): Lane
  /** The channel's settings for tools that its provider runs; undefined for none. */
  readonly tooling: Tooling | undefined
  /** Price of an upstream model for a request that started then (unix ms). `missing` is never guessed. */
  quote(upstreamModel: string, started: number): Quote | 'missing'
}

/** What of a request its way depends on. */
export interface AskedWay extends Pick<Asked, 'path'> {
  readonly conversation: Pick<Conversation, 'dialect'> | undefined
}

/** Which of its channel's keys a route uses. */
export interface RouteKey {
  readonly fingerprint: string
  /** From 1. */
  readonly position: number
  /** How many the channel has. */
  readonly of: number
}

const USER_AGENT = 'sluice'

interface Problem {
  readonly problem: string
}

/** Makes the route of one key, or says why the channel cannot be used with it. */
export type BuildRoute = (routeKey: RouteKey, key: string) => Route | Problem

/** What all routes of a channel share is read once: a channel may have a thousand keys. */
export function routeBuilder(channel: ChannelSnapshot): BuildRoute | Problem {
  const kind = kindOf(channel.type)
  if (kind === undefined) return { problem: `channel type ${channel.type} is unknown` }
  const mapping = parseModelMapping(channel.modelMapping)
  if ('problem' in mapping) return { problem: `model_mapping: ${mapping.problem}` }
  const configs = parseModelConfigs(channel.modelConfigs)
  if ('problem' in configs) return { problem: `model_configs: ${configs.problem}` }
  const { baseUrl, other, inferenceProfileArnMap } = channel
  const config = asObject(parseJson(channel.config)) ?? {}
  const models = modelsOf(kind, mapping, configs)
  const tooling = readTooling(config['tooling'])
  return (routeKey, key) => {
    const setup: ChannelSetup = { kind, baseUrl, config, other, key, inferenceProfileArnMap }
    const ways = waysOf(setup)
    if ('problem' in ways) return ways
    const credentials = credentialsOf(setup)
    if ('problem' in credentials) return credentials
    return routeOf(channel, routeKey, { kind, ways, credentials, models, tooling })
  }
}

/** Names and prices of models, the same whichever key is used. */
type Models = Pick<Route, 'upstreamModel' | 'quote'>

function modelsOf(kind: ChannelKind, mapping: ModelMapping, configs: ModelConfigs): Models {
  /** Bounded by the models that reach this channel: only listed names are asked, mapped or not. */
  const prices = new Map<string, ModelPrice | 'missing'>()
  return {
    upstreamModel: (model) => mapModel(mapping, model),
    quote: (model, started) => {
      const price = prices.get(model) ?? modelPrice(kind.code, model, configs)
      prices.set(model, price)
      return price === 'missing' ? price : quoteAt(price, started)
    },
  }
}

interface RouteParts {
  readonly kind: ChannelKind
  readonly ways: ChannelWays
  readonly credentials: Credentials
  readonly models: Models
  readonly tooling: Tooling | undefined
}

/** Ways that are remembered per route; paths may hold ids, so there is no end of them. */
const WAYS_KEPT = 1_000

function routeOf(
  channel: ChannelSnapshot,
  key: RouteKey,
  { kind, ways, credentials, models, tooling }: RouteParts,
): Route {
  const known = new Map<string, Way | undefined>()
  /** Bounded by the models that reach this channel. */
  const lanes = new Map<string, Lane>()
  return {
    channel,
    key,
    kind,
    tooling,
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
    upstreamModel: models.upstreamModel,
    quote: models.quote,
    lane: (model) => {
      const lane = lanes.get(model) ?? { channel: channel.id, key: key.fingerprint, model }
      lanes.set(model, lane)
      return lane
    },
  }
}

/** For a trace: which key, where there are several. */
export function keyOf({ key }: Pick<Route, 'key'>): { readonly key?: number } {
  return key.of > 1 ? { key: key.position } : {}
}
