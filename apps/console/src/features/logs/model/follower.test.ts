import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Failure } from '../../../lib/http/call.ts'
import { createFollower } from './follower.ts'
import { LIVE_EVERY_MS, LIVE_PAGE_SIZE, type TailRow } from './live-tail.ts'

const FAILED: Failure = { ok: false, kind: 'network', message: '', status: 0, code: '', data: undefined }

describe('a follower', () => {
  let rows: TailRow[]
  let visible: boolean
  let broken: boolean
  let asked: (number | undefined)[]
  beforeEach(() => {
    vi.useFakeTimers()
    rows = [{ id: 1, created_at: 10 }]
    visible = true
    broken = false
    asked = []
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const follow = () =>
    createFollower<TailRow>({
      isVisible: () => visible,
      fetchPage: async (since, p) => {
        asked.push(since)
        if (broken) return FAILED
        const found = rows.filter(({ created_at }) => created_at >= (since ?? 0)).toReversed()
        return { ok: true, data: found.slice(p * LIVE_PAGE_SIZE, (p + 1) * LIVE_PAGE_SIZE) }
      },
    })
  const arrive = (...ids: readonly number[]) => rows.push(...ids.map((id) => ({ id, created_at: id * 10 })))
  const later = () => vi.advanceTimersByTimeAsync(LIVE_EVERY_MS)

  it('begins with what there is and asks every five seconds for what is newer', async () => {
    const follower = follow()
    const stop = follower.start()
    await vi.advanceTimersByTimeAsync(0)
    expect(follower.get().tail).toEqual({ rows: [{ id: 1, created_at: 10 }], waiting: [], fresh: 0 })
    arrive(2, 3)
    await later()
    expect(follower.get().tail?.rows.map(({ id }) => id)).toEqual([3, 2, 1])
    expect(follower.get().tail?.fresh).toBe(2)
    expect(asked).toEqual([undefined, 10])
    stop()
    await later()
    expect(asked).toHaveLength(2)
  })

  it('does not ask while nobody looks, and asks at once when somebody does again', async () => {
    const follower = follow()
    const stop = follower.start()
    await vi.advanceTimersByTimeAsync(0)
    visible = false
    await later()
    expect(asked).toHaveLength(1)
    arrive(2)
    visible = true
    follower.wake()
    await vi.advanceTimersByTimeAsync(0)
    expect(follower.get().tail?.rows).toHaveLength(2)
    stop()
  })

  it('lets rows wait while it is paused', async () => {
    const follower = follow()
    const stop = follower.start()
    await vi.advanceTimersByTimeAsync(0)
    follower.pause(true)
    arrive(2)
    await later()
    expect(follower.get().tail).toMatchObject({ rows: [{ id: 1 }], waiting: [{ id: 2 }] })
    follower.pause(false)
    expect(follower.get().tail?.rows.map(({ id }) => id)).toEqual([2, 1])
    stop()
  })

  it('goes on after a failure', async () => {
    const follower = follow()
    const stop = follower.start()
    await vi.advanceTimersByTimeAsync(0)
    broken = true
    await later()
    expect(follower.get()).toMatchObject({ failed: true, tail: { rows: [{ id: 1 }] } })
    broken = false
    arrive(2)
    await later()
    expect(follower.get()).toMatchObject({ failed: false, tail: { fresh: 1 } })
    stop()
  })

  it('turns pages when a burst came', async () => {
    const follower = follow()
    const stop = follower.start()
    await vi.advanceTimersByTimeAsync(0)
    arrive(...Array.from({ length: 250 }, (_, at) => at + 2))
    await later()
    expect(follower.get().tail?.rows).toHaveLength(251)
    expect(asked).toEqual([undefined, 10, 10, 10])
    stop()
  })
})
