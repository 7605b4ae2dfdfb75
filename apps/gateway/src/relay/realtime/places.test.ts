import { expect, test } from 'vitest'
import { Places } from './places.ts'

test('there are so many places in all', () => {
  const places = new Places({ all: 2, perUser: 9 })
  expect([places.take(), places.take(), places.take()]).toEqual([true, true, false])
  places.giveBack()
  expect(places.take()).toBe(true)
})

test('S27 one user gets so many of them, whatever others have', () => {
  const places = new Places({ all: 9, perUser: 2 })
  expect([places.takeFor(1), places.takeFor(1), places.takeFor(1), places.takeFor(2)]).toEqual([
    true,
    true,
    false,
    true,
  ])
  places.giveBackFor(1)
  expect([places.takeFor(1), places.takeFor(1)]).toEqual([true, false])
})
