import type { ItemisedCharge } from '../itemise.ts'
import { type Mq, mq } from '../units.ts'

export interface ChargeMovement {
  readonly kind: string
  /** mq as stored, never negative: the kind tells the direction. */
  readonly amount: bigint
  /** The whole request's cost by this row's counts and price; undefined for rows without a price. */
  readonly calculation: ItemisedCharge | undefined
}

export type ChargeFault =
  | 'unpriced'
  | 'amount'
  | 'no_charge'
  | 'charged_twice'
  | 'corrected_twice'
  | 'over_refunded'
  | 'unknown_kind'

export interface ProvenCharge {
  /** The user's final cost. */
  readonly net: Mq
  /** Absent when every movement matches its own row. */
  readonly wrong?: {
    /** Index of the first wrong movement. */
    readonly at: number
    readonly fault: ChargeFault
    /** The right amount or its upper bound, if known. */
    readonly expected?: bigint
  }
}

interface Tally {
  /** mq by charge and correction. */
  charged: bigint
  /** mq given back by administrators. */
  refunded: bigint
  charges: number
  corrections: number
}

/**
 * Adds up what one request was charged and redoes each step: the charge, at most one correction by a later settlement (`adjust` up,
 * `refund` down), and refunds by administrators, which never exceed what is left. Movements come in chronological order.
 */
export function proveCharge(movements: readonly ChargeMovement[]): ProvenCharge {
  const tally: Tally = { charged: 0n, refunded: 0n, charges: 0, corrections: 0 }
  let wrong: ProvenCharge['wrong']
  for (const [at, movement] of movements.entries()) {
    const fault = faultOf(movement, tally)
    if (fault !== undefined) wrong ??= { at, ...fault }
    add(tally, movement)
  }
  const net = mq(tally.charged - tally.refunded)
  return wrong === undefined ? { net } : { net, wrong }
}

/** mq that a movement takes from the user; negative if it gives back. */
export function signedAmount({ kind, amount }: Pick<ChargeMovement, 'kind' | 'amount'>): bigint {
  return kind === 'refund' || kind === 'admin-refund' ? -amount : amount
}

function add(tally: Tally, movement: ChargeMovement): void {
  if (movement.kind === 'admin-refund') {
    tally.refunded += movement.amount
    return
  }
  tally.charged += signedAmount(movement)
  if (movement.kind === 'consume') tally.charges += 1
  else tally.corrections += 1
}

function faultOf(
  { kind, amount, calculation }: ChargeMovement,
  { charged, refunded, charges, corrections }: Tally,
): { readonly fault: ChargeFault; readonly expected?: bigint } | undefined {
  if (kind === 'consume') {
    if (charges > 0) return { fault: 'charged_twice' }
  } else if (kind === 'adjust' || kind === 'refund' || kind === 'admin-refund') {
    if (charges === 0) return { fault: 'no_charge' }
  } else return { fault: 'unknown_kind' }
  if (kind === 'admin-refund') {
    const most = charged - refunded
    return amount < 0n || amount > most ? { fault: 'over_refunded', expected: most } : undefined
  }
  if (corrections > 0) return { fault: 'corrected_twice' }
  if (calculation === undefined || calculation.lines.some(({ rate }) => rate === undefined))
    return { fault: 'unpriced' }
  const step = calculation.total - charged
  const expected = kind === 'refund' ? -step : step
  return amount === expected ? undefined : { fault: 'amount', expected }
}
