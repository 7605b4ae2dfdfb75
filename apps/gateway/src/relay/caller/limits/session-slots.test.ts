import { expect, test } from 'vitest'
import { SessionSlots } from './session-slots.ts'

test('there are this many slots in all', () => {
  const slots = new SessionSlots({ all: 2, perUser: 9 })
  expect([slots.take(), slots.take(), slots.take()]).toEqual([true, true, false])
  slots.giveBack()
  expect(slots.take()).toBe(true)
})

test('one user gets this many of them, whatever others have', { tags: 'S27' }, () => {
  const slots = new SessionSlots({ all: 9, perUser: 2 })
  expect([slots.takeFor(1), slots.takeFor(1), slots.takeFor(1), slots.takeFor(2)]).toEqual([true, true, false, true])
  slots.giveBackFor(1)
  expect([slots.takeFor(1), slots.takeFor(1)]).toEqual([true, false])
})
