import type { ChannelJob } from '@sluice/contract/channel'
import { describe, expect, it } from 'vitest'
import { hasMoved, isAwaited, isShown, pauseBetweenLooks, shareDone } from './use-channel-jobs.ts'

const job: ChannelJob = {
  id: 7,
  running: true,
  stopping: false,
  outcome: '',
  scope: 'all',
  started_by: 'root',
  scheduled: false,
  started_time: 100,
  finished_time: 0,
  total: 4,
  done: 1,
  failed: 0,
  disabled: 0,
  enabled: 0,
  failures: [],
}

describe('a test of all channels', () => {
  it('awaits every channel whose last test is older than the run, until the run ends', () => {
    const rows = [99, 0, 100, 101].map((test_time) => ({ test_time, status: 1 }))
    expect(rows.map((row) => isAwaited(job, row))).toEqual([true, true, false, false])
    expect(rows.some((row) => isAwaited({ ...job, running: false }, row))).toBe(false)
    expect(rows.some((row) => isAwaited(undefined, row))).toBe(false)
  })

  it('limited to a scope awaits only the channels of that scope', () => {
    const disabled = { ...job, scope: 'disabled' }
    expect([1, 2, 3].map((status) => isAwaited(disabled, { test_time: 0, status }))).toEqual([false, true, true])
    const enabled = { ...job, scope: 'enabled' }
    expect([1, 2, 3].map((status) => isAwaited(enabled, { test_time: 0, status }))).toEqual([true, false, false])
    const recovery = { ...job, scope: 'recovery' }
    expect([1, 2, 3].map((status) => isAwaited(recovery, { test_time: 0, status }))).toEqual([false, false, true])
  })

  it('is shown while it runs, and after it has ended if a user is waiting for it', () => {
    const ended = { ...job, running: false }
    expect(isShown(job, Infinity)).toBe(true)
    expect(isShown({ ...job, scheduled: true }, Infinity)).toBe(true)
    expect(isShown(ended, 99)).toBe(true)
    expect(isShown(ended, 100)).toBe(false)
    expect(isShown({ ...ended, scheduled: true }, 99)).toBe(false)
  })

  it('is polled while it runs, and reports its progress', () => {
    expect(pauseBetweenLooks(job)).toBe(1_500)
    expect(pauseBetweenLooks({ ...job, running: false })).toBe(false)
    expect(pauseBetweenLooks(undefined)).toBe(false)
    const ended = { ...job, running: false }
    expect(hasMoved(undefined, ended)).toBe(false)
    expect(hasMoved(ended, ended)).toBe(false)
    expect(hasMoved(job, ended)).toBe(true)
    expect(hasMoved({ ...ended, started_time: 50 }, ended)).toBe(true)
    expect(shareDone(job)).toBe(0.25)
    expect(shareDone({ ...job, total: 0 })).toBe(0)
    expect(shareDone({ ...job, total: 0, running: false })).toBe(1)
  })
})
