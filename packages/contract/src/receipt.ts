import * as v from 'valibot'
import { whenAbsent } from './absence.ts'
import { unixSeconds } from './scalars.ts'

/** Everything that can be charged, in the order of the ledger's `CHARGE_CLASSES`. Classes are disjoint. */
export const CHARGE_CLASSES = [
  'input',
  'cached_input',
  'cache_write_5m',
  'cache_write_1h',
  'output',
  'audio_input',
  'cached_audio_input',
  'audio_output',
  'image_input',
  'cached_image_input',
  'image_output',
  'video_input',
  'reasoning_output',
  'call',
  'image',
  'audio_ms',
  'video_ms',
  'character',
  'page',
  'search',
  'tool_call',
  'reported_nano_usd',
] as const
export type ChargeClass = (typeof CHARGE_CLASSES)[number]

/** Classes that are prompt tokens. */
export const PROMPT_CLASSES: readonly ChargeClass[] = [
  'input',
  'cached_input',
  'cache_write_5m',
  'cache_write_1h',
  'audio_input',
  'cached_audio_input',
  'image_input',
  'cached_image_input',
  'video_input',
]
/** Classes that are answer tokens. */
export const ANSWER_CLASSES: readonly ChargeClass[] = ['output', 'audio_output', 'image_output', 'reasoning_output']

/**
 * An exact number as decimal text, because a browser's numbers cannot hold it. Amounts are quota points with up to three decimals;
 * 500,000 points are a dollar at list price.
 */
const exact = v.pipe(v.string(), v.regex(/^-?\d{1,40}(\.\d{1,15})?$/))

const priceSource = v.object({
  /**
   * `book`: the price book · `channel`: the channel's own configuration · `override`: the price overrides in the settings ·
   * `policy`: the settings for models without a price · `external`: the program that requested the charge
   */
  kind: v.picklist(['book', 'channel', 'override', 'policy', 'external', 'other']),
  /** Version of the price book, name of the policy (`fallback`, `reported`), otherwise ''. */
  name: v.string(),
  /** Channel whose configuration it was; 0 for none, and for callers without `logs.all`. */
  channel: v.number(),
  /** The threshold from which the tier's rates applied: `input>=272001,output>=1000`; '' for the usual ones. */
  tier: v.string(),
  /** Time window whose rates applied; '' for the usual ones. */
  window: v.string(),
})
export type PriceSource = v.InferOutput<typeof priceSource>

/** A price as it was stored when it was first charged; never changed since. */
export const chargedPrice = v.object({
  id: v.number(),
  /** Quota points for one unit of a class. Always has the five text-token classes; others if the price has them. */
  rates: v.partial(v.object(v.entriesFromList(CHARGE_CLASSES, exact))),
  /** 1 charges the list price. */
  group_ratio: exact,
  source: priceSource,
})
export type ChargedPrice = v.InferOutput<typeof chargedPrice>

/** What a request costs, in steps that can be redone by hand. */
const calculation = v.object({
  /** Only classes that were used. `amount` = `count` × `rate`. */
  lines: v.array(
    v.object({
      class: v.picklist(CHARGE_CLASSES),
      count: v.number(),
      /** Quota points for one unit; '' when the stored price has none. */
      rate: v.union([exact, v.literal('')]),
      amount: exact,
    }),
  ),
  /** Sum of the lines. */
  list: exact,
  group_ratio: exact,
  /** `list` × `group_ratio`. */
  exact,
  /** `exact` rounded up to a thousandth of a point: what is charged. */
  total: exact,
  price_id: v.number(),
  source: priceSource,
})
export type Calculation = v.InferOutput<typeof calculation>

/** One immutable row of the ledger that moved money for the request. */
const movement = v.object({
  /**
   * `consume`: the charge · `adjust`, `refund`: its correction by a later settlement · `admin-refund`: given back by an
   * administrator
   */
  kind: v.string(),
  /** Unix milliseconds. */
  at: v.number(),
  /** What the user paid by this movement; negative for what was given back. */
  amount: exact,
  /** Present for charges and corrections; a correction's is for the whole request. Absent when its price is gone. */
  calculation: v.optional(calculation),
  reason: v.string(),
  /** The administrator who gave it back; '' for callers without `logs.all` and if the system did it. */
  actor_name: v.string(),
})
export type Movement = v.InferOutput<typeof movement>

/** What can be wrong with the charges of a request. It occurs only if rows were changed by hand. */
const CHARGE_FAULTS = [
  'unpriced',
  'amount',
  'no_charge',
  'charged_twice',
  'corrected_twice',
  'over_refunded',
  'unknown_kind',
  'log_differs',
] as const

/** Everything that explains why a request cost what it did, from stored rows alone. */
export const receipt = v.object({
  /** 0 when the log row was cleared or never written. */
  log_id: v.number(),
  request_id: v.string(),
  created_at: unixSeconds,
  username: v.string(),
  token_name: v.string(),
  /** The group that answered, whose ratio was charged; '' if the token names no group, and its owner's group was used. */
  group: whenAbsent(v.string(), ''),
  /** As priced, and as the client requested it. */
  model_name: v.string(),
  origin_model_name: v.string(),
  /** In the order in which they happened. */
  movements: v.array(movement),
  /** Sum of the movements: what the user paid in the end, and the most that can still be refunded. */
  net: exact,
  /** '' when every movement matches its own row and the log row agrees; otherwise what is wrong. */
  fault: v.picklist(['', ...CHARGE_FAULTS]),
  /** What was finally reserved for the request; '' when that was nothing, or is no longer known. */
  held: v.union([exact, v.literal('')]),
  /** `complete`, or the rule that charged a broken answer; '' when it is no longer known. */
  ended: v.string(),
  usage: v.object({
    /** True when the provider reported none and the tokens were counted here. */
    estimated: v.boolean(),
    /** Reasoning tokens within the output, for display. */
    reasoning_tokens: v.number(),
    /** The provider's own usage object as it arrived, at most 2 kB; '' when there is none. */
    upstream: v.string(),
  }),
  /** Rows that were cleared or never written. What they would contain is left out above. */
  missing: v.array(v.picklist(['transfer', 'price', 'log', 'trace'])),
})
export type Receipt = v.InferOutput<typeof receipt>

/** Most characters in the reason for a refund. */
export const REFUND_REASON_MAX = 200

export const refund = v.object({
  /** Quota points, up to three decimals; absent: all that is left of the charge. */
  amount: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,16}(\.\d{1,3})?$/, 'must be quota points with at most three decimals'),
      v.check((text) => Number(text) > 0, 'must be more than 0'),
    ),
  ),
  /** Shown on the receipt and in the user's log. */
  reason: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, 'must give a reason'),
    v.maxLength(REFUND_REASON_MAX, `is limited to ${REFUND_REASON_MAX} characters`),
  ),
})

/** One line of an export: a movement of money that has a log row. */
export const exportedCharge = v.object({
  request_id: v.string(),
  /** Unix milliseconds. */
  at: v.number(),
  kind: v.string(),
  username: v.string(),
  token_name: v.string(),
  model_name: v.string(),
  /** Counts by class; classes that were not used are left out. */
  units: v.partial(v.object(v.entriesFromList(CHARGE_CLASSES, v.number()))),
  /** Id of the price in the book; 0 for refunds by administrators, which have none. */
  price_id: v.number(),
  /** Never negative: `refund` and `admin-refund` give back, all others take. */
  amount: exact,
})
export type ExportedCharge = v.InferOutput<typeof exportedCharge>

/** The prices to which charges refer, as a file for `sluice ledger recompute`. */
export const priceBook = v.object({
  format: v.literal('sluice-price-book-1'),
  prices: v.array(chargedPrice),
})
export type PriceBook = v.InferOutput<typeof priceBook>
