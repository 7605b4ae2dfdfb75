import type { PriceTable } from '@sluice/providers/prices/price-row'

const PEAK = {
  name: 'peak hours',
  timezone: 'Asia/Shanghai',
  ranges: [
    { start: '09:00', end: '12:00' },
    { start: '14:00', end: '18:00' },
  ],
  days: [1, 2, 3, 4, 5],
} as const

export const DEEPSEEK_PRICES: PriceTable = {
  'deepseek-flash': { context: 1_000_000, maxOutput: 384_000, input: '0.3', output: '1.2', cachedInput: '0.006' },
  // Peak hours cost twice as much; on Beijing's weekends there have been none since 23 August 2026.
  'deepseek-v4-pro': {
    context: 1_000_000,
    maxOutput: 384_000,
    input: '0.66',
    output: '1.98',
    cachedInput: '0.022',
    windows: [{ ...PEAK, input: '1.32', output: '3.96', cachedInput: '0.044' }],
  },
  'deepseek-v4-flash': {
    context: 1_000_000,
    maxOutput: 384_000,
    input: '0.22',
    output: '0.66',
    cachedInput: '0.007',
    windows: [{ ...PEAK, input: '0.44', output: '1.32', cachedInput: '0.014' }],
  },
}

export const MOONSHOT_PRICES: PriceTable = {
  'kimi-k2.6': { context: 262_144, input: '0.95', output: '4', cachedInput: '0.16' },
  'kimi-k3': { context: 1_050_000, input: '3', output: '15', cachedInput: '0.3' },
  'kimi-k3.1-pro': { context: 1_050_000, input: '2', output: '10', cachedInput: '0.2' },
}

export const ZHIPU_PRICES: PriceTable = {
  'glm-4.7': { context: 204_800, maxOutput: 128_000, input: '0.6', output: '2.2', cachedInput: '0.11' },
  'glm-5.2': { context: 1_000_000, maxOutput: 128_000, input: '1.4', output: '4.4', cachedInput: '0.26' },
  'glm-5.3': { context: 1_000_000, maxOutput: 128_000, input: '1.4', output: '4.4', cachedInput: '0.26' },
  'glm-5.3-flash': { context: 1_000_000, maxOutput: 128_000, input: '0.15', output: '0.5', cachedInput: '0.03' },
}

export const XAI_PRICES: PriceTable = {
  'grok-4.3': { context: 1_000_000, input: '1.25', output: '2.5', cachedInput: '0.2' },
  'grok-4.5': { context: 500_000, input: '2', output: '6', cachedInput: '0.3' },
  'grok-4.6': { context: 500_000, input: '2', output: '6', cachedInput: '0.5' },
  'grok-4.7': { context: 500_000, input: '2', output: '6', cachedInput: '0.5' },
}

export const MINIMAX_PRICES: PriceTable = {
  'MiniMax-M2.7': { context: 204_800, input: '0.3', output: '1.2', cachedInput: '0.06', cacheWrite5m: '0.375' },
  'MiniMax-M3': { context: 1_000_000, input: '0.3', output: '1.2', cachedInput: '0.06' },
  'MiniMax-M3.1-Flash': { context: 1_000_000, input: '0.15', output: '0.6', cachedInput: '0.015' },
}

export const MISTRAL_PRICES: PriceTable = {
  'mistral-large-4': { context: 1_000_000, input: '0.7', output: '2.1', cachedInput: '0.07' },
  'mistral-medium-2604': { context: 262_144, input: '1.5', output: '7.5', cachedInput: '0.15' },
  'mistral-small-2603': { context: 262_144, input: '0.15', output: '0.6', cachedInput: '0.015' },
  'codestral-2508': { context: 256_000, input: '0.3', output: '0.9', cachedInput: '0.03' },
  'devstral-2512': { context: 256_000, input: '0.4', output: '2', cachedInput: '0.04' },
}

export const GROQ_PRICES: PriceTable = {
  'openai/gpt-oss-120b': { context: 131_072, input: '0.15', output: '0.6' },
}
