import { describe, expect, it } from 'vitest'
import { pricingOf } from './default-pricing.ts'

const defaults = '{ "a": { "ratio": 1.25, "completion_ratio": 4 }, "b": {"max_tokens":16384} }'

describe('default pricing', () => {
  it('holds only the chosen models, one per line', () => {
    expect(pricingOf(['b', 'unknown'], defaults)).toBe('{\n  "b": { "max_tokens": 16384 }\n}')
  })

  it('holds every model while none is chosen', () => {
    expect(pricingOf([], defaults)).toBe(
      '{\n  "a": { "ratio": 1.25, "completion_ratio": 4 },\n  "b": { "max_tokens": 16384 }\n}',
    )
  })

  it.each([
    [['x'], defaults],
    [[], '{}'],
    [[], ''],
  ])('is empty for %j of %j', (models, text) => {
    expect(pricingOf(models, text)).toBe('')
  })
})
