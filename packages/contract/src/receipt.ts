import * as v from 'valibot'
import { whenAbsent } from './absence.ts'
import { unixSeconds } from './scalars.ts'

/** Disjoint classes of chargeable units, in the order of the ledger's `CHARGE_CLASSES`. */
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
export const ANSWER_CLASSES: readonly ChargeClass[] = ['output', 'audio_output', 'image_output', 'reasoning_output']

/** Decimal text, because JavaScript numbers are too inexact. Amounts: quota points, 3 decimals; 500,000 are $1 at list price. */
const exact = v.pipe(v.string(), v.regex(/^-?\d{1,40}(\.\d{1,15})?$/))

const priceSource = v.object({
  /**
   * `book`: the price book · `channel`: the channel's configuration · `override`: the price overrides in the settings · `policy`:
   * the settings for models without a price · `external`: the program that requested the charge
   */
  kind: v.picklist(['book', 'channel', 'override', 'policy', 'external', 'other']),
  /** Version of the price book, or name of the policy (`fallback`, `reported`); otherwise ''. */
  name: v.string(),
  /** The channel whose configuration it was; 0 for none, and for callers without `logs.all`. */
  channel: v.number(),
  /** Threshold of the tier that applied: `input>=272001,output>=1000`; '' for the usual rates. */
  tier: v.string(),
  /** Time window that applied; '' for the usual rates. */
  window: v.string(),
})
export type PriceSource = v.InferOutput<typeof priceSource>

/** A price as stored at its first charge; never changed since. */
export const chargedPrice = v.object({
  id: v.number(),
  /** Quota points per unit, by class. Always has the five text-token classes; others if the price has them. */
  rates: v.partial(v.object(v.entriesFromList(CHARGE_CLASSES, exact))),
  /** 1 means the list price. */
  group_ratio: exact,
  source: priceSource,
})
export type ChargedPrice = v.InferOutput<typeof chargedPrice>

/** The cost of a request, in steps that can be redone by hand. */
const calculation = v.object({
  /** Only classes that were used. `amount` = `count` × `rate`. */
  lines: v.array(
    v.object({
      class: v.picklist(CHARGE_CLASSES),
      count: v.number(),
      /** Quota points per unit; '' when the stored price has none. */
      rate: v.union([exact, v.literal('')]),
      amount: exact,
    }),
  ),
  list: exact,
  group_ratio: exact,
  /** `list` × `group_ratio`. */
  exact,
  /** The charge: `exact`, rounded up to a thousandth of a point. */
  total: exact,
  price_id: v.number(),
  source: priceSource,
})
export type Calculation = v.InferOutput<typeof calculation>

/** An immutable ledger row that moved money for the request. */
const movement = v.object({
  /** `consume`: the charge · `adjust`, `refund`: corrected by a later settlement · `admin-refund`: refunded by an administrator */
  kind: v.string(),
  /** Unix milliseconds. */
  at: v.number(),
  /** What the user paid; negative for a refund. */
  amount: exact,
  /** Only for charges and corrections; a correction's covers the whole request. Absent when its price is gone. */
  calculation: v.optional(calculation),
  reason: v.string(),
  /** The administrator who refunded; '' for callers without `logs.all`, and when the system did it. */
  actor_name: v.string(),
})
export type Movement = v.InferOutput<typeof movement>

/** Faults that a request's charges can have only if rows were changed by hand. */
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

/** Everything that explains a request's cost, from stored rows alone. */
export const receipt = v.object({
  /** 0 when the log row was cleared or never written. */
  log_id: v.number(),
  request_id: v.string(),
  created_at: unixSeconds,
  username: v.string(),
  token_name: v.string(),
  /** The answering group, whose ratio was charged; '' when the token names no group and its owner's was used. */
  group: whenAbsent(v.string(), ''),
  /** As priced, and as the client requested it. */
  model_name: v.string(),
  origin_model_name: v.string(),
  /** In chronological order. */
  movements: v.array(movement),
  /** Sum of the movements: what the user finally paid, and the most that can still be refunded. */
  net: exact,
  /** '' when every movement matches its own row and the log row agrees. */
  fault: v.picklist(['', ...CHARGE_FAULTS]),
  /** The final hold of the request; '' for none, or when it is no longer known. */
  held: v.union([exact, v.literal('')]),
  /** `complete`, or the rule that charged a broken answer; '' when no longer known. */
  ended: v.string(),
  usage: v.object({
    /** True if tokens were counted here because the provider reported none. */
    estimated: v.boolean(),
    /** Included in the output; for display. */
    reasoning_tokens: v.number(),
    /** The provider's usage object as it arrived, at most 2 kB; '' for none. */
    upstream: v.string(),
  }),
  /** Rows that were cleared or never written; their content is left out above. */
  missing: v.array(v.picklist(['transfer', 'price', 'log', 'trace'])),
})
export type Receipt = v.InferOutput<typeof receipt>

/** In characters. */
export const REFUND_REASON_MAX = 200

export const refund = v.object({
  /** Quota points, up to three decimals; if absent, the rest of the charge. */
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
    v.minLength(1, 'must state the reason for the refund'),
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
  /** Counts by class; unused classes are left out. */
  units: v.partial(v.object(v.entriesFromList(CHARGE_CLASSES, v.number()))),
  /** Id in the price book; 0 for administrators' refunds, which have no price. */
  price_id: v.number(),
  /** Never negative: `refund` and `admin-refund` give back, all others take. */
  amount: exact,
})
export type ExportedCharge = v.InferOutput<typeof exportedCharge>

/** The prices that charges refer to, as a file for `sluice ledger recompute`. */
export const priceBook = v.object({
  format: v.literal('sluice-price-book-1'),
  prices: v.array(chargedPrice),
})
export type PriceBook = v.InferOutput<typeof priceBook>
