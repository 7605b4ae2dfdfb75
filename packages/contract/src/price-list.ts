import * as v from 'valibot'
import { whenAbsent } from './absence.ts'
import { channelHistory } from './channel-history.ts'
import { unixSeconds } from './scalars.ts'

/** US dollars per million tokens, at the fixed rate of 500,000 quota per dollar. */
const prices = {
  input_price: v.number(),
  cached_input_price: v.number(),
  output_price: v.number(),
  cache_write_5m_price: v.number(),
  cache_write_1h_price: v.number(),
  /** US dollars per million of each other unit: audio and image tokens, calls, pictures, milliseconds, characters … */
  unit_prices: v.optional(v.record(v.string(), v.number())),
}
const displayedPrices = v.object(prices)
export type DisplayedPrices = v.InferOutput<typeof displayedPrices>

const displayedTiers = v.optional(
  v.array(
    v.object({
      /** Applies to requests with at least this many input and output tokens; the last matching tier counts. */
      input_token_threshold: v.number(),
      output_token_threshold: v.number(),
      ...prices,
    }),
  ),
)

/** What a model accepts, for user interfaces that offer it. Names as in the specification. */
const capabilities = v.object({
  supportsTopP: v.boolean(),
  supportsTopK: v.boolean(),
  supportsMaxCompletionTokens: v.boolean(),
  supportsFrequencyPenalty: v.boolean(),
  supportsPresencePenalty: v.boolean(),
  supportsStop: v.boolean(),
  supportsReasoningEffort: v.boolean(),
  /** A budget of thinking tokens. */
  supportsThinking: v.boolean(),
  supportsVision: v.boolean(),
})

/** What a model costs on a channel. */
export const displayedModel = v.object({
  ...prices,
  /** Absent from servers of the family that have none: `input_price` then applies. */
  cached_input_price: v.optional(v.number()),
  /** Most tokens in an answer; 0 for unlimited or unknown. */
  max_tokens: whenAbsent(v.number(), 0),
  /** Tokens of prompt and answer together; absent when not known. */
  context_length: v.optional(v.number()),
  /**
   * Day (YYYY-MM-DD, UTC) from which the vendor no longer serves the model. Absent when no day is announced, it has passed, or the
   * channel is not the vendor's own.
   */
  ends_on: v.optional(v.pipe(v.string(), v.isoDate())),
  /** Dollars per picture; 0 for models priced by token. */
  image_price: whenAbsent(v.number(), 0),
  /** If absent, what models of its family accept. */
  capabilities: v.optional(capabilities),
  /** Prices of large requests. */
  tiers: displayedTiers,
  /** Prices at certain times, by the start of a request. */
  time_windows: v.optional(v.array(v.object({ name: v.string(), ...prices, tiers: displayedTiers }))),
})
export type DisplayedModel = v.InferOutput<typeof displayedModel>
export type Capabilities = v.InferOutput<typeof capabilities>

/** Keyed by `{channel type}:{channel name}`. */
export const priceList = v.record(
  v.string(),
  v.object({
    channel_name: v.string(),
    channel_type: v.number(),
    /** Those of the caller's usable groups that the channel serves. */
    groups: whenAbsent(v.array(v.string()), []),
    models: v.record(v.string(), displayedModel),
  }),
)
export type PriceList = v.InferOutput<typeof priceList>

/** The state of a channel, visible to everyone: no address, no key, no models. */
export const channelStatus = v.object({
  name: v.string(),
  /** `enabled`, `manually_disabled`, `auto_disabled` or `unknown`. */
  status: v.string(),
  enabled: v.boolean(),
  response: v.object({
    /** Time of the last test; 0 when never tested, or failed. */
    response_time_ms: v.number(),
    test_time: unixSeconds,
    created_time: unixSeconds,
  }),
  /** Present when it was requested. */
  history: v.optional(channelHistory),
})
export type ChannelStatus = v.InferOutput<typeof channelStatus>

export const channelSummary = v.object({
  channels: v.number(),
  enabled: v.number(),
  manually_disabled: v.number(),
  auto_disabled: v.number(),
  /** Mean of the last tests of enabled channels, in whole milliseconds; 0 when none was tested. */
  average_response_ms: v.number(),
})
export type ChannelSummary = v.InferOutput<typeof channelSummary>
