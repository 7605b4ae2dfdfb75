import type { PriceTable } from '@sluice/providers/prices/price-row'

const GLM = { input: '1.4', output: '4.4', cachedInput: '0.26' } as const
const KIMI_3 = { input: '3', output: '15', cachedInput: '0.3' } as const
const KIMI_31 = { input: '2', output: '10', cachedInput: '0.2' } as const
const DEEPSEEK_PRO = { input: '1.32', output: '3.96', cachedInput: '0.044' } as const
const DEEPSEEK_FLASH = { input: '0.3', output: '1.2', cachedInput: '0.006' } as const

/**
 * In the generated list, these models' input prices are a twentieth of all others, next to an output price above the vendor's: an
 * error in the list. They have their vendors' prices here.
 */
export const OPENROUTER_PRICES: PriceTable = {
  'z-ai/glm-5.2': GLM,
  'z-ai/glm-5.3': GLM,
  '~z-ai/glm-latest': GLM,
  'moonshotai/kimi-k3': KIMI_3,
  '~moonshotai/kimi-latest': KIMI_31,
  'deepseek/deepseek-v4-pro-0813': DEEPSEEK_PRO,
  '~deepseek/deepseek-pro-latest': DEEPSEEK_PRO,
  'deepseek/deepseek-v4.1-flash': DEEPSEEK_FLASH,
  'deepseek/deepseek-v4.1-flash-1017': DEEPSEEK_FLASH,
  'deepseek/deepseek-v4.1-flash-1017:batch': { input: '0.15', output: '0.6' },
  '~deepseek/deepseek-flash-latest': DEEPSEEK_FLASH,
}
