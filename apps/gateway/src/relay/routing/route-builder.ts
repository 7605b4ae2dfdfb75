import { asObject, parseJson } from '@sluice/dialects/json-value'
import type { Adapter } from '@sluice/providers/adapters/adapter'
import { adaptersOf } from '@sluice/providers/adapters/adapters'
import type { ChannelAdapters } from '@sluice/providers/adapters/dialect-endpoints'
import { offersSocket } from '@sluice/providers/channel-fields/config-fields'
import { readTooling, type Tooling } from '@sluice/providers/channel-fields/tooling'
import type { ChannelSetup } from '@sluice/providers/channel-setup'
import { callerCredentials, type CallerRule, callerRuleOf } from '@sluice/providers/credentials/caller-credentials'
import type { Credentials } from '@sluice/providers/credentials/credentials'
import { credentialsOf } from '@sluice/providers/credentials/credentials-of'
import { kindOf } from '@sluice/providers/kinds/all'
import type { ProviderKind } from '@sluice/providers/kinds/kind'
import { mapModel, type ModelMapping, parseModelMapping } from '@sluice/providers/model-mapping'
import type { ModelConfigs } from '@sluice/providers/prices/model-config'
import { parseModelConfigs } from '@sluice/providers/prices/model-configs'
import { type ModelPrice, modelPrice, quoteAt } from '@sluice/providers/prices/rates'
import type { Lane } from '@sluice/routing/lane'
import type { ChannelSnapshot } from '@sluice/store/snapshots/channels'
import { type RouteKey, type Route, type TakesCallers, CALLERS_KEY } from '../stages/route.ts'

const USER_AGENT = 'sluice'

interface Problem {
  readonly problem: string
}

/** Returns the route of one key, or why the channel cannot be used with it. */
export type BuildRoute = (routeKey: RouteKey, key: string) => Route | Problem

/** The parts shared by all routes of a channel are read once, because a channel can have a thousand keys. */
export function createRouteBuilder(
  channel: ChannelSnapshot,
  overrides: () => ModelConfigs,
  callerOrigins: readonly string[] = [],
): BuildRoute | Problem {
  const kind = kindOf(channel.type)
  if (kind === undefined) return { problem: `channel type ${channel.type} is unknown` }
  const mapping = parseModelMapping(channel.modelMapping)
  if ('problem' in mapping) return { problem: `model_mapping: ${mapping.problem}` }
  const configs = parseModelConfigs(channel.modelConfigs)
  if ('problem' in configs) return { problem: `model_configs: ${configs.problem}` }
  const { baseUrl, other, inferenceProfileArnMap } = channel
  const config = asObject(parseJson(channel.config)) ?? {}
  const models = modelsOf(kind, mapping, configs, overrides)
  const tooling = readTooling(config['tooling'])
  const takesSocket: Route['takesSocket'] = (origin) => offersSocket({ kind, config }, origin)
  const rule = callerRuleOf({ kind, config, baseUrl }, callerOrigins)
  if (rule !== undefined && 'problem' in rule) return rule
  return (routeKey, key) => {
    const setup: ChannelSetup = { kind, baseUrl, config, other, key, inferenceProfileArnMap }
    const adapters = adaptersOf(setup)
    if ('problem' in adapters) return adapters
    // The calls of such a channel are never made with its own key.
    const credentials = rule?.mode === 'caller' ? NO_CREDENTIALS : credentialsOf(setup)
    if ('problem' in credentials) return credentials
    const route = routeOf(channel, routeKey, { kind, adapters, credentials, models, tooling, takesSocket })
    return rule === undefined ? route : { ...route, callers: { ...rule, bind: binderOf(route, rule, setup) } }
  }
}

/** Names and prices of models, the same for every key. */
type Models = Pick<Route, 'upstreamModel' | 'quote'>

function modelsOf(
  kind: ProviderKind,
  mapping: ModelMapping,
  configs: ModelConfigs,
  overrides: () => ModelConfigs,
): Models {
  /** Bounded by the models that reach this channel: only listed names can be requested, mapped or not. */
  const prices = new Map<string, ModelPrice | 'missing'>()
  /** The overrides that `prices` was created from. */
  let made = overrides()
  return {
    upstreamModel: (model) => mapModel(mapping, model),
    quote: (model, started) => {
      const now = overrides()
      if (now !== made) prices.clear()
      made = now
      const price = prices.get(model) ?? modelPrice(kind.code, model, configs, now)
      prices.set(model, price)
      return price === 'missing' ? price : quoteAt(price, started)
    },
  }
}

interface RouteParts {
  readonly kind: ProviderKind
  readonly adapters: ChannelAdapters
  readonly credentials: Credentials
  readonly models: Models
  readonly tooling: Tooling | undefined
  readonly takesSocket: Route['takesSocket']
}

/** Adapters that are cached per route; paths can contain ids, so their number is unbounded. */
const ADAPTERS_MAX = 1_000

function routeOf(
  channel: ChannelSnapshot,
  key: RouteKey,
  { kind, adapters, credentials, models, tooling, takesSocket }: RouteParts,
): Route {
  const known = new Map<string, Adapter | undefined>()
  /** Bounded by the models that reach this channel. */
  const lanes = new Map<string, Lane>()
  return {
    channel,
    key,
    kind,
    tooling,
    takesSocket,
    adapter: (endpoint, { path, conversation }, model) => {
      const dialect = conversation?.dialect
      const name = `${path} ${dialect ?? ''} ${model}`
      const found = known.get(name)
      if (found !== undefined || known.has(name)) return found
      if (known.size === ADAPTERS_MAX) known.clear()
      const adapter = adapters.adapter({ endpoint, path, dialect }, model)
      known.set(name, adapter)
      return adapter
    },
    callers: undefined,
    headers: [...SENT_BY_ALL, ...(credentials.kind === 'fixed' ? credentials.headers : [])],
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

const NO_CREDENTIALS: Credentials = { kind: 'fixed', headers: [] }

const SENT_BY_ALL = [
  'user-agent',
  USER_AGENT,
  // Bytes are read here, so answers must arrive uncompressed.
  'accept-encoding',
  'identity',
] as const

function binderOf(route: Route, rule: CallerRule, setup: Omit<ChannelSetup, 'key'>): TakesCallers['bind'] {
  const { id } = route.channel
  /** Bounded by the models that reach this channel. */
  const lanes = new Map<string, Lane>()
  const lane = (model: string) => {
    const known = lanes.get(model) ?? { channel: id, key: CALLERS_KEY, model }
    lanes.set(model, known)
    return known
  }
  return (caller) => {
    const credentials = callerCredentials(setup, rule, caller.reveal())
    if ('problem' in credentials) return undefined
    const key = { fingerprint: caller.fingerprint, position: 1, of: 1 }
    return { ...route, key, headers: SENT_BY_ALL, credentials, lane, callers: undefined, caller }
  }
}
