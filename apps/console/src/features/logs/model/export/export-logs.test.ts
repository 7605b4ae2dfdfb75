import { CHARGES_CSV_COLUMNS } from '@sluice/contract/charges-csv'
import type { Log } from '@sluice/contract/log'
import type { ExportedCharge, PriceBook } from '@sluice/contract/receipt'
import { describe, expect, it } from 'vitest'
import {
  collectLogs,
  EXPORT_PAGE_SIZE,
  EXPORT_ROWS_MAX,
  type ExportProgress,
  csvFileName,
  logCsv,
  chargeFileNames,
  chargesCsv,
  collectCharges,
} from './export-logs.ts'

const rowOf = (id: number): Log => ({
  id,
  created_at: id,
  type: 2,
  user_id: 1,
  username: '',
  token_name: '',
  model_name: '',
  origin_model_name: '',
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_prompt_tokens: 0,
  cached_completion_tokens: 0,
  channel: 0,
  channel_name: '',
  request_id: '',
  trace_id: '',
  elapsed_time: 0,
  is_stream: false,
  content: '',
  metadata: {},
})
const rowsFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => rowOf(first + index))

const page = (data: readonly Log[], total: number) => ({ ok: true, data, total }) as const
const collect = async (fetchPage: (p: number) => Promise<ReturnType<typeof page>>) => {
  const progress: ExportProgress[] = []
  const collected = await collectLogs(fetchPage, (step) => void progress.push(step))
  return { rows: collected.ok ? collected.rows : [], progress }
}

describe('collecting rows for an export', () => {
  it.each([
    [0, 1],
    [99, 1],
    [100, 2],
    [250, 3],
  ])('%d rows take %d calls, in order', async (total, calls) => {
    const requested: number[] = []
    const { rows } = await collect(async (p) => {
      requested.push(p)
      return page(rowsFrom(p * 100, Math.max(0, Math.min(100, total - p * 100))), total)
    })
    expect(rows.map(({ id }) => id)).toEqual(rowsFrom(0, total).map(({ id }) => id))
    expect(requested).toEqual(Array.from({ length: calls }, (_, index) => index))
  })

  it('takes a row that moved to the next page only once', async () => {
    const pages = [rowsFrom(0, 100), rowsFrom(99, 50)]
    const { rows } = await collect(async (p) => page(pages[p] ?? [], 149))
    expect(rows).toHaveLength(149)
  })

  it('reports its progress after each page', async () => {
    const { progress } = await collect(async (p) => page(rowsFrom(p * 100, p === 0 ? 100 : 20), 120))
    expect(progress).toEqual([
      { done: 100, total: 120 },
      { done: 120, total: 120 },
    ])
  })

  it('ends at its limit, however many rows there are', async () => {
    const full = rowsFrom(0, EXPORT_PAGE_SIZE)
    const { progress } = await collect(async () => page(full, 10_000_000))
    expect(progress).toHaveLength(EXPORT_ROWS_MAX / EXPORT_PAGE_SIZE)
  })

  it('stops at the page that failed', async () => {
    const failed = { ok: false, kind: 'timeout', message: '', status: 0, code: '', data: undefined } as const
    const collected = await collectLogs(
      async (p) => (p === 0 ? page(rowsFrom(0, 100), 200) : failed),
      () => undefined,
    )
    expect(collected).toBe(failed)
  })
})

const row: Log = {
  id: 1,
  created_at: new Date(2026, 10, 20, 14, 5, 9).getTime() / 1_000,
  type: 2,
  user_id: 1,
  username: 'alice',
  token_name: 'ci',
  model_name: 'gpt-5',
  origin_model_name: 'gpt-5',
  quota: 1_751.7,
  prompt_tokens: 100,
  completion_tokens: 20,
  cached_prompt_tokens: 50,
  cached_completion_tokens: 3,
  channel: 4,
  channel_name: 'main',
  request_id: 'r',
  trace_id: 't',
  elapsed_time: 850,
  is_stream: true,
  content: 'ratio 2.5, "completion" 4',
  metadata: { cache_write_tokens: { ephemeral_5m: 7, ephemeral_1h: 8 } },
}
const typeName = () => 'Consume'

describe('the CSV of logs', () => {
  it('has exactly the columns of the specification, in order', { tags: 'B9.11' }, () => {
    expect(logCsv([], typeName)).toBe(
      'Time,Type,Model,Token,Username,Quota,Prompt Tokens,Completion Tokens,Cached Prompt Tokens,' +
        'Cached Completion Tokens,Cache Write 5m Tokens,Cache Write 1h Tokens,Latency,Content\r\n',
    )
  })

  it('writes one row per log, values under their columns', { tags: 'B3.1' }, () => {
    expect(logCsv([row], typeName).split('\r\n')[1]).toBe(
      '2026-11-20 14:05:09,Consume,gpt-5,ci,alice,1751.7,100,20,50,3,7,8,850,"ratio 2.5, ""completion"" 4"',
    )
  })

  it('writes zero for caches that were not written to', () => {
    expect(logCsv([{ ...row, metadata: {}, content: '' }], typeName).split('\r\n')[1]).toMatch(/,50,3,0,0,850,$/)
  })

  it('keeps spreadsheets from running names that users chose', { tags: 'S35' }, () => {
    const hostile = { ...row, token_name: '=cmd|calc', username: '@SUM(1)', content: '+1' }
    expect(logCsv([hostile], typeName).split('\r\n')[1]).toMatch(/,'=cmd\|calc,'@SUM\(1\),.*,'\+1$/)
  })

  it('is named after the day of the browser', () => {
    expect(csvFileName(new Date(2026, 0, 5, 23, 59))).toBe('logs_2026-01-05.csv')
  })
})

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
