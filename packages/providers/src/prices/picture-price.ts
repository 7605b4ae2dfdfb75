import { type Decimal, decimal, divideUp } from './decimal.ts'
import type { ImageConfig } from './model-config.ts'
import type { PriceRow } from './price-row.ts'
import type { Quote, Rates } from './quote.ts'

/** How a picture's price depends on the request. Names are in lower case. */
export interface PicturePrices {
  readonly defaultSize: string
  readonly defaultQuality: string
  readonly bySize: ReadonlyMap<string, Decimal>
  readonly byQuality: ReadonlyMap<string, Decimal>
  /** Quality → size → multiple; takes precedence over the other two. */
  readonly byBoth: ReadonlyMap<string, ReadonlyMap<string, Decimal>>
}

/** Undefined when the configuration has no multiples. */
export function picturesOfConfig(config: ImageConfig): PicturePrices | undefined {
  const { sizeMultipliers: bySize, qualityMultipliers: byQuality, qualitySizeMultipliers: byBoth } = config
  if (bySize === undefined && byQuality === undefined && byBoth === undefined) return undefined
  return {
    defaultSize: config.defaultSize ?? '',
    defaultQuality: config.defaultQuality ?? '',
    bySize: bySize ?? new Map(),
    byQuality: byQuality ?? new Map(),
    byBoth: byBoth ?? new Map(),
  }
}

export function picturesOfRow({ multiples, ...defaults }: NonNullable<PriceRow['pictures']>): PicturePrices {
  const bySize = (sizes: Readonly<Record<string, string>>): ReadonlyMap<string, Decimal> =>
    new Map(Object.entries(sizes).map(([size, multiple]) => [size, decimal(multiple) ?? ONE]))
  const byBoth = new Map(Object.entries(multiples).map(([quality, sizes]) => [quality, bySize(sizes)]))
  return { ...defaults, bySize: new Map(), byQuality: new Map(), byBoth }
}

const ONE: Decimal = { digits: 1n, scale: 0 }

/** The quote for a size and quality; '' is the model's default, which also applies to values without a multiple of their own. */
export function quoteForPicture(quote: Quote, size: string, quality: string): Quote {
  const { pictures } = quote
  if (pictures === undefined) return quote
  const multiples = multiplesOf(pictures, size.toLowerCase(), quality.toLowerCase())
  if (multiples.length === 0) return quote
  const apply = (rates: Rates): Rates => {
    const image = rates.units?.image
    return image === undefined ? rates : { ...rates, units: { ...rates.units, image: times(image, multiples) } }
  }
  return {
    ...quote,
    rates: apply(quote.rates),
    tiers: quote.tiers.map((tier) => ({ ...tier, rates: apply(tier.rates) })),
  }
}

/** Some clients write `1024*1024`, and `01024` is the same number. */
const plainSize = (size: string) =>
  size
    .split(/[x*]/)
    .map((side) => side.replace(/^0+(?=\d)/, ''))
    .join('x')

function multiplesOf(pictures: PicturePrices, requested: string, quality: string): readonly Decimal[] {
  const size = requested === '' || requested === 'auto' ? pictures.defaultSize : requested
  const level = quality === '' || quality === 'auto' ? pictures.defaultQuality : quality
  const bySize = (sizes: ReadonlyMap<string, Decimal> | undefined) => sizes?.get(size) ?? sizes?.get(plainSize(size))
  const both = bySize(pictures.byBoth.get(level))
  if (both !== undefined) return [both]
  return [bySize(pictures.bySize), pictures.byQuality.get(level)].filter((each) => each !== undefined)
}

const times = (rate: bigint, multiples: readonly Decimal[]): bigint =>
  multiples.reduce((price, { digits, scale }) => divideUp(price * digits, 10n ** BigInt(scale)), rate)
