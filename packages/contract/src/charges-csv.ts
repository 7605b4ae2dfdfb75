import type { ChargeClass } from './receipt.ts'

/** Columns of a charge export, in order; each row is one movement of money. Always in English, because programs read them. */
export const CHARGES_CSV_COLUMNS = [
  'Request ID',
  /** ISO 8601, UTC. */
  'Time',
  'Movement',
  'Username',
  'Token',
  'Model',
  'Input',
  'Cached Input',
  'Cache Write 5m',
  'Cache Write 1h',
  'Output',
  /** All other classes, as `image=1 character=300`. */
  'Other Units',
  /** Id of the price in the price book; 0 for refunds by an administrator. */
  'Price ID',
  /** Quota points, exact; never negative. */
  'Amount',
] as const

/** Classes with a column of their own, in column order. */
export const CHARGES_CSV_CLASSES = [
  'input',
  'cached_input',
  'cache_write_5m',
  'cache_write_1h',
  'output',
] as const satisfies readonly ChargeClass[]
