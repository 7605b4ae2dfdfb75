import { expect, test } from 'vitest'
import { openUsageStream, usageOfReply } from '../usage/usage-report.ts'
import { responsesUsage } from './usage.ts'

const none = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 }
const usage = { input_tokens: 100, output_tokens: 20 }

test('cached and written tokens are part of the input, reasoning is part of the output', () => {
  const reported = {
    input_tokens: 1_000,
    input_tokens_details: { cached_tokens: 600, cache_write_tokens: 300 },
    output_tokens: 90,
    output_tokens_details: { reasoning_tokens: 64 },
    total_tokens: 1_090,
  }
  expect(usageOfReply(responsesUsage, { object: 'response', usage: reported })?.counts).toStrictEqual({
    ...none,
    input: 100,
    cachedInput: 600,
    cacheWrite5m: 300,
    output: 90,
    reasoning: 64,
  })
})

test('a stream reports its usage in its last event', () => {
  const stream = openUsageStream(responsesUsage)
  stream.see({ type: 'response.created', response: { usage: null } })
  stream.see({ type: 'response.output_text.delta', delta: 'Hi' })
  expect(stream.report()).toBeUndefined()
  stream.see({ type: 'response.incomplete', response: { status: 'incomplete', usage, output: [] } })
  expect(stream.report()?.counts).toStrictEqual({ ...none, input: 100, output: 20 })
})

test('searches of the web and in files are counted by the items, opened pages are free', () => {
  const output = [
    { type: 'web_search_call', action: { type: 'search' } },
    { type: 'web_search_call', action: { type: 'open_page' } },
    { type: 'web_search_call' },
    { type: 'file_search_call' },
    { type: 'message' },
  ]
  expect(usageOfReply(responsesUsage, { output, usage })?.counts?.units).toStrictEqual({ search: 2, tool_call: 1 })
})

test('OpenAI’s own count of its tools wins over the items', () => {
  const output = [{ type: 'web_search_call' }]
  const tools = {
    web_search: { num_requests: 3 },
    image_gen: { input_tokens: 222, output_tokens: 1_630, total_tokens: 1_852 },
  }
  expect(usageOfReply(responsesUsage, { output, usage, tool_usage: tools })?.counts?.units).toStrictEqual({
    search: 3,
    image_input: 222,
    image_output: 1_630,
  })
})

test('xAI’s own count of its tools wins over the items', () => {
  const details = { web_search_calls: 1, x_search_calls: 2, code_interpreter_calls: 4, mcp_calls: 8 }
  const reported = { ...usage, server_side_tool_usage_details: details }
  const reply = { output: [{ type: 'web_search_call' }], usage: reported }
  expect(usageOfReply(responsesUsage, reply)?.counts?.units).toStrictEqual({ search: 3, tool_call: 4 })
})
