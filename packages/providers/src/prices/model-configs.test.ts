import { expect, test } from 'vitest'
import { parseModelConfigs } from './model-configs.ts'

test('ratios are read exactly and other members left alone', () => {
  const configs = parseModelConfigs(
    '{"m":{"ratio":0.075,"completion_ratio":4,"max_tokens":128,"notes":[1]},"n":{"max_tokens":0}}',
  )
  expect(configs).toStrictEqual(
    new Map<string, object>([
      ['m', { ratio: { digits: 75n, scale: 3 }, completionRatio: { digits: 4n, scale: 0 }, maxTokens: 128 }],
      ['n', { maxTokens: 0 }],
    ]),
  )
})

test('null and blank are an empty configuration', () => {
  for (const text of [null, '', '\n']) expect(parseModelConfigs(text)).toStrictEqual(new Map())
})

test.each([
  ['{', 'Invalid JSON format'],
  ['[]', 'Model configs must be a JSON object'],
  ['3', 'Model configs must be a JSON object'],
  ['{" ":{"ratio":1}}', 'Model name cannot be empty'],
  ['{"m":1}', 'Invalid config for model "m": must be a JSON object'],
  ['{"m":{}}', 'Model "m" needs at least one of ratio, completion_ratio, max_tokens'],
  ['{"m":{"ratio":-1}}', 'Invalid ratio for model "m": must be a number from 0 to 1000000'],
  ['{"m":{"ratio":"1"}}', 'Invalid ratio for model "m": must be a number from 0 to 1000000'],
  ['{"m":{"ratio":1e300}}', 'Invalid ratio for model "m": must be a number from 0 to 1000000'],
  ['{"m":{"ratio":null}}', 'Invalid ratio for model "m": must be a number from 0 to 1000000'],
  ['{"m":{"completion_ratio":-0.5}}', 'Invalid completion_ratio for model "m": must be a number from 0 to 1000000'],
  ['{"m":{"max_tokens":1.5}}', 'Invalid max_tokens for model "m": must be a whole number from 0 to 2147483647'],
])('%s is a problem', (text, problem) => {
  expect(parseModelConfigs(text)).toStrictEqual({ problem })
})
