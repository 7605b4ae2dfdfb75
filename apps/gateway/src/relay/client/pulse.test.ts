import { afterEach, expect, test, vi } from 'vitest'
import { createPulse } from './pulse.ts'

afterEach(() => void vi.useRealTimers())

test('members are visited once per beat; the timer stops after a beat without any', () => {
  vi.useFakeTimers()
  const seen: number[] = []
  const pulse = createPulse(100, Date.now)
  const member = { beat: (now: number) => void seen.push(now) }
  const start = Date.now()
  const leave = pulse.add(member)
  vi.advanceTimersByTime(250)
  expect(seen).toEqual([start + 100, start + 200])
  leave()
  const leaveAgain = pulse.add(member)
  expect(vi.getTimerCount()).toBe(1)
  leaveAgain()
  vi.advanceTimersByTime(50)
  expect(vi.getTimerCount()).toBe(0)
  pulse.add(member)
  vi.advanceTimersByTime(100)
  expect(seen).toHaveLength(3)
})

test('a member that leaves during a beat is not visited again', () => {
  vi.useFakeTimers()
  const pulse = createPulse(100, Date.now)
  let beats = 0
  const member = {
    beat: () => {
      beats += 1
      leave()
    },
  }
  const leave = pulse.add(member)
  vi.advanceTimersByTime(500)
  expect(beats).toBe(1)
})
