import type { ListPrices, ModelUse, PriceRow, TierPrices, UnitPrices } from '@sluice/providers/prices/price-row'
import { perOne, text } from './money.ts'

type Tiered =
  | number
  | { readonly base: number; readonly tiers: readonly { readonly start: number; readonly price: number }[] }
type GenaiPrices = Readonly<Record<string, Tiered | undefined>>
type Constraint =
  | { readonly type: 'start_date'; readonly start_date: string }
  | { readonly type: 'time_of_date'; readonly start_time: string; readonly end_time: string }
type Match = { readonly equals?: string; readonly or?: readonly Match[] }

export interface GenaiModel {
  readonly id: string
  readonly match: Match
  readonly context_window?: number
  readonly deprecated?: boolean
  readonly prices: GenaiPrices | readonly { readonly constraint?: Constraint; readonly prices: GenaiPrices }[]
}
export interface GenaiProvider {
  readonly models: readonly GenaiModel[]
}

const TOKENS = {
  input_mtok: 'input',
  output_mtok: 'output',
  cache_read_mtok: 'cachedInput',
  cache_write_mtok: 'cacheWrite5m',
  cache_write_1h_mtok: 'cacheWrite1h',
} as const
const UNITS: Readonly<Record<string, readonly [name: keyof UnitPrices, price: (value: number) => string]>> = {
  input_audio_mtok: ['audio_input', text],
  cache_audio_read_mtok: ['cached_audio_input', text],
  output_audio_mtok: ['audio_output', text],
  input_image_mtok: ['image_input', text],
  cache_image_read_mtok: ['cached_image_input', text],
  output_image_mtok: ['image_output', text],
  input_video_mtok: ['video_input', text],
  output_reasoning_mtok: ['reasoning_output', text],
  requests_kcount: ['call', perOne],
  web_searches_kcount: ['search', perOne],
  storage_searches_kcount: ['tool_call', perOne],
  input_document_kpages: ['page', perOne],
  audio_hours: ['audio_ms', text],
  input_audio_hours: ['audio_ms', text],
}
/** Extra work of a model at a separate price; the row is correct without it. */
const LEFT_OUT = ['input_annotated_document_kpages']

/**
 * A model's row, with its prices on a day and those announced for later; undefined when it is priced by something that is not
 * counted here. A threshold is a number of tokens that must be exceeded.
 */
export function rowOfGenai(model: GenaiModel, day: string): PriceRow | undefined {
  const all = isList(model.prices) ? model.prices : [{ prices: model.prices }]
  const isDated = (each: (typeof all)[number]): boolean => each.constraint?.type !== 'time_of_date'
  const startOf = ({ constraint }: (typeof all)[number]): string =>
    constraint?.type === 'start_date' ? constraint.start_date : ''
  const dated = all.filter(isDated)
  const now = dated.findLast((each) => startOf(each) <= day)
  const usual = now && listPrices(now.prices)
  if (usual === undefined) return undefined
  const later = dated
    .filter((each) => startOf(each) > day)
    .flatMap((each) => {
      const prices = listPrices(each.prices)
      return prices === undefined ? [] : [{ ...prices, from: startOf(each) }]
    })
  return {
    ...(model.context_window === undefined ? {} : { context: model.context_window }),
    ...usual,
    ...windowsOf(all),
    ...(later.length === 0 ? {} : { later }),
    ...useOf(model.id),
  }
}

/** Some rows say "above 272,000" for a vendor whose prices apply from exactly there. */
export function fromRoundThresholds(row: PriceRow): PriceRow {
  if (row.tiers === undefined) return row
  const tiers = row.tiers.map(({ fromInput = 0, ...prices }) => ({
    fromInput: fromInput % 1_000 === 1 ? fromInput - 1 : fromInput,
    ...prices,
  }))
  return { ...row, tiers }
}

/** The model's other names, without those that are patterns. */
export function namesOf({ id, match }: GenaiModel): readonly string[] {
  const equal = (part: Match): readonly string[] => [
    ...(part.equals === undefined ? [] : [part.equals]),
    ...(part.or ?? []).flatMap(equal),
  ]
  return [...new Set([id, ...equal(match)])]
}

function listPrices(prices: GenaiPrices): ListPrices | undefined {
  const given = Object.entries(prices).filter((each): each is [string, Tiered] => each[1] !== undefined)
  if (given.some(([name]) => !(name in TOKENS) && !(name in UNITS) && !LEFT_OUT.includes(name))) return undefined
  const starts = new Set(
    given.flatMap(([, price]) => (typeof price === 'number' ? [] : price.tiers.map(({ start }) => start))),
  )
  const at = (start: number): Omit<TierPrices, 'fromInput'> => pricesAt(given, start)
  const usual = at(-1)
  if (Object.keys(usual).length === 0) return undefined
  const tiers = [...starts].toSorted((a, b) => a - b).map((start) => ({ fromInput: start + 1, ...at(start) }))
  return tiers.length === 0 ? usual : { ...usual, tiers }
}

/** Prices for prompts of more than `start` tokens. */
function pricesAt(given: readonly [string, Tiered][], start: number): Omit<TierPrices, 'fromInput'> {
  const tokens: Record<string, string> = {}
  const units: Record<string, string> = {}
  for (const [name, price] of given) {
    const value =
      typeof price === 'number' ? price : (price.tiers.findLast((tier) => tier.start <= start)?.price ?? price.base)
    const unit = UNITS[name]
    if (name in TOKENS) tokens[TOKENS[name as keyof typeof TOKENS]] = text(value)
    else if (unit !== undefined) units[unit[0]] = unit[1](value)
  }
  return Object.keys(units).length === 0 ? tokens : { ...tokens, units }
}

/** Hours of the day with prices of their own; those with the same prices form one window. */
function windowsOf(
  all: readonly { readonly constraint?: Constraint; readonly prices: GenaiPrices }[],
): Pick<ListPrices, 'windows'> {
  const windows = new Map<string, { ranges: { start: string; end: string }[]; prices: ListPrices }>()
  for (const { constraint, prices: given } of all) {
    const prices = constraint?.type === 'time_of_date' ? listPrices(given) : undefined
    if (constraint?.type !== 'time_of_date' || prices === undefined) continue
    const window = windows.get(JSON.stringify(prices)) ?? { ranges: [], prices }
    window.ranges.push({ start: constraint.start_time.slice(0, 5), end: constraint.end_time.slice(0, 5) })
    windows.set(JSON.stringify(prices), window)
  }
  if (windows.size === 0) return {}
  return {
    windows: [...windows.values()].map(({ ranges, prices }) => ({
      name: ranges.map(({ start, end }) => `${start}-${end} UTC`).join(' '),
      timezone: 'UTC',
      ranges,
      ...prices,
    })),
  }
}

const USES: readonly (readonly [RegExp, ModelUse])[] = [
  [/embed/, 'embeddings'],
  [/rerank/, 'rerank'],
  [/ocr/, 'ocr'],
  [/whisper|transcri/, 'transcription'],
  [/realtime|voice|-live/, 'realtime'],
  [/tts|speech/, 'speech'],
  [/image|dall-e|imagen/, 'image'],
  [/video|veo|sora/, 'video'],
  [/moderation/, 'classifier'],
]

/** A model's use, judging by its name; chat by default. */
function useOf(model: string): Pick<PriceRow, 'use'> {
  const use = USES.find(([pattern]) => pattern.test(model))?.[1]
  return use === undefined ? {} : { use }
}

function isList(prices: GenaiModel['prices']): prices is Extract<GenaiModel['prices'], readonly unknown[]> {
  return Array.isArray(prices)
}
