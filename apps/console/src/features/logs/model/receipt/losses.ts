/** The beginning of the text of every charge; see the gateway's `describePrice`. */
const PRICE = /^model ratio /
/** Separates the price from the losses, and the losses from each other. */
const [PARTS, LOSSES] = ['; ', ', ']

export interface RowText {
  /** The row's own words. */
  readonly text: string
  /** The text is the price of a charge. */
  readonly isPrice: boolean
  /** What was not sent to the provider, or was sent in another form: one entry each, as in the header `X-Sluice-Losses`. */
  readonly losses: readonly string[]
}

/** The text of a log row, split up: a charge gives its price, and then what was lost on the way to the provider. */
export function rowText(content: string): RowText {
  const isPrice = PRICE.test(content)
  const at = isPrice ? content.indexOf(PARTS) : -1
  if (at === -1) return { text: content, isPrice, losses: [] }
  return { text: content.slice(0, at), isPrice, losses: content.slice(at + PARTS.length).split(LOSSES) }
}
