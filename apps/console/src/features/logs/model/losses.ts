/** What begins the text of every charge; see the gateway's `describePrice`. */
const PRICE = /^model ratio /
/** Between the price and what was lost, and between the losses. */
const [PARTS, LOSSES] = ['; ', ', ']

export interface RowText {
  /** The row's own words. */
  readonly text: string
  /** The words are the price of a charge. */
  readonly isPrice: boolean
  /** What the provider was not told, or told in other words: one entry each, as the header `X-Sluice-Losses` has them. */
  readonly losses: readonly string[]
}

/** The text of a log row, taken apart: a charge names its price, and then what was lost on the way to the provider. */
export function rowText(content: string): RowText {
  const isPrice = PRICE.test(content)
  const at = isPrice ? content.indexOf(PARTS) : -1
  if (at === -1) return { text: content, isPrice, losses: [] }
  return { text: content.slice(0, at), isPrice, losses: content.slice(at + PARTS.length).split(LOSSES) }
}
