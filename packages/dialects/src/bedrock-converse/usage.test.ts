import { expect, test } from 'vitest'
import { openUsageStream, usageOfReply } from '../usage/usage-report.ts'
import { converseUsage } from './usage.ts'

const none = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 }

test.each([
  [
    'tokens from and to the cache are beside the input',
    { inputTokens: 13, outputTokens: 5, cacheReadInputTokens: 1_504, cacheWriteInputTokens: 20, totalTokens: 1_542 },
    { input: 13, cachedInput: 1_504, cacheWrite5m: 20, output: 5 },
  ],
  [
    'written tokens by lifetime',
    {
      inputTokens: 13,
      outputTokens: 5,
      cacheWriteInputTokens: 50,
      cacheDetails: [
        { ttl: '1h', inputTokens: 30 },
        { ttl: '5m', inputTokens: 20 },
      ],
    },
    { input: 13, cacheWrite5m: 20, cacheWrite1h: 30, output: 5 },
  ],
])('%s', (_, usage, expected) => {
  expect(usageOfReply(converseUsage, { usage })?.counts).toStrictEqual({ ...none, ...expected })
})

test.each([
  ['bare', (event: object) => event],
  ['in its wrapper', (event: object) => ({ metadata: event })],
])('a stream ends with its usage, %s', (_, wrap) => {
  const stream = openUsageStream(converseUsage)
  stream.see({ contentBlockDelta: { delta: { text: 'Hi' } } })
  stream.see({ messageStop: { stopReason: 'end_turn' } })
  stream.see(wrap({ usage: { inputTokens: 3, outputTokens: 4 }, metrics: { latencyMs: 9 } }))
  expect(stream.report()?.counts).toStrictEqual({ ...none, input: 3, output: 4 })
})
