import { expect, test } from 'vitest'
import type { Summary } from '~/features/playground/model/history/conversation-summary.ts'
import { groupOf } from '~/features/playground/ui/history/conversations-dialog.tsx'

const at = (year: number, month: number, day: number, hour = 12) => new Date(year, month - 1, day, hour).getTime()
const changed = (changedAt: number, pinned = false): Summary => {
  return { id: 'a', owner: 1, title: '', startedAt: 0, changedAt, pinned, messages: 1, bytes: 1, revision: 1 }
}

test.each([
  ['this morning', at(2026, 3, 31, 0), 'today'],
  ['of a clock that was ahead', at(2026, 4, 2), 'today'],
  ['late the day before', at(2026, 3, 30, 23), 'yesterday'],
  ['over a day of 23 hours', at(2026, 3, 24, 1), 'week'],
  ['eight days ago', at(2026, 3, 23), 'month'],
  ['thirty days ago', at(2026, 3, 1), 'month'],
  ['before that', at(2026, 2, 28), 'older'],
] as const)('what changed %s', (_, changedAt, group) => {
  expect(groupOf(changed(changedAt), at(2026, 3, 31, 13))).toBe(group)
})

test('what is pinned, whenever it changed', () => {
  expect(groupOf(changed(0, true), at(2026, 3, 31))).toBe('pinned')
})
