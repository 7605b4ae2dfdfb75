import { expect, test } from 'vitest'
import { addedReports } from './added-reports.ts'
import { tokenCounts } from './counts.ts'

const report = (input: number, cost?: number) => ({
  counts: tokenCounts({ input, units: { image_input: 2 } }),
  reportedNanoUsd: cost,
  own: { prompt_tokens: input, details: { text: input }, unit: 'tokens' },
})

test('counts, units, costs and the provider’s own numbers are added', () => {
  expect(addedReports([report(3, 10), report(4, 20)])).toEqual({
    counts: tokenCounts({ input: 7, units: { image_input: 4 } }),
    reportedNanoUsd: 30,
    own: { prompt_tokens: 7, details: { text: 7 }, unit: 'tokens' },
  })
})

test('a part that counted nothing leaves the whole uncounted', () => {
  expect(addedReports([report(3), undefined])).toBeUndefined()
  expect(addedReports([])).toBeUndefined()
  expect(addedReports([report(3, 10), { ...report(4), counts: undefined }])).toMatchObject({
    counts: undefined,
    reportedNanoUsd: undefined,
  })
})
