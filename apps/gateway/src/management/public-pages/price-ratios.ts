import type { UsableGroups } from '@sluice/contract/groups'
import type { DisplayedModel } from '@sluice/contract/price-list'
import type { RatioConfig, RatioPrice, RatioPriceGroups } from '@sluice/contract/price-ratios'
import type { SharedPorts } from '../ports.ts'
import { type PricedEntry, reachedBy } from './price-list.ts'

/** US dollars per million tokens at New API's ratio of 1. */
const DOLLARS_PER_RATIO = 2

export interface PriceView {
  /** The groups whose channels are shown; undefined for all channels, as guests see them. */
  readonly within: readonly string[] | undefined
  readonly usable: UsableGroups
}

/** New API's names for the formats of every chat model, and of others. */
const ENDPOINTS = {
  openai: { path: '/v1/chat/completions', method: 'POST' },
  'openai-response': { path: '/v1/responses', method: 'POST' },
  anthropic: { path: '/v1/messages', method: 'POST' },
  gemini: { path: '/v1beta/models/{model}:generateContent', method: 'POST' },
  embeddings: { path: '/v1/embeddings', method: 'POST' },
  'image-generation': { path: '/v1/images/generations', method: 'POST' },
  'jina-rerank': { path: '/v1/rerank', method: 'POST' },
} as const satisfies RatioPriceGroups['supported_endpoint']
type EndpointType = keyof typeof ENDPOINTS
const OF_CHAT: readonly EndpointType[] = ['openai', 'openai-response', 'anthropic', 'gemini']

/**
 * One price for each model that the visitor may see, sorted by name. If channels differ, the one with the highest priority counts,
 * because it is tried first. Leaves out prices that ratios cannot express (by the second, the page, the search): they would look
 * free.
 */
export function ratioPricesOf(
  entries: readonly PricedEntry[],
  { within, usable }: PriceView,
  isChatModel: SharedPorts['kinds']['isChatModel'],
): readonly RatioPrice[] {
  const offered = Object.keys(usable).map((name) => {
    const models = reachedBy(entries, [name]).flatMap(({ shown }) => Object.keys(shown.models))
    return { name, models: new Set(models) }
  })
  const found = new Map<string, RatioPrice>()
  for (const { owner, shown } of reachedBy(entries, within).toSorted((a, b) => b.priority - a.priority)) {
    for (const [model, price] of Object.entries(shown.models)) {
      const ratios = found.has(model) ? undefined : ratiosOf(price)
      if (ratios === undefined) continue
      found.set(model, {
        model_name: model,
        ...ratios,
        owner_by: owner,
        enable_groups: offered.filter(({ models }) => models.has(model)).map(({ name }) => name),
        supported_endpoint_types: [...endpointsOf(model, price, isChatModel(model))],
      })
    }
  }
  return [...found.values()].toSorted((a, b) => (a.model_name < b.model_name ? -1 : 1))
}

export function priceGroupsOf({ usable }: PriceView): RatioPriceGroups {
  const groups = Object.entries(usable)
  const auto = groups.filter(([, { order }]) => order > 0).toSorted(([, a], [, b]) => a.order - b.order)
  return {
    group_ratio: Object.fromEntries(groups.map(([name, { ratio }]) => [name, Number(ratio)])),
    usable_group: Object.fromEntries(groups.map(([name, { desc }]) => [name, desc])),
    supported_endpoint: ENDPOINTS,
    vendors: [],
    auto_groups: auto.map(([name]) => name),
  }
}

export function ratioConfigOf(prices: readonly RatioPrice[]): RatioConfig {
  const byToken = prices.filter(({ quota_type }) => quota_type === 0)
  const table = (rows: readonly RatioPrice[], read: (price: RatioPrice) => number | undefined) =>
    Object.fromEntries(
      rows.flatMap((price) => {
        const ratio = read(price)
        return ratio === undefined ? [] : [[price.model_name, ratio] as const]
      }),
    )
  return {
    model_ratio: table(byToken, (price) => price.model_ratio),
    completion_ratio: table(byToken, (price) => price.completion_ratio),
    cache_ratio: table(byToken, (price) => price.cache_ratio),
    create_cache_ratio: table(byToken, (price) => price.create_cache_ratio),
    model_price: table(
      prices.filter(({ quota_type }) => quota_type === 1),
      (price) => price.model_price,
    ),
  }
}

type Ratios = Omit<RatioPrice, 'model_name' | 'owner_by' | 'enable_groups' | 'supported_endpoint_types'>

/** Undefined if ratios cannot express the model's price. */
function ratiosOf(price: DisplayedModel): Ratios | undefined {
  const units = price.unit_prices ?? {}
  const unit = (name: string): number => units[name] ?? 0
  // New API counts speech characters as tokens, and picture tokens as answer tokens.
  const input = price.input_price || unit('character')
  const output = price.output_price || unit('image_output')
  if (input === 0) {
    const perCall = price.image_price || unit('call') / 1_000_000
    if (perCall > 0) return { quota_type: 1, model_ratio: 0, model_price: perCall, completion_ratio: 0 }
    const isFree = output === 0 && Object.values(units).every((dollars) => dollars === 0)
    return isFree ? { quota_type: 0, model_ratio: 0, model_price: 0, completion_ratio: 0 } : undefined
  }
  const sound = unit('audio_input')
  return {
    quota_type: 0,
    model_ratio: tidy(input / DOLLARS_PER_RATIO),
    model_price: 0,
    completion_ratio: tidy(output / input),
    cache_ratio: tidy((price.cached_input_price ?? input) / input),
    create_cache_ratio: tidy(price.cache_write_5m_price / input),
    ...(unit('image_input') > 0 ? { image_ratio: tidy(unit('image_input') / input) } : {}),
    ...(sound > 0 ? { audio_ratio: tidy(sound / input) } : {}),
    ...(sound > 0 && unit('audio_output') > 0 ? { audio_completion_ratio: tidy(unit('audio_output') / sound) } : {}),
  }
}

/** The endpoints of a model, as far as its name and price show. */
function endpointsOf(name: string, { image_price, unit_prices = {} }: DisplayedModel, isChat: boolean) {
  if (isChat) return OF_CHAT
  const isForPictures = image_price > 0 || 'image_output' in unit_prices || 'image_input' in unit_prices
  if (isForPictures) return ['image-generation'] as const
  if (/rerank/i.test(name)) return ['jina-rerank'] as const
  return /embed/i.test(name) ? (['embeddings'] as const) : (['openai'] as const)
}

const tidy = (ratio: number): number => Number(ratio.toPrecision(12))
