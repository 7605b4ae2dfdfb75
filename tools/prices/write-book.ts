import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { CURRENT_BOOK } from '@sluice/providers/prices/book'
import type { PriceBook, PriceTable, Seller } from '@sluice/providers/prices/price-row'
import { bookText } from './book-text.ts'
import { mergeSeller } from './merge.ts'
import { YUAN_PER_DOLLAR } from './overlay/yuan.ts'
import { fromRoundThresholds, type GenaiProvider, namesOf, rowOfGenai } from './read-genai.ts'
import { type PiModel, rowOfPi } from './read-pi-ai.ts'
import { SELLERS, type SellerSources } from './sellers.ts'
import { fetchSources, type Sources } from './sources.ts'

/**
 * Writes a price book: `node tools/prices/write-book.ts --day 2026-11-21`. Never overwrites a released book; `--draft` overwrites
 * an unreleased one. Prints where the sources disagree; check each before committing the book.
 */
const { values } = parseArgs({ options: { day: { type: 'string' }, draft: { type: 'boolean', default: false } } })
const day = values.day ?? ''
if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw new Error('--day must be a date like 2026-11-21')
const file = new URL(`../../packages/providers/src/prices/books/${day}.json`, import.meta.url)
if (existsSync(file) && !values.draft) throw new Error(`the book of ${day} exists; a book never changes`)

const sources = await fetchSources()
const differences: string[] = []
const book: PriceBook = {
  version: day,
  yuanPerDollar: YUAN_PER_DOLLAR,
  sources: [...sources.names, 'vendors’ price pages, by hand'],
  sellers: SELLERS.map((each) => sellerOf(each, sources)),
}
await writeFile(file, bookText(book))
const count = book.sellers.reduce((sum, { models }) => sum + Object.keys(models).length, 0)
process.stdout.write(`${differences.join('\n')}\n${count} models, ${bookText(book).length} bytes\n`)

function sellerOf(seller: SellerSources, { pi, genai }: Sources): Seller {
  const provider = seller.genai === undefined ? undefined : genai(seller.genai)
  if (seller.genai !== undefined && provider === undefined) throw new Error(`genai-prices lacks ${seller.genai}`)
  const merged = mergeSeller(
    {
      pi: piTable(seller.pi === undefined ? [] : pi(seller.pi), seller.isInclusive === true),
      genai: genaiTable(provider, seller),
      overlay: seller.overlay,
      deprecated: new Set(provider?.models.filter(({ deprecated }) => deprecated).map(({ id }) => id)),
    },
    day,
  )
  differences.push(...merged.differences.map((each) => `type ${seller.kinds[0]} ${each}`))
  return {
    kinds: seller.kinds,
    currency: seller.currency ?? 'USD',
    ...(seller.resold === undefined ? {} : { resold: true }),
    models: withEarlierEnds(merged.models, seller),
  }
}

/** A model that the previous book lists as retired keeps that day. */
function withEarlierEnds(models: PriceTable, { kinds, resold, currency }: SellerSources): PriceTable {
  const before = CURRENT_BOOK.sellers.find(
    (each) => each.kinds.includes(kinds[0] ?? 0) && each.resold === resold && each.currency === (currency ?? 'USD'),
  )
  return Object.fromEntries(
    Object.entries(models).map(([name, row]) => {
      const retires = before?.models[name]?.retires
      return [name, row.retires === day && retires !== undefined && retires < day ? { ...row, retires } : row] as const
    }),
  )
}

function piTable(models: readonly PiModel[], isInclusive: boolean): PriceTable {
  return Object.fromEntries(
    models.flatMap((model) => {
      const row = rowOfPi(model, isInclusive)
      return row === undefined ? [] : [[model.id, row] as const]
    }),
  )
}

/** A vendor's models under all of their names; a reseller's only under its own name for them. */
function genaiTable(provider: GenaiProvider | undefined, { resold, isInclusive }: SellerSources): PriceTable {
  const rows = (provider?.models ?? []).flatMap((model) => {
    const row = rowOfGenai(model, day)
    if (row === undefined) return []
    const priced = isInclusive === true ? fromRoundThresholds(row) : row
    return (resold === true ? [model.id] : namesOf(model)).map((name) => [name, priced] as const)
  })
  return Object.fromEntries(rows)
}
