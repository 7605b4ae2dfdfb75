import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHARGES_CSV_COLUMNS } from '@sluice/contract/charges-csv'
import type { PriceBook } from '@sluice/contract/receipt'
import { runSluice } from '@sluice/testkit/gateway-process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recompute } from './recompute.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-recompute-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const SOURCE = { kind: 'book', name: '2026-11-20', channel: 0, tier: '', window: '' } as const
const BOOK: PriceBook = {
  format: 'sluice-price-book-1',
  prices: [
    {
      id: 1,
      rates: { input: '1.25', cached_input: '0.125', cache_write_5m: '1.5', cache_write_1h: '2.5', output: '10' },
      group_ratio: '0.8',
      source: SOURCE,
    },
    {
      id: 2,
      rates: {
        input: '0',
        cached_input: '0',
        cache_write_5m: '0',
        cache_write_1h: '0',
        output: '0',
        image: '20000',
        character: '0.0075',
      },
      group_ratio: '1',
      source: SOURCE,
    },
  ],
}

const HEADER = CHARGES_CSV_COLUMNS.join(',')
/** 1000 × 1.25 + 200 × 0.125 + 300 × 10 = 4275; × 0.8 = 3420. */
const CHARGE = 'aa,2026-11-20T12:00:00.000Z,consume,ann,ci,gpt-5,1000,200,0,0,300,,1,3420'
/** 1001 × 1.25 + 200 × 0.125 + 300 × 10 = 4276.25; × 0.8 = 3421. */
const CORRECTION = 'aa,2026-11-20T12:00:09.000Z,adjust,ann,ci,gpt-5,1001,200,0,0,300,,1,1'
const REFUND = 'aa,2026-11-20T13:00:00.000Z,admin-refund,ann,ci,gpt-5,0,0,0,0,0,,0,3421'
/** 2 × 20000 + 333 × 0.0075 = 40002.4975, rounded up to a thousandth. */
const PICTURES =
  'bb,2026-11-20T12:30:00.000Z,consume,"ann, the ""first""\nof her name",ci,img,0,0,0,0,0,image=2 character=333,2,40002.498'
const ROWS = [CHARGE, CORRECTION, REFUND, PICTURES]

async function reAdd(rows: readonly string[], book: unknown = BOOK, header = HEADER) {
  const [csv, prices] = [join(folder, 'charges.csv'), join(folder, 'prices.json')]
  await writeFile(csv, [header, ...rows].map((row) => `${row}\r\n`).join(''))
  await writeFile(prices, typeof book === 'string' ? book : JSON.stringify(book))
  const lines: string[] = []
  const code = await recompute({ csv, book: [prices] }, (line) => lines.push(line))
  return { code, said: lines.join('\n').replaceAll(`${folder}/`, '') }
}

const tampered = (row: string, from: string, to: string) =>
  ROWS.map((each) => (each === row ? each.replace(from, to) : each))

describe('an export of charges', () => {
  it('adds up from its counts and its prices alone', async () => {
    expect(await reAdd(ROWS)).toEqual({
      code: 0,
      said: 'ok    requests: 2, movements: 4, prices: 2, paid in all: 40002.498 points',
    })
  })

  it('can be checked against the unchanged reply of the gateway, with a byte order mark and with bare line feeds', async () => {
    expect((await reAdd(ROWS, { success: true, message: '', data: BOOK })).code).toBe(0)
    expect((await reAdd(ROWS, BOOK, `\uFEFF${HEADER}`)).code).toBe(0)
    expect((await reAdd([ROWS.join('\n')])).code).toBe(0)
    expect((await reAdd([])).said).toContain('requests: 0')
  })

  it.each([
    [
      'a charge made dearer',
      tampered(CHARGE, '3420', '3420.001'),
      'line 2: request aa, consume: 3420.001 points charged, but the counts come to 3420 points at price 1',
    ],
    [
      'a count made smaller',
      tampered(CHARGE, ',300,', ',299,'),
      'line 2: request aa, consume: 3420 points charged, but the counts come to 3412 points at price 1',
    ],
    [
      'a correction made larger',
      tampered(CORRECTION, ',1,1', ',1,2'),
      'line 3: request aa, adjust: 2 points charged, but the counts come to 1 points at price 1',
    ],
    [
      'a correction turned round',
      tampered(CORRECTION, 'adjust', 'refund'),
      'line 3: request aa, refund: 1 points charged, but the counts come to -1 points at price 1',
    ],
    [
      'more given back than was charged',
      tampered(REFUND, '3421', '3421.001'),
      'line 4: request aa, admin-refund: 3421.001 points refunded, but only 3421 points of the charge was left',
    ],
    [
      'another price',
      tampered(PICTURES, ',2,40002', ',1,40002'),
      'line 5: request bb, consume: price 1 does not have a rate for everything that was counted',
    ],
    [
      'a price that is nowhere',
      tampered(CHARGE, ',1,3420', ',7,3420'),
      'line 2: request aa, consume: price 7 is not in the price book',
    ],
    [
      'a unit less',
      tampered(PICTURES, 'image=2', 'image=1'),
      'line 5: request bb, consume: 40002.498 points charged, but the counts come to 20002.498 points at price 2',
    ],
    ['a row twice', [CHARGE, CHARGE], 'line 3: request aa, consume: the request is charged a second time'],
    ['a charge taken out', [CORRECTION, REFUND], 'line 2: request aa, adjust: no charge of this request precedes it'],
    [
      'a movement of another kind',
      tampered(REFUND, 'admin-refund', 'gift'),
      'line 4: request aa, gift: "gift" is not a kind of charge transaction',
    ],
    [
      'a class that nobody knows',
      tampered(PICTURES, 'image=2', 'photo=2'),
      'line 5: Other Units has "photo=2", which is not a class followed by its count',
    ],
    ['an invalid count', tampered(CHARGE, ',1000,', ',1e3,'), 'line 2: the count of input is not a whole number'],
    ['a negative amount', tampered(CHARGE, ',3420', ',-3420'), 'line 2: Amount is not an amount of quota points'],
    ['a column too many', tampered(CHARGE, 'ann', 'ann,ann'), 'line 2: has 15 columns instead of 14'],
  ])('is wrong with %s, and the first wrong row is named', async (_, rows, said) => {
    expect(await reAdd(rows)).toEqual({ code: 1, said: `WRONG charges.csv ${said}` })
  })

  it('names the first of several wrong rows, though a later one cannot even be read', async () => {
    const rows = [...tampered(CHARGE, '3420', '1'), 'broken']
    expect((await reAdd(rows)).said).toContain('line 2: request aa')
    expect((await reAdd([CHARGE, 'broken', PICTURES.replace('40002', '1')])).said).toContain('line 3: has 1 columns')
  })

  it('is refused without its header line', async () => {
    expect((await reAdd(ROWS, BOOK, CHARGE)).said).toMatch(
      /^WRONG charges\.csv line 1: the first line must list the columns/,
    )
  })
})

describe('a price book', () => {
  const changed = (change: (book: { prices: Record<string, unknown>[] }) => void): unknown => {
    const book = structuredClone(BOOK) as unknown as { prices: Record<string, unknown>[] }
    change(book)
    return book
  }

  it('with a changed rate no longer gives the charges', async () => {
    const dearer = changed(({ prices }) => Object.assign(prices[0]?.['rates'] ?? {}, { output: '10.000000001' }))
    expect((await reAdd(ROWS, dearer)).said).toContain(
      'line 2: request aa, consume: 3420 points charged, but the counts come to 3420.001',
    )
    const otherGroup = changed(({ prices }) => Object.assign(prices[0] ?? {}, { group_ratio: '0.800001' }))
    expect((await reAdd(ROWS, otherGroup)).code).toBe(1)
  })

  it.each([
    ['is not JSON', '{', 'is not a price book in the format sluice-price-book-1'],
    ['is of another form', { ...BOOK, format: 'x' }, 'is not a price book in the format sluice-price-book-1'],
    [
      'has a price twice',
      changed(({ prices }) => prices.push({ ...prices[0], group_ratio: '1' })),
      'price 1 occurs twice, with different rates',
    ],
    [
      'has a rate with too many decimals',
      changed(({ prices }) => Object.assign(prices[0]?.['rates'] ?? {}, { input: '1.2500000001' })),
      'price 1: a rate or its group ratio cannot be read',
    ],
    [
      'lacks a rate of text tokens',
      changed(({ prices }) => Object.assign(prices[0] ?? {}, { rates: { input: '1' } })),
      'price 1: a rate or its group ratio cannot be read',
    ],
  ])('that %s is refused', async (_, book, said) => {
    expect(await reAdd(ROWS, book)).toEqual({ code: 1, said: `WRONG prices.json: ${said}` })
  })
})

describe('sluice ledger recompute', () => {
  it('needs neither configuration nor database', async () => {
    await reAdd(ROWS)
    const args = ['ledger', 'recompute', '--csv', join(folder, 'charges.csv'), '--book', join(folder, 'prices.json')]
    const { code, output } = await runSluice(args, {
      dataDir: join(folder, 'nowhere'),
      env: { DATABASE_URL: 'mysql://x' },
    })
    expect(output).toContain('ok    requests: 2')
    expect(code).toBe(0)
  })

  it('says which file cannot be read', async () => {
    const lines: string[] = []
    const code = await recompute({ csv: join(folder, 'no.csv'), book: [join(folder, 'no.json')] }, (line) =>
      lines.push(line),
    )
    expect(code).toBe(1)
    expect(lines[0]).toMatch(/no\.json: ENOENT/)
  })
})
