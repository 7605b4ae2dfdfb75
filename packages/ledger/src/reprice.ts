import { charge } from './pricing.ts'
import { decodeCounts, decodeRates } from './unit-class.ts'
import type { ReadRows, Row } from './verify.ts'

const PAGE = 2_000

/** Computes every charge and correction again from what its row says; in pages, so that memory stays small. */
export async function reprice(read: ReadRows): Promise<{ checked: number; firstWrong?: Row }> {
  let checked = 0
  let after = { requestId: '', kind: '' }
  for (;;) {
    const rows = await read(`
      select t.request_id, t.kind, t.amount, t.input_tokens, t.cached_tokens, t.cache_write_5m_tokens,
        t.cache_write_1h_tokens, t.output_tokens, t.units, c.amount as consumed, p.id as price, p.input, p.cached_input,
        p.cache_write_5m, p.cache_write_1h, p.output, p.units as unit_rates, p.group_ratio, p.source
      from transfer t join transfer c on c.request_id = t.request_id and c.kind = 'consume'
        left join price p on p.id = t.price_id
      where t.kind in ('consume', 'adjust', 'refund') and (t.request_id, t.kind) > (${quote(after.requestId)}, ${quote(after.kind)})
      order by t.request_id, t.kind limit ${PAGE}`)
    for (const row of rows) {
      checked += 1
      const expected = row['price'] === null ? null : priceOf(row)
      if (expected !== chargedAfter(row)) return { checked, firstWrong: { ...row, repriced: expected } }
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return { checked }
    after = { requestId: String(last['request_id']), kind: String(last['kind']) }
  }
}

/** What the request had been charged in all after this row. */
function chargedAfter(row: Row): bigint {
  const amount = integer(row, 'amount')
  if (row['kind'] === 'consume') return amount
  return integer(row, 'consumed') + (row['kind'] === 'adjust' ? amount : -amount)
}

function priceOf(row: Row): bigint {
  return charge(
    {
      input: Number(row['input_tokens']),
      cachedInput: Number(row['cached_tokens']),
      cacheWrite5m: Number(row['cache_write_5m_tokens']),
      cacheWrite1h: Number(row['cache_write_1h_tokens']),
      output: Number(row['output_tokens']),
      reasoning: 0,
      units: decodeCounts(text(row, 'units')),
    },
    {
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
    },
  )
}

function integer(row: Row, column: string): bigint {
  return BigInt(row[column] as bigint | number | string)
}

function text(row: Row, column: string): string | null {
  return row[column] as string | null
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
