import { CHARGES_CSV_COLUMNS } from '@sluice/contract/charges-csv'
import type { ExportedCharge, PriceBook } from '@sluice/contract/receipt'
import { describe, expect, it } from 'vitest'
import { chargeFileNames, chargesCsv, collectCharges } from './charges-csv.ts'

const charge: ExportedCharge = {
  request_id: 'aa',
  at: Date.UTC(2026, 10, 20, 12),
  kind: 'consume',
  username: '=ann',
  token_name: 'ci, main',
  model_name: 'gpt-5',
  units: { input: 100, cached_input: 3, output: 20, image: 2, character: 7 },
  price_id: 4,
  amount: '9007199254740993.001',
}

describe('the CSV of charges', () => {
  it('has one row per movement, counts under their columns and amounts digit for digit', () => {
    const [header, row] = chargesCsv([charge]).split('\r\n')
    expect(header).toBe(CHARGES_CSV_COLUMNS.join(','))
    expect(row).toBe(
      'aa,2026-11-20T12:00:00.000Z,consume,\'=ann,"ci, main",gpt-5,100,3,0,0,20,image=2 character=7,4,9007199254740993.001',
    )
  })

  it('is named after the day of the browser, as its prices are', () => {
    expect(chargeFileNames(new Date(2026, 0, 5, 23, 59))).toEqual({
      charges: 'charges_2026-01-05.csv',
      prices: 'prices_2026-01-05.json',
    })
  })
})

describe('collecting charges', () => {
  const price = (id: number) =>
    ({
      id,
      rates: {},
      group_ratio: '1',
      source: { kind: 'other', name: '', channel: 0, tier: '', window: '' },
    }) as const
  const book = (...ids: number[]): PriceBook => ({ format: 'sluice-price-book-1', prices: ids.map(price) })
  const of = (request_id: string, kind = 'consume') => ({ ...charge, request_id, kind })

  it('fetches page after page, taking each request once and each price once', async () => {
    const pages = [
      { data: [of('c'), of('c', 'adjust'), of('b')], book: book(9, 4) },
      { data: [of('b'), of('a')], book: book(4) },
    ]
    const progress: unknown[] = []
    const collected = await collectCharges(
      async (p) => ({ ok: true, data: pages[p]?.data ?? [], total: 150, extra: { book: pages[p]?.book ?? book() } }),
      (at) => progress.push(at),
    )
    if (!collected.ok) throw new Error('failed')
    expect(collected.charges.map(({ request_id, kind }) => `${request_id} ${kind}`)).toEqual([
      'c consume',
      'c adjust',
      'b consume',
      'a consume',
    ])
    expect(collected.book.prices.map(({ id }) => id)).toEqual([4, 9])
    expect(collected.leftOut).toBe(0)
    expect(progress).toEqual([
      { done: 100, total: 150 },
      { done: 150, total: 150 },
    ])
  })

  it('says how many rows it left out at its limit', async () => {
    const collected = await collectCharges(
      async () => ({ ok: true, data: [], total: 100_023, extra: { book: book() } }),
      () => {},
    )
    expect(collected).toMatchObject({ ok: true, leftOut: 23 })
  })

  it('stops at the first page that failed', async () => {
    const failure = { ok: false, kind: 'network', message: '', status: 0, code: '', data: undefined } as const
    expect(
      await collectCharges(
        async () => failure,
        () => {},
      ),
    ).toBe(failure)
  })
})
