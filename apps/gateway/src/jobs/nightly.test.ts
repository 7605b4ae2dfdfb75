import { expect, it } from 'vitest'
import { dueCheck } from './ledger-checks.ts'

const at = (day: number, hour: number): number => Date.UTC(2026, 10, day, hour)
const NEVER = { any: 0, full: 0 }

it('counts everything the first time', () => {
  expect(dueCheck(at(2, 3), 3, NEVER)).toBe('full')
})

it('is due once a night, from the hour on', () => {
  const latest = { any: at(2, 3), full: at(2, 3) }
  expect(dueCheck(at(2, 4), 3, latest)).toBeUndefined()
  expect(dueCheck(at(3, 2), 3, latest)).toBeUndefined()
  expect(dueCheck(at(3, 3), 3, latest)).toBe('incremental')
  expect(dueCheck(at(3, 3), 3, { ...latest, any: at(3, 3) })).toBeUndefined()
})

it('is made up for by day when no replica ran at night', () => {
  expect(dueCheck(at(3, 17), 3, { any: at(2, 3), full: at(2, 3) })).toBe('incremental')
  expect(dueCheck(at(3, 1), 20, { any: at(2, 3), full: at(2, 3) })).toBe('incremental')
})

it('counts everything once a week, even if the last time was late at night', () => {
  const latest = { any: at(8, 3), full: at(2, 9) }
  expect(dueCheck(at(8, 3), 3, { ...latest, any: at(7, 3) })).toBe('incremental')
  expect(dueCheck(at(9, 3), 3, latest)).toBe('full')
})
