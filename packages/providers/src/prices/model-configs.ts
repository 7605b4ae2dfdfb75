import { isObject } from '../channel-fields/json-object.ts'
import { ConfigReader } from './config-reader.ts'
import type {
  AudioConfig,
  EmbeddingConfig,
  ImageConfig,
  ModelConfig,
  ModelConfigs,
  PriceConfig,
  RatioConfig,
  TierConfig,
} from './model-config.ts'
import { isTimezone, type TimeWindow } from './time-window.ts'

/**
 * Reads the text of a channel's `model_configs` or of the option `PriceOverrides`; null or blank is empty. Ignores members that set
 * no price, including those of later versions. Parse once per change, not per request.
 */
export function parseModelConfigs(text: string | null): ModelConfigs | { readonly problem: string } {
  if (text === null || text.trim() === '') return new Map()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'Invalid JSON format' }
  }
  if (!isObject(value)) return { problem: 'Model configs must be a JSON object' }
  const configs = new Map<string, ModelConfig>()
  for (const [model, entry] of Object.entries(value)) {
    const config = parseConfig(model, entry)
    if ('problem' in config) return config
    configs.set(model, config)
  }
  return configs
}

function parseConfig(model: string, entry: unknown): ModelConfig | { readonly problem: string } {
  if (model.trim() === '') return { problem: 'Model name cannot be empty' }
  if (!isObject(entry)) return { problem: `Invalid config for model "${model}": must be a JSON object` }
  const reader = new ConfigReader(entry)
  const config = set<ModelConfig>({
    ...readPrices(reader),
    maxTokens: reader.wholeNumber('max_tokens'),
    windows: reader.objects('time_windows')?.map(readWindow),
  })
  const { problem } = reader
  if (problem !== undefined) return { problem: `Invalid ${problem.field} for model "${model}": ${problem.rule}` }
  if (Object.keys(config).length === 0) {
    return { problem: `Model "${model}" needs at least one of ratio, completion_ratio, max_tokens` }
  }
  return config
}

function readPrices(reader: ConfigReader): PriceConfig {
  return set<PriceConfig>({
    ...readRatios(reader),
    reasoningRatio: reader.ratio('reasoning_ratio'),
    tiers: reader.objects('tiers')?.map(readTier),
    audio: readAudio(reader.object('audio')),
    image: readImage(reader.object('image')),
    video: readVideo(reader.object('video')),
    embedding: readEmbedding(reader.object('embedding')),
    ...readPerCall(reader.object('per_call')),
  })
}

/** 0 means "not set", as in the family, but free if nothing else has a price. */
function readPerCall(reader: ConfigReader | undefined): Pick<PriceConfig, 'usdPerThousandCalls' | 'onlyPerCall'> {
  if (reader === undefined) return {}
  const isOnly = reader.value('only', isFlag, 'must be true or false') === true
  if (!isOnly) return set<PriceConfig>({ usdPerThousandCalls: reader.price('usd_per_thousand_calls') })
  const usdPerThousandCalls = reader.ratio('usd_per_thousand_calls')
  if (usdPerThousandCalls === undefined) reader.wrong('usd_per_thousand_calls', 'must be set if "only" is true')
  return set<PriceConfig>({ usdPerThousandCalls, onlyPerCall: true })
}

function readRatios(reader: ConfigReader): RatioConfig {
  return set<RatioConfig>({
    ratio: reader.ratio('ratio'),
    completionRatio: reader.ratio('completion_ratio'),
    cachedInputRatio: reader.priceOrFree('cached_input_ratio'),
    cacheWrite5mRatio: reader.priceOrFree('cache_write_5m_ratio'),
    cacheWrite1hRatio: reader.priceOrFree('cache_write_1h_ratio'),
  })
}

/** In a tier, a ratio of 0 counts as not set, as in the family. */
function readTier(reader: ConfigReader): TierConfig {
  const { ratio: _ratio, completionRatio: _completionRatio, ...cached } = readRatios(reader)
  return {
    ...cached,
    ...set<RatioConfig>({ ratio: reader.price('ratio'), completionRatio: reader.price('completion_ratio') }),
    fromInput: reader.wholeNumber('input_token_threshold') ?? 0,
    fromOutput: reader.wholeNumber('output_token_threshold') ?? 0,
  }
}

function readAudio(reader: ConfigReader | undefined): AudioConfig | undefined {
  return (
    reader &&
    set<AudioConfig>({
      promptRatio: reader.price('prompt_ratio'),
      completionRatio: reader.price('completion_ratio'),
      promptTokensPerSecond: reader.price('prompt_tokens_per_second'),
      usdPerSecond: reader.price('usd_per_second'),
    })
  )
}

function readImage(reader: ConfigReader | undefined): ImageConfig | undefined {
  if (reader === undefined) return undefined
  const byQuality = reader.object('quality_size_multipliers')
  return set<ImageConfig>({
    pricePerImageUsd: reader.price('price_per_image_usd'),
    promptRatio: reader.price('prompt_ratio'),
    defaultSize: reader.text('default_size')?.toLowerCase(),
    defaultQuality: reader.text('default_quality')?.toLowerCase(),
    sizeMultipliers: reader.multiples('size_multipliers'),
    qualityMultipliers: reader.multiples('quality_multipliers'),
    qualitySizeMultipliers:
      byQuality &&
      new Map(byQuality.names().map((name) => [name.trim().toLowerCase(), byQuality.multiples(name) ?? new Map()])),
  })
}

function readVideo(reader: ConfigReader | undefined): PriceConfig['video'] {
  return reader && set<NonNullable<PriceConfig['video']>>({ perSecondUsd: reader.price('per_second_usd') })
}

function readEmbedding(reader: ConfigReader | undefined): EmbeddingConfig | undefined {
  return (
    reader &&
    set<EmbeddingConfig>({
      textTokenRatio: reader.price('text_token_ratio'),
      imageTokenRatio: reader.price('image_token_ratio'),
      audioTokenRatio: reader.price('audio_token_ratio'),
      videoTokenRatio: reader.price('video_token_ratio'),
      usdPerImage: reader.price('usd_per_image'),
      usdPerAudioSecond: reader.price('usd_per_audio_second'),
      usdPerDocumentPage: reader.price('usd_per_document_page'),
    })
  )
}

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/
const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'
const isClock = (value: unknown): value is string => typeof value === 'string' && CLOCK.test(value)
const isDate = (value: unknown): value is string => typeof value === 'string' && DATE.test(value)
const isZone = (value: unknown): value is string => typeof value === 'string' && isTimezone(value.trim() || 'UTC')
const isDays = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((day) => Number.isInteger(day) && day >= 0 && day <= 6)

function readWindow(reader: ConfigReader, at: number): PriceConfig & { readonly window: TimeWindow } {
  const ranges = reader.objects('ranges')?.map((range) => ({
    start: range.value('start', isClock, 'must be a time like 09:30') ?? '00:00',
    end: range.value('end', isClock, 'must be a time like 17:45') ?? '00:00',
  }))
  if (ranges === undefined || ranges.length === 0) reader.wrong('ranges', 'must contain at least one range')
  const overlay = reader.object('overlay')
  const prices = overlay && readPrices(overlay)
  if (prices === undefined || Object.keys(prices).length === 0) reader.wrong('overlay', 'must set at least one price')
  const window = set<TimeWindow>({
    // Receipts put the window name between semicolons.
    name: (reader.text('name') ?? `window ${at + 1}`).replaceAll(';', ','),
    timezone: reader.value('timezone', isZone, 'must be a time zone name')?.trim() || 'UTC',
    ranges: ranges ?? [],
    days: reader.value('days_of_week', isDays, 'must be a list of days from 0, Sunday, to 6'),
    dateFrom: reader.value('date_from', isDate, 'must be a date like 2026-11-21'),
    dateTo: reader.value('date_to', isDate, 'must be a date like 2026-11-21'),
  })
  return { ...prices, window }
}

function set<Config extends object>(members: { readonly [Name in keyof Config]: Config[Name] | undefined }): Config {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Config
}
