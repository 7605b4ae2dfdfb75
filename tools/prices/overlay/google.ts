import type { PriceTable } from '@sluice/providers/prices/price-row'

const GEMINI = { context: 1_048_576, maxOutput: 65_536 } as const
const NEW_FLASH = { ...GEMINI, input: '0.75', output: '3.75', cachedInput: '0.075' } as const

export const GOOGLE_PRICES: PriceTable = {
  'gemini-2.5-pro': {
    ...GEMINI,
    input: '1.25',
    output: '10',
    cachedInput: '0.125',
  },
  'gemini-2.5-flash': { ...GEMINI, input: '0.3', output: '2.5', cachedInput: '0.03' },
  'gemini-2.5-flash-lite': { ...GEMINI, input: '0.1', output: '0.4', cachedInput: '0.01' },
  'gemini-3-flash-preview': { ...GEMINI, input: '0.5', output: '3', cachedInput: '0.05' },
  'gemini-3.1-pro-preview': {
    ...GEMINI,
    input: '2',
    output: '12',
    cachedInput: '0.2',
  },
  'gemini-3.1-flash-lite': { ...GEMINI, input: '0.25', output: '1.5', cachedInput: '0.025' },
  'gemini-3.5-flash': { ...GEMINI, input: '1.5', output: '9', cachedInput: '0.15' },
  'gemini-3.5-flash-lite': { ...GEMINI, input: '0.3', output: '2.5', cachedInput: '0.03' },
  'gemini-3.6-flash': NEW_FLASH,
  'gemini-3.7-flash': NEW_FLASH,
  'gemini-3.8-flash': NEW_FLASH,
  'gemini-4-argon': { context: 1_048_576, maxOutput: 32_768, input: '2', output: '10', cachedInput: '0.1' },
  'gemini-embedding-001': { input: '0.15', output: '0', use: 'embeddings' },
}
