import { UNKNOWN } from '~/lib/format/units.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { modelTexts } from '../texts/model-texts.ts'

interface PriceProps {
  /** The list price; its unit is stated elsewhere. */
  readonly dollars: number
  /** Factor by which the chosen group multiplies the list price. */
  readonly ratio: number
  readonly as?: (price: string) => string
}

export function Price({ dollars, ratio, as = (price) => price }: PriceProps) {
  const t = useTexts(modelTexts)
  const charged = as(formatPrice(dollars * ratio) ?? t.free)
  if (ratio === 1 || !(dollars > 0)) return charged
  return (
    <>
      {charged}{' '}
      <s className="text-muted text-xs leading-4">
        <span className="sr-only">{t.listPrice}: </span>
        {formatPrice(dollars)}
      </s>
    </>
  )
}

/** In the specification's notation for prices; `undefined` for 0, which is free. */
export function formatPrice(dollars: number): string | undefined {
  if (dollars === 0) return undefined
  if (Number.isNaN(dollars)) return UNKNOWN
  return `$${dollars.toFixed(dollars < 0.001 ? 6 : dollars < 1 ? 4 : 2)}`
}

/** 4096 as 4.1K, 128000 as 128K, 1048576 as 1M; `undefined` for 0, which is unlimited. */
export function formatTokens(tokens: number): string | undefined {
  if (tokens === 0) return undefined
  // From here on, rounding would give 1000K.
  if (tokens >= 999_950) return `${shortened(tokens / 1_000_000)}M`
  return tokens >= 1_000 ? `${shortened(tokens / 1_000)}K` : String(tokens)
}

/** At most one decimal, and no trailing zero. */
function shortened(value: number): string {
  return String(Math.round(value * 10) / 10)
}
