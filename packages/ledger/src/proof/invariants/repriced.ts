import { charge, type Price, priceContent } from '../../pricing.ts'
import { decodeCounts, decodeRates } from '../../unit-class.ts'
import type { ReadRows, Row } from '../verify.ts'
import { type Finding, type Invariant, quote } from './invariant.ts'
import { CHARGES } from './movements.ts'
import { inScope, type Scope } from './scope.ts'

export const REPRICED: Invariant = {
  id: 'I8',
  statement: 'every charge is what its stored tokens cost at its stored price',
  check: async (read, _now, scope) => {
    const charges = await repriceCharges(read, scope)
    if (charges.firstWrong !== undefined) return charges
    const changed = await findChangedPrice(read)
    return changed === undefined ? charges : { ...charges, firstWrong: changed }
  },
}

/** Rows per page: few enough that others on the same thread wait only about a millisecond. */
const PAGE = 250
const PRICE_COLUMNS = `p.id as price, p.input, p.cached_input, p.cache_write_5m, p.cache_write_1h, p.output,
  p.units as unit_rates, p.group_ratio, p.source`

/** The first charge of a request; looked up for corrections only. */
const FIRST_CHARGE = `case when t.kind = 'consume' then t.amount
  else (select c.amount from transfer c where c.request_id = t.request_id and c.kind = 'consume') end`

/** Recomputes every charge and correction of a scope from its row, page by page to keep memory small. */
async function repriceCharges(read: ReadRows, scope: Scope): Promise<Finding> {
  let checked = 0
  let range = inScope('t.request_id', scope)
  for (;;) {
    const rows = await read(`
      select t.request_id, t.kind, t.amount, t.input_tokens, t.cached_tokens, t.cache_write_5m_tokens,
        t.cache_write_1h_tokens, t.output_tokens, t.units, ${FIRST_CHARGE} as consumed, ${PRICE_COLUMNS}
      from transfer t left join price p on p.id = t.price_id
      where t.kind in ${CHARGES} and ${range}
      order by t.request_id, t.kind limit ${PAGE}`)
    checked += rows.length
    for (const row of rows) {
      // Invariant I4 finds corrections without a charge.
      if (row['consumed'] === null) continue
      const expected = repriced(row)
      if (expected !== chargedAfter(row)) return { checked, firstWrong: { ...row, repriced: expected } }
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return { checked }
    const [requestId, kind] = [quote(String(last['request_id'])), quote(String(last['kind']))]
    // The first condition repeats this for engines that choose partitions by it.
    range = `t.request_id >= ${requestId} and (t.request_id, t.kind) > (${requestId}, ${kind})`
  }
}

/** A price is stored under a text of its whole content, so any later change shows. */
async function findChangedPrice(read: ReadRows): Promise<Row | undefined> {
  let after = 0
  for (;;) {
    const rows = await read(
      `select ${PRICE_COLUMNS}, p.content from price p where p.id > ${after} order by p.id limit ${PAGE}`,
    )
    const changed = rows.find((row) => contentOf(row) !== row['content'])
    if (changed !== undefined || rows.length < PAGE) return changed
    after = Number(rows.at(-1)?.['price'])
  }
}

/** The request's total charge after this row. */
function chargedAfter(row: Row): bigint {
  const amount = integer(row, 'amount')
  if (row['kind'] === 'consume') return amount
  return integer(row, 'consumed') + (row['kind'] === 'adjust' ? amount : -amount)
}

/** The cost of a row's counts; null when the price is gone or has no rate for one of them. */
function repriced(row: Row): bigint | null {
  if (row['price'] === null) return null
  try {
    const tokens = {
      input: Number(row['input_tokens']),
      cachedInput: Number(row['cached_tokens']),
      cacheWrite5m: Number(row['cache_write_5m_tokens']),
      cacheWrite1h: Number(row['cache_write_1h_tokens']),
      output: Number(row['output_tokens']),
      reasoning: 0,
      units: decodeCounts(text(row, 'units')),
    }
    return charge(tokens, priceOf(row))
  } catch {
    // The ledger never wrote such a row.
    return null
  }
}

function contentOf(row: Row): string | null {
  try {
    return priceContent(priceOf(row))
  } catch {
    return null
  }
}

function priceOf(row: Row): Price {
  return {
    rates: {
      input: integer(row, 'input'),
      cachedInput: integer(row, 'cached_input'),
      cacheWrite5m: integer(row, 'cache_write_5m'),
      cacheWrite1h: integer(row, 'cache_write_1h'),
      output: integer(row, 'output'),
      units: decodeRates(text(row, 'unit_rates')),
    },
    groupRatio: integer(row, 'group_ratio'),
    source: String(row['source']),
  }
}

function integer(row: Row, column: string): bigint {
  return BigInt(row[column] as bigint | number | string)
}

function text(row: Row, column: string): string | null {
  return row[column] as string | null
}
