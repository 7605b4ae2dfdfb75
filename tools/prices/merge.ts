import type { ListPrices, PriceRow, PriceTable, TokenPrices } from '@sluice/providers/prices/price-row'
import { plainName } from '@sluice/providers/prices/rates'

export interface Said {
  /** By model; current, but only chat models, and only those still served. */
  readonly pi: PriceTable
  /** By model; has other units, announced prices and hours, and states whether thresholds are inclusive. */
  readonly genai: PriceTable
  /** Written by hand; takes precedence. */
  readonly overlay: PriceTable
  readonly deprecated: ReadonlySet<string>
}

export interface Merged {
  readonly models: PriceTable
  /** Prices on which sources disagree, for the author of the book to check. */
  readonly differences: readonly string[]
}

/** A seller's models: overlay takes precedence over pi-ai, and pi-ai over genai-prices. `day` is the day of the book. */
export function mergeSeller({ pi, genai, overlay, deprecated }: Said, day: string): Merged {
  const names = [...new Set([...Object.keys(overlay), ...Object.keys(pi), ...Object.keys(genai)])]
  const differences: string[] = []
  const isListed = Object.keys(pi).length > 0
  const models = names.toSorted().flatMap((name) => {
    const generated = joined(name, pi[name], genai[name], differences)
    const row = patched(name, generated, overlay[name], differences)
    if (row.input === undefined && row.units === undefined) return []
    const isLive = overlay[name] !== undefined || pi[name] !== undefined || !(isListed || deprecated.has(name))
    const gone = isLive || row.use !== undefined || row.retires !== undefined ? {} : { retires: day }
    return [[name, { ...row, ...gone }] as const]
  })
  return { models: withoutCopies(Object.fromEntries(models)), differences }
}

/** A dated name with the plain name's price needs no row: it is looked up under the plain one. */
function withoutCopies(models: PriceTable): PriceTable {
  return Object.fromEntries(
    Object.entries(models).filter(([name, row]) => {
      const plain = plainName(name) === name ? undefined : models[plainName(name)]
      return plain === undefined || !isSamePrice(row, plain)
    }),
  )
}

function joined(name: string, pi: PriceRow | undefined, genai: PriceRow | undefined, differences: string[]): PriceRow {
  if (pi === undefined || genai === undefined) return pi ?? genai ?? {}
  const context = Math.max(pi.context ?? 0, genai.context ?? 0)
  const facts = context === 0 ? {} : { context }
  const units = genai.units === undefined ? {} : { units: genai.units }
  if (isSamePrice(pi, genai)) return { ...genai, ...pi, ...tiersOf(genai, pi), ...units, ...facts }
  differences.push(`${name}: pi-ai ${priceText(pi)}, genai-prices ${priceText(genai)}`)
  return { ...pi, ...units, ...facts }
}

const tiersOf = (genai: PriceRow, pi: PriceRow): Pick<ListPrices, 'tiers'> => {
  const tiers = genai.tiers ?? pi.tiers
  return tiers === undefined ? {} : { tiers }
}

function patched(name: string, row: PriceRow, patch: PriceRow | undefined, differences: string[]): PriceRow {
  if (patch === undefined) return row
  if (patch.input === undefined || row.input === undefined || isSamePrice(row, { ...row, ...patch })) {
    return { ...row, ...patch }
  }
  differences.push(`${name}: overlay ${priceText(patch)}, generated ${priceText(row)}`)
  const { tiers: _tiers, windows: _windows, later: _later, cachedInput: _read, ...rest } = row
  const { cacheWrite5m: _5m, cacheWrite1h: _1h, ...kept } = rest
  return { ...kept, ...patch }
}

const isSamePrice = (a: TokenPrices, b: TokenPrices): boolean =>
  a.input === b.input && (a.output ?? '0') === (b.output ?? '0')
const priceText = ({ input, output }: TokenPrices): string => `${input}/${output}`
