import type { PriceBook, Seller } from '@sluice/providers/prices/price-row'

/** The book as JSON with one line per model, so that a changed price is a changed line. */
export function bookText({ sellers, ...head }: PriceBook): string {
  return `{\n${members(head, 1)},\n  "sellers": [\n${sellers.map(sellerText).join(',\n')}\n  ]\n}\n`
}

function sellerText({ models, ...head }: Seller): string {
  return `    {\n${members(head, 3)},\n      "models": {\n${members(models, 4)}\n      }\n    }`
}

function members(object: object, depth: number): string {
  const indent = '  '.repeat(depth)
  return Object.entries(object)
    .map(([name, value]) => `${indent}${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n')
}
