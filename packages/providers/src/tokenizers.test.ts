import { expect, test } from 'vitest'
import { estimatePercent, tokenizerFor } from './tokenizers.ts'

test.each([
  ['gpt-3.5-turbo', 'cl100k_base', 100],
  ['gpt-4', 'cl100k_base', 100],
  ['gpt-4-turbo-2024-04-09', 'cl100k_base', 100],
  ['gpt-4o', 'o200k_base', 100],
  ['gpt-4.1-mini', 'o200k_base', 100],
  ['openai/gpt-4o-mini', 'o200k_base', 100],
  ['o3-mini', 'o200k_base', 100],
  ['gpt-6-sol', 'o200k_base', 100],
  ['openai/gpt-oss-120b', 'o200k_harmony', 100],
  ['claude-haiku-4-5', 'o200k_base', 110],
  ['claude-opus-4-7', 'o200k_base', 135],
  ['claude-sonnet-5-5', 'o200k_base', 135],
  ['gemini-3.8-flash', 'o200k_base', 100],
  ['DeepSeek-V4-Pro', 'o200k_base', 100],
  ['some-model-of-tomorrow', 'o200k_base', 100],
])('%s is counted with %s × %i %%', (model, encoding, percent) => {
  expect(tokenizerFor(model)).toMatchObject({ encoding, percent })
})

test('text that is largely Chinese, Japanese or Korean has a factor of its own', () => {
  const deepseek = tokenizerFor('deepseek-v4-pro')
  expect(estimatePercent(deepseek, 'An English sentence.')).toBe(100)
  expect(estimatePercent(deepseek, '\u8ba1\u8d39\u5fc5\u987b\u51c6\u786e\u3002')).toBe(90)
  expect(estimatePercent(deepseek, 'Mostly English with \u4f60\u597d')).toBe(100)
  expect(estimatePercent(tokenizerFor('claude-haiku-4-5'), '\uc548\ub155\ud558\uc138\uc694')).toBe(125)
  expect(estimatePercent(deepseek, '')).toBe(100)
})
