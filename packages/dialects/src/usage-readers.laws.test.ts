import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from './json-value.ts'
import { USAGE_READERS, type UsageDialect } from './usage-readers.ts'
import { openUsageStream, usageOfReply } from './usage/usage-report.ts'

const NAMES = [
  'usage',
  'usageMetadata',
  'message',
  'delta',
  'metadata',
  'meta',
  'response',
  'output',
  'choices',
  'x_groq',
  'data',
  'images',
  'duration',
  'type',
  'input_tokens',
  'output_tokens',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'promptTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'inputTokens',
  'outputTokens',
  'cacheDetails',
  'cache_creation',
  'iterations',
  'input_tokens_details',
  'prompt_tokens_details',
  'input_token_details',
  'output_token_details',
  'cached_tokens_details',
  'completion_tokens_details',
  'cached_tokens',
  'audio_tokens',
  'image_tokens',
  'reasoning_tokens',
  'billed_units',
  'seconds',
  'cost',
  'cost_in_usd_ticks',
  'tool_usage',
  'server_side_tool_usage_details',
]
/** Objects with the members that readers look for, and values of every kind. */
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.nat(50_000),
      fc.constantFrom(-1, 1.5, 2 ** 40, Number.NaN, Number.POSITIVE_INFINITY, null, '', 'x', true),
    ),
    fc.dictionary(fc.constantFrom(...NAMES), tie('tree'), { maxKeys: 8 }),
    fc.array(tie('tree'), { maxLength: 3 }),
  ),
}))

const DIALECTS = Object.entries(USAGE_READERS).map(([dialect, reader]) => ({ dialect, reader }))

describe.each(DIALECTS)('usage of $dialect', ({ reader }) => {
  test('any value is read without a throw and unchanged, as whole numbers that are not negative', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), tree), (value) => {
        const before = fc.stringify(value)
        const stream = openUsageStream(reader)
        stream.see(value)
        stream.see({ usage: value, usageMetadata: value, type: 'message_delta' })
        for (const report of [usageOfReply(reader, value), stream.report()]) {
          const { units = {}, ...tokens } = report?.counts ?? {}
          for (const count of [...Object.values(tokens), ...Object.values(units), report?.reportedNanoUsd ?? 0]) {
            expect(Number.isSafeInteger(count)).toBe(true)
            expect(count).toBeGreaterThanOrEqual(0)
          }
          for (const count of Object.values(units)) expect(count).toBeGreaterThan(0)
        }
        expect(fc.stringify(value)).toBe(before)
      }),
      { numRuns: 400 },
    )
  })
})

/** An event with the given running totals, in the format of a dialect that streams totals. */
const EVENTS: Partial<Record<UsageDialect, (input: number, output: number) => JsonObject>> = {
  openai_chat: (input, output) => ({ choices: [{}], usage: { prompt_tokens: input, completion_tokens: output } }),
  openai_responses: (input, output) => ({
    type: 'response.in_progress',
    response: { usage: { input_tokens: input, output_tokens: output } },
  }),
  anthropic: (input, output) => ({
    type: 'message_delta',
    usage: { input_tokens: input, output_tokens: output },
  }),
  gemini: (input, output) => ({ usageMetadata: { promptTokenCount: input, candidatesTokenCount: output } }),
  bedrock_converse: (input, output) => ({ metadata: { usage: { inputTokens: input, outputTokens: output } } }),
}

describe.each(Object.entries(EVENTS))('streamed usage of %s', (dialect, event) => {
  test('is what was reported last, however often and in whatever steps', () => {
    const reader = USAGE_READERS[dialect as UsageDialect]
    const totals = fc.array(fc.nat(10_000), { minLength: 1 }).map((steps) => steps.toSorted((a, b) => a - b))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), totals, (input, outputs) => {
        const stream = openUsageStream(reader)
        for (const output of outputs) {
          stream.see(event(input, output))
          stream.see({ type: 'ping' })
        }
        const last = outputs.at(-1)
        expect(stream.report()?.counts).toMatchObject({ input, output: last })
        expect(stream.report()).toStrictEqual(usageOfReply(reader, event(input, last ?? 0)))
      }),
    )
  })
})
