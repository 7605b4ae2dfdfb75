import { describe, expect, test } from 'vitest'
import { openUsageStream, usageOfReply } from '../usage/usage-report.ts'
import { messagesUsage } from './usage.ts'

const none = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 }

test.each([
  [
    'tokens from and to the cache are beside the input',
    { input_tokens: 21, cache_read_input_tokens: 188, cache_creation_input_tokens: 0, output_tokens: 393 },
    { input: 21, cachedInput: 188, output: 393 },
  ],
  [
    'written tokens by lifetime',
    {
      input_tokens: 5,
      cache_creation_input_tokens: 556,
      cache_creation: { ephemeral_5m_input_tokens: 456, ephemeral_1h_input_tokens: 100 },
      output_tokens: 7,
    },
    { input: 5, cacheWrite5m: 456, cacheWrite1h: 100, output: 7 },
  ],
  [
    'a bare total of written tokens is the five-minute class, never nothing',
    { input_tokens: 5, cache_creation_input_tokens: 556, output_tokens: 7 },
    { input: 5, cacheWrite5m: 556, output: 7 },
  ],
  [
    'thinking is part of the output',
    { input_tokens: 5, output_tokens: 700, output_tokens_details: { thinking_tokens: 640 } },
    { input: 5, output: 700, reasoning: 640 },
  ],
  [
    'searches are counted, pages fetched are free',
    { input_tokens: 5, output_tokens: 7, server_tool_use: { web_search_requests: 3, web_fetch_requests: 9 } },
    { input: 5, output: 7, units: { search: 3 } },
  ],
  [
    'passes of another model stay out',
    {
      input_tokens: 5,
      output_tokens: 7,
      iterations: [
        { type: 'message', input_tokens: 5, output_tokens: 7 },
        { type: 'advisor_message', model: 'another', input_tokens: 900, output_tokens: 90 },
      ],
    },
    { input: 5, output: 7 },
  ],
])('%s', (_, usage, expected) => {
  expect(usageOfReply(messagesUsage, { type: 'message', usage })?.counts).toStrictEqual({ ...none, ...expected })
})

describe('a stream', () => {
  const start = {
    type: 'message_start',
    message: {
      usage: {
        input_tokens: 13,
        cache_creation_input_tokens: 3_913,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 3_913 },
        output_tokens: 1,
      },
    },
  }
  const written = { input: 13, cacheWrite1h: 3_913 }

  test.each([
    ['repeats the prompt at its end', { input_tokens: 13, cache_creation_input_tokens: 3_913, output_tokens: 40 }],
    ['tells only the output at its end', { output_tokens: 40 }],
    ['has null for the prompt at its end', { input_tokens: null, cache_read_input_tokens: null, output_tokens: 40 }],
    ['has zero for the prompt at its end, as compatible servers do', { input_tokens: 0, output_tokens: 40 }],
  ])('%s', (_, usage) => {
    const stream = openUsageStream(messagesUsage)
    stream.see(start)
    // The first event counts a token of an answer that has not begun.
    expect(stream.report()?.counts).toStrictEqual({ ...none, ...written, output: 0 })
    stream.see({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hi' } })
    stream.see({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage })
    expect(stream.report()?.counts).toStrictEqual({ ...none, ...written, output: 40 })
  })

  test('that learns of the cache at its end discards what it took for input', () => {
    const stream = openUsageStream(messagesUsage)
    stream.see({ type: 'message_start', message: { usage: { input_tokens: 100, output_tokens: 0 } } })
    stream.see({ type: 'message_delta', usage: { input_tokens: 0, cache_read_input_tokens: 100, output_tokens: 2 } })
    expect(stream.report()?.counts).toStrictEqual({ ...none, cachedInput: 100, output: 2 })
  })
})
