import { expect, it } from 'vitest'
import { TimerWheel } from './timer-wheel.ts'

/** A wheel whose clock the test moves. */
function startWheel() {
  let now = 5_000
  let next: (() => void) | undefined
  const wheel = new TimerWheel(
    () => now,
    (task) => (next = task),
  )
  const moveTo = (moment: number) => {
    now = moment
    const visit = next
    next = undefined
    visit?.()
  }
  return { wheel, moveTo, isWaiting: () => next !== undefined }
}

it('gives each stream its turn once per gap until its last', () => {
  const { wheel, moveTo, isWaiting } = startWheel()
  const turns: string[] = []
  let [slow, fast] = [2, 4]
  wheel.add(50, () => (turns.push('slow'), --slow > 0))
  wheel.add(20, () => (turns.push('fast'), --fast > 0))
  for (let at = 5_001; at <= 5_200; at++) moveTo(at)
  expect(turns).toEqual(['fast', 'fast', 'slow', 'fast', 'fast', 'slow'])
  expect(isWaiting()).toBe(false)
})

it('leaves out the turns that a late tick missed, and keeps the pace afterwards', () => {
  const { wheel, moveTo } = startWheel()
  let turns = 0
  wheel.add(20, () => (turns++, true))
  moveTo(5_090)
  expect(turns).toBe(1)
  moveTo(5_099)
  expect(turns).toBe(1)
  moveTo(5_100)
  expect(turns).toBe(2)
})

it('outlasts its own size', () => {
  const { wheel, moveTo } = startWheel()
  let turns = 0
  wheel.add(4_095, () => (turns++, true))
  moveTo(9_094)
  expect(turns).toBe(0)
  for (const at of [9_095, 13_190, 17_285]) moveTo(at)
  expect(turns).toBe(3)
  moveTo(60_000)
  expect(turns).toBe(4)
})

it('refuses a gap for which it has no slot', () => {
  const { wheel } = startWheel()
  for (const gap of [0, 4_096, NaN]) expect(() => wheel.add(gap, () => false)).toThrow('not for this wheel')
})
