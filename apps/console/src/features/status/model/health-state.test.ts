import { expect, test } from 'vitest'
import { healthState, responseBand } from './health-state.ts'

test.each([
  ['enabled', true, 'enabled'],
  ['enabled', false, 'unknown'],
  ['manually_disabled', false, 'manually_disabled'],
  ['auto_disabled', false, 'auto_disabled'],
  ['auto_disabled', true, 'auto_disabled'],
  ['paused', true, 'unknown'],
  ['', false, 'unknown'],
] as const)('status %j with enabled %s shows as %s', { tags: ['C4.1', 'C4.2'] }, (status, enabled, state) => {
  expect(healthState({ status, enabled })).toBe(state)
})

test.each([
  [0, 'none'],
  [1, 'fast'],
  [999, 'fast'],
  [1_000, 'normal'],
  [2_999, 'normal'],
  [3_000, 'slow'],
] as const)('a response time of %d ms is %s', { tags: 'C4.3' }, (milliseconds, band) => {
  expect(responseBand(milliseconds)).toBe(band)
})
