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
  /** US dollars per million units: audio and image tokens, calls, pictures, milliseconds, characters … */
  unit_prices: v.optional(v.record(v.string(), v.number())),
}
const displayedPrices = v.object(prices)
export type DisplayedPrices = v.InferOutput<typeof displayedPrices>

const displayedTiers = v.optional(
  v.array(
    v.object({
      /** Applies from this many input and output tokens on; the last matching tier counts. */
      input_token_threshold: v.number(),
      output_token_threshold: v.number(),
      ...prices,
    }),
  ),
)

/** For user interfaces. Names as in the specification. */
const capabilities = v.object({
  supportsTopP: v.boolean(),
  supportsTopK: v.boolean(),
  supportsMaxCompletionTokens: v.boolean(),
  supportsFrequencyPenalty: v.boolean(),
  supportsPresencePenalty: v.boolean(),
  supportsStop: v.boolean(),
  supportsReasoningEffort: v.boolean(),
  supportsThinking: v.boolean(),
  supportsVision: v.boolean(),
})

export const displayedModel = v.object({
  ...prices,
  /** Absent from servers of the family that have no such price; `input_price` then applies. */
  cached_input_price: v.optional(v.number()),
  /** Token limit of an answer; 0 for unlimited or unknown. */
  max_tokens: whenAbsent(v.number(), 0),
  /** Prompt and answer tokens together; absent when unknown. */
  context_length: v.optional(v.number()),
  /**
   * Day (YYYY-MM-DD, UTC) from which the vendor no longer serves the model. Absent when no day is announced, it has passed, or the
   * channel is not the vendor's own.
   */
  ends_on: v.optional(v.pipe(v.string(), v.isoDate())),
  /** Dollars per picture; 0 for models priced by token. */
  image_price: whenAbsent(v.number(), 0),
  /** If absent, those of the model's family. */
  capabilities: v.optional(capabilities),
  tiers: displayedTiers,
  /** Prices by the start time of a request. */
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
    /** The caller's usable groups that the channel serves. */
    groups: whenAbsent(v.array(v.string()), []),
    models: v.record(v.string(), displayedModel),
  }),
)
export type PriceList = v.InferOutput<typeof priceList>

/** A channel's state as everyone may see it: no address, key or models. */
export const channelStatus = v.object({
  name: v.string(),
  /** `enabled`, `manually_disabled`, `auto_disabled` or `unknown`. */
  status: v.string(),
  enabled: v.boolean(),
  response: v.object({
    /** Duration of the last test; 0 if there was none or it failed. */
    response_time_ms: v.number(),
    test_time: unixSeconds,
    created_time: unixSeconds,
  }),
  history: v.optional(channelHistory),
})
export type ChannelStatus = v.InferOutput<typeof channelStatus>

export const channelSummary = v.object({
  channels: v.number(),
  enabled: v.number(),
  manually_disabled: v.number(),
  auto_disabled: v.number(),
  /** Mean of the enabled channels' last tests, in whole milliseconds; 0 when none was tested. */
  average_response_ms: v.number(),
})
export type ChannelSummary = v.InferOutput<typeof channelSummary>
