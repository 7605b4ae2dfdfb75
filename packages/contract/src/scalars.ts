import * as v from 'valibot'
import { INT_MAX } from './row-id.ts'

export const unixSeconds = v.pipe(v.number(), v.integer())

export const unixMs = v.pipe(v.number(), v.integer())

/** Two billion currency units at the default rate, so that the ledger's 64-bit sums have room for many such accounts. */
export const QUOTA_MAX = 1_000_000_000_000_000

/** Whole quota points, not negative; 500,000 are one currency unit by default. */
export const quotaInput = v.pipe(
  v.number(),
  v.integer('Quota must be a whole number'),
  v.minValue(0, 'Quota must be non-negative'),
  v.maxValue(QUOTA_MAX, `Quota is limited to ${QUOTA_MAX}`),
)

/**
 * Quota in a reply, as the family's programs read it: always an integer, remaining quota rounded down, charged quota rounded up,
 * sums rounded once. `exactQuota` accompanies it.
 */
export const wholeQuota = v.pipe(v.number(), v.integer())

/** The same quota as decimal text with up to three decimals; absent from servers that have only whole points. */
export const exactQuota = v.optional(v.pipe(v.string(), v.regex(/^-?\d{1,16}(\.\d{1,3})?$/)))

/** Reply fields that a client sends back to tell what it was shown. Other values in their place are ignored. */
export const sentBack = {
  exact: v.optional(v.fallback(v.optional(v.string()), undefined)),
  used: v.optional(v.fallback(v.optional(v.pipe(v.number(), v.safeInteger())), undefined)),
} as const

/** For imported rows: usage at other gateways, which is not part of `used_quota`. Absent for rows created here. */
export const usedBefore = { used_quota_before: v.optional(wholeQuota), request_count_before: v.optional(v.number()) }

export const queryInt = v.pipe(v.string(), v.regex(/^-?\d{1,15}$/, 'must be an integer'), v.transform(Number))

/** Unix seconds later than any row (year 36,812); as a day number it still fits into 32 bits. */
const SECONDS_MAX = 2 ** 40

const ORDERS = ['asc', 'desc'] as const

const asIs = (value: number): number => value

/**
 * The same, but absent or blank means `fallback`, because forms also send empty fields. `bounded` limits the number. Before that,
 * it is clamped to ± `most`, by default the ends of a 32-bit column, which no row has.
 */
/* @__NO_SIDE_EFFECTS__ */
export function queryIntOr(fallback: number, bounded = asIs, most = INT_MAX) {
  return v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(-?\d{1,15})?$/, 'must be an integer'),
      v.transform((text) => bounded(Math.max(-most, Math.min(most, text === '' ? fallback : Number(text))))),
    ),
    String(fallback),
  )
}

/** An id or code in a filter; values out of range become one that no row has. */
export const filterInt = queryIntOr(0)

/** Unix seconds in a filter; all values later than any row count the same. */
export const filterSeconds = queryIntOr(0, asIs, SECONDS_MAX)

const PAGE_SIZE_MAX = 100

/** Rows per page, at most 100; `fallback` if absent. */
/* @__NO_SIDE_EFFECTS__ */
export function pageSize(fallback: number) {
  return queryIntOr(fallback, (size) => Math.min(PAGE_SIZE_MAX, Math.max(1, size)))
}

/** `p` counts pages from 0; negative pages read as 0. */
export const pageQuery = {
  p: queryIntOr(0, (p) => Math.max(0, p)),
  size: pageSize(10),
  sort: v.optional(v.string(), ''),
  /** `asc` or `desc` in any case. Other words, which presets of older clients send (`order=quota`), count as absent. */
  order: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\w{0,40}$/, 'must be asc or desc'),
      v.transform((text) => ORDERS.find((order) => order === text.toLowerCase()) ?? ''),
    ),
    '',
  ),
} as const

/** Any truthy value that the family's clients send for `status_only`. */
export const statusOnly = v.optional(
  v.pipe(
    v.string(),
    v.transform((text) => text === '1' || text === 'true'),
  ),
  '',
)

/** At most 100 characters reach the database. */
export const keyword = v.optional(
  v.pipe(v.string(), v.trim(), v.maxLength(100, 'Search text is limited to 100 characters')),
  '',
)

/** Without a `size`, a search finds as many rows as a page can hold, because the family's searches return everything. */
export const searchQuery = { ...pageQuery, size: pageSize(PAGE_SIZE_MAX), keyword } as const
