import { expect, test } from 'vitest'
import { openUsageStream, usageOfReply } from '../usage/usage-report.ts'
import { cohereUsage } from './usage.ts'

const none = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 }

test.each([
  [
    'chat is charged by billed units, not by tokens',
    {
      usage: {
        billed_units: { input_tokens: 5, output_tokens: 418 },
        tokens: { input_tokens: 71, output_tokens: 421 },
      },
    },
    { input: 5, output: 418 },
  ],
  ['embeddings', { meta: { billed_units: { input_tokens: 9 } } }, { input: 9 }],
  ['embeddings of pictures', { meta: { billed_units: { image_tokens: 500 } } }, { units: { image_input: 500 } }],
  ['a rerank is a search', { results: [], meta: { billed_units: { search_units: 1 } } }, { units: { search: 1 } }],
  ['SiliconFlow’s rerank', { results: [], meta: { tokens: { input_tokens: 43, output_tokens: 0 } } }, { input: 43 }],
  ['Jina’s rerank', { results: [], usage: { total_tokens: 815 } }, { input: 815 }],
])('%s', (_, reply, expected) => {
  expect(usageOfReply(cohereUsage, reply)?.counts).toStrictEqual({ ...none, ...expected })
})

test('a streamed chat reports its usage at its end', () => {
  const stream = openUsageStream(cohereUsage)
  stream.see({ type: 'content-delta', delta: { message: { content: { text: 'Hi' } } } })
  const usage = { billed_units: { input_tokens: 3, output_tokens: 4 } }
  stream.see({ type: 'message-end', delta: { finish_reason: 'COMPLETE', usage } })
  expect(stream.report()?.counts).toStrictEqual({ ...none, input: 3, output: 4 })
})
