import { useTexts } from '~/lib/i18n/i18n.ts'
import { formatPrice } from '../model/price-format.ts'
import { modelTexts } from '../texts/model-texts.ts'

interface PriceProps {
  /** The list price; what it counts is said elsewhere. */
  readonly dollars: number
  /** What the chosen group charges of it. */
  readonly ratio: number
  /** Puts the price in a sentence. */
  readonly as?: (price: string) => string
}

/** What a group charges, and the list price, crossed out, where that is another. */
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
