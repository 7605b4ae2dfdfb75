import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { promptClasses } from './prompt-classes.ts'

const count = fc.nat(1_000)
const parts = fc.record(
  {
    audio: count,
    image: count,
    video: count,
    cached: count,
    cachedAudio: count,
    cachedImage: count,
    cachedVideo: count,
    write5m: count,
    write1h: count,
  },
  { requiredKeys: [] },
)

test('whatever a vendor says of its parts, the classes add up to the prompt and none is negative', () => {
  fc.assert(
    fc.property(count, parts, (prompt, said) => {
      const { units = {}, ...tokens } = promptClasses(prompt, said)
      const counts = [...Object.values(tokens), ...Object.values(units)]
      for (const value of counts) expect(value).toBeGreaterThanOrEqual(0)
      expect(counts.reduce((sum, value) => sum + value, 0)).toBe(prompt)
    }),
    { numRuns: 2_000 },
  )
})

test('no more tokens come from the cache than the vendor says', () => {
  fc.assert(
    fc.property(count, parts, (prompt, said) => {
      const { cachedInput = 0, units = {} } = promptClasses(prompt, said)
      const cached = cachedInput + (units.cached_audio_input ?? 0) + (units.cached_image_input ?? 0)
      const { cachedAudio = 0, cachedImage = 0, cachedVideo = 0 } = said
      expect(cached).toBeLessThanOrEqual(Math.max(said.cached ?? 0, cachedAudio + cachedImage + cachedVideo))
    }),
    { numRuns: 2_000 },
  )
})

test('cached tokens of an unknown kind count as text first', () => {
  expect(promptClasses(100, { audio: 40, cached: 70 })).toMatchObject({
    input: 0,
    cachedInput: 60,
    units: { audio_input: 30, cached_audio_input: 10 },
  })
})
