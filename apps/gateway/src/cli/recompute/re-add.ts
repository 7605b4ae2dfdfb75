import { decimalText, MQ_PLACES } from '@sluice/ledger/decimal-text'
import { itemise, type ItemisedCharge } from '@sluice/ledger/itemise'
import { type ChargeMovement, proveCharge, type ProvenCharge } from '@sluice/ledger/proof/prove-charge'
import { UNIT_CLASSES } from '@sluice/ledger/unit-class'
import { headerProblem, readMovement, type StatedMovement } from './charges-file.ts'
import { csvRows } from './csv.ts'
import type { BookPrice } from './price-book-file.ts'

export interface ReAdded {
  readonly requests: number
  readonly movements: number
  /** Total paid, in mq. */
  readonly net: bigint
  /** The first row that does not match its counts and its price; absent for none. */
  readonly wrong?: { readonly line: number; readonly problem: string }
}

interface Request {
  readonly movements: StatedMovement[]
}

/** Recomputes every movement of a charges file from its counts and the price that it names. */
export function reAdd(text: string, book: ReadonlyMap<number, BookPrice>): ReAdded {
  const requests = new Map<string, Request>()
  let count = 0
  // When a row cannot be read, the rows above it are still checked: an earlier one might be wrong.
  let wrong: ReAdded['wrong']
  const rows = csvRows(text)
  const header = rows.next()
  const problem = headerProblem(header.done === true ? undefined : header.value)
  if (problem !== '') return { requests: 0, movements: 0, net: 0n, wrong: { line: 1, problem } }
  for (const row of rows) {
    const movement = readMovement(row)
    if ('problem' in movement) {
      wrong = { line: row.line, problem: movement.problem }
      break
    }
    count += 1
    const request = requests.get(movement.requestId)
    if (request === undefined) requests.set(movement.requestId, { movements: [movement] })
    else request.movements.push(movement)
  }
  let net = 0n
  for (const { movements } of requests.values()) {
    const proven = proveCharge(movements.map((movement) => chargeMovement(movement, book)))
    net += proven.net
    const fault = faultAt(movements, proven, book)
    if (fault !== undefined && (wrong === undefined || fault.line < wrong.line)) wrong = fault
  }
  return { requests: requests.size, movements: count, net, ...(wrong && { wrong }) }
}

function chargeMovement(
  { kind, amount, ...stated }: StatedMovement,
  book: ReadonlyMap<number, BookPrice>,
): ChargeMovement {
  const price = book.get(stated.priceId)
  return { kind, amount, calculation: price && calculationOf(stated, price) }
}

function calculationOf({ units }: Pick<StatedMovement, 'units'>, price: BookPrice): ItemisedCharge {
  const count = (name: Parameters<typeof units.get>[0]): number => units.get(name) ?? 0
  const others = UNIT_CLASSES.flatMap((name) => (count(name) === 0 ? [] : [[name, count(name)] as const]))
  return itemise(
    {
      input: count('input'),
      cachedInput: count('cached_input'),
      cacheWrite5m: count('cache_write_5m'),
      cacheWrite1h: count('cache_write_1h'),
      output: count('output'),
      units: Object.fromEntries(others),
    },
    price,
  )
}

function faultAt(
  movements: readonly StatedMovement[],
  { wrong }: ProvenCharge,
  book: ReadonlyMap<number, BookPrice>,
): ReAdded['wrong'] {
  const movement = wrong && movements[wrong.at]
  if (wrong === undefined || movement === undefined) return undefined
  const subject = `request ${movement.requestId}, ${movement.kind}`
  return { line: movement.line, problem: `${subject}: ${describe(movement, wrong, book)}` }
}

function describe(
  { amount, priceId, kind }: StatedMovement,
  { fault, expected = 0n }: NonNullable<ProvenCharge['wrong']>,
  book: ReadonlyMap<number, BookPrice>,
): string {
  switch (fault) {
    case 'amount':
      return `${points(amount)} charged, but the counts come to ${points(expected)} at price ${priceId}`
    case 'unpriced':
      return book.has(priceId)
        ? `price ${priceId} does not have a rate for everything that was counted`
        : `price ${priceId} is not in the price book`
    case 'no_charge':
      return 'no charge of this request precedes it'
    case 'charged_twice':
      return 'the request is charged a second time'
    case 'corrected_twice':
      return 'the charge is corrected a second time'
    case 'over_refunded':
      return `${points(amount)} refunded, but only ${points(expected)} of the charge was left`
    case 'unknown_kind':
      return `"${kind}" is not a kind of charge transaction`
  }
}

export function points(amount: bigint): string {
  return `${decimalText(amount, MQ_PLACES)} points`
}
