import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readUsage, usageOf } from './usage.ts'

const count = fc.oneof(
  fc.nat(100_000),
  fc.constantFrom(0, -1, 1.5, 2 ** 31, 1e300, Number.NaN, null, '12', {}, undefined),
)
const anyUsage = fc.record(
  {
    prompt_tokens: count,
    completion_tokens: count,
    total_tokens: count,
    prompt_cache_hit_tokens: count,
    prompt_cache_miss_tokens: count,
    cached_tokens: count,
    prompt_tokens_details: fc.record(
      {
        cached_tokens: count,
        cache_write_tokens: count,
        cache_creation_input_tokens: count,
        cache_creation: fc.record(
          { ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    ),
    completion_tokens_details: fc.record({ reasoning_tokens: count }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
)

test('counts are whole, never negative, and the input classes add up to the prompt', () => {
  fc.assert(
    fc.property(anyUsage, (usage) => {
      const counts = readUsage(usage)
      if (counts === undefined) return
      for (const value of Object.values(counts)) {
        expect(Number.isSafeInteger(value)).toBe(true)
        expect(value).toBeGreaterThanOrEqual(0)
      }
      expect(counts.reasoning).toBeLessThanOrEqual(counts.output)
      const { prompt_tokens: prompt } = usage
      if (typeof prompt === 'number' && prompt >= 0 && prompt < 2 ** 31) {
        expect(counts.input + counts.cachedInput + counts.cacheWrite5m + counts.cacheWrite1h).toBe(Math.ceil(prompt))
      }
    }),
    { numRuns: 1_000 },
  )
})

test('anything at all is read without a throw and without being changed', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), anyUsage), (value) => {
      const copy = fc.stringify(value)
      readUsage(value)
      usageOf(value)
      usageOf({ choices: [value], usage: value, x_groq: value })
      expect(fc.stringify(value)).toBe(copy)
    }),
  )
})
