import type { PriceTable } from '@sluice/providers/prices/price-row'

/** Yuan per US dollar, to convert the rows below. */
export const YUAN_PER_DOLLAR = '7.2'

/** Vendors that sell in yuan: CNY per million tokens, as of September 2026. */
export const BAILIAN_PRICES: PriceTable = {
  'qwen3.8-max': { input: '12', output: '36', cachedInput: '1.5', cacheWrite5m: '15' },
}

export const BAILIAN_DEEPSEEK_PRICES: PriceTable = {
  'deepseek-v4-pro': { context: 1_000_000, maxOutput: 384_000, input: '9', output: '27', cachedInput: '1.8' },
}

export const VOLCANO_PRICES: PriceTable = {
  'doubao-seed-2.1-pro': { input: '6', output: '30', cachedInput: '1.2' },
  'doubao-seed-2.1-turbo': { input: '3', output: '15', cachedInput: '0.6' },
}

export const VOLCANO_DEEPSEEK_PRICES: PriceTable = {
  'deepseek-v4-pro': { context: 1_000_000, maxOutput: 384_000, input: '9', output: '27', cachedInput: '0.3' },
}

export const TENCENT_PRICES: PriceTable = {
  hy3: { input: '1', output: '4', cachedInput: '0.25' },
}

export const BAIDU_PRICES: PriceTable = {
  'ernie-5.1': { input: '4', output: '18' },
  'ernie-5.0': { input: '6', output: '24' },
}

export const ZHINAO_PRICES: PriceTable = {
  '360zhinao3-o1.5': { input: '4', output: '10' },
  '360zhinao2-o1.5': { input: '2', output: '5' },
}

export const BAICHUAN_PRICES: PriceTable = {
  'Baichuan-M3-Plus': { input: '5', output: '9' },
  'Baichuan-M3': { input: '10', output: '30' },
  'Baichuan-M2': { input: '2', output: '20' },
}

export const STEPFUN_PRICES: PriceTable = {
  'step-5-preview': { input: '7', output: '20', cachedInput: '0.35' },
  'step-3.7-flash': { input: '1.35', output: '8.1', cachedInput: '0.27' },
  'step-3.5-flash': { input: '0.7', output: '2.1', cachedInput: '0.14' },
}

export const YI_PRICES: PriceTable = {
  'yi-lightning': { input: '0.99', output: '0.99' },
  'yi-vision-v2': { input: '6', output: '6' },
}
