import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { UnitCounts } from '../token-counts.ts'
import { usageOfReply } from '../usage/usage-report.ts'
import { chatUsage, readUsage } from './usage.ts'

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
        audio_tokens: count,
        image_tokens: count,
        video_tokens: count,
        cache_write_tokens: count,
        cache_creation_input_tokens: count,
        cache_creation: fc.record(
          { ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    ),
    completion_tokens_details: fc.record(
      { reasoning_tokens: count, audio_tokens: count, image_tokens: count },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

test('counts are whole, never negative, and the classes add up to the prompt and to the completion', () => {
  fc.assert(
    fc.property(anyUsage, (usage) => {
      const counts = readUsage(usage)
      if (counts === undefined) return
      const { units = {}, ...tokens } = counts
      for (const value of [...Object.values(tokens), ...Object.values(units)]) {
        expect(Number.isSafeInteger(value)).toBe(true)
        expect(value).toBeGreaterThanOrEqual(0)
      }
      expect(counts.reasoning).toBeLessThanOrEqual(counts.output)
      // Only a larger total shows what a vendor leaves out of its prompt or completion.
      const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage
      if (!isCount(prompt) || !isCount(completion) || (isCount(total) && total > prompt + completion)) return
      expect(tokens.input + tokens.cachedInput + tokens.cacheWrite5m + tokens.cacheWrite1h + promptUnits(units)).toBe(
        Math.ceil(prompt),
      )
      expect(tokens.output + (units.audio_output ?? 0) + (units.image_output ?? 0)).toBe(Math.ceil(completion))
    }),
    { numRuns: 2_000 },
  )
})

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < 2 ** 31
}

function promptUnits(units: UnitCounts): number {
  const { audio_input = 0, cached_audio_input = 0, image_input = 0, cached_image_input = 0, video_input = 0 } = units
  return audio_input + cached_audio_input + image_input + cached_image_input + video_input
}

test('any value is read without a throw and without being changed', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), anyUsage), (value) => {
      const copy = fc.stringify(value)
      readUsage(value)
      usageOfReply(chatUsage, value)
      usageOfReply(chatUsage, { choices: [value], usage: value, x_groq: value })
      expect(fc.stringify(value)).toBe(copy)
    }),
  )
})
