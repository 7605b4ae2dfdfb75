import type { PriceTable } from '@sluice/providers/prices/price-row'

const SEARCH = { units: { search: '0.002' }, use: 'rerank' } as const

/** A search is one query over up to a hundred documents. */
export const COHERE_PRICES: PriceTable = {
  'rerank-v3.5': SEARCH,
  'rerank-english-v3.0': SEARCH,
  'rerank-multilingual-v3.0': SEARCH,
}
