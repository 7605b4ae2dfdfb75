import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Failure } from '~/lib/http/call.ts'
import {
  createFollower,
  LIVE_EVERY_MS,
  LIVE_PAGE_SIZE,
  type TailRow,
  flushed,
  LIVE_ROWS_MAX,
  newestSecond,
  startTail,
  withFetched,
} from './follower.ts'

const FAILED: Failure = { ok: false, kind: 'network', message: '', status: 0, code: '', data: undefined }

describe('a follower', () => {
  let rows: TailRow[]
  let visible: boolean
  let broken: boolean
  let requested: (number | undefined)[]
  beforeEach(() => {
    vi.useFakeTimers()
    rows = [{ id: 1, created_at: 10 }]
    visible = true
    broken = false
    requested = []
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const follow = () =>
    createFollower<TailRow>({
      isVisible: () => visible,
      fetchPage: async (since, p) => {
        requested.push(since)
        if (broken) return FAILED
        const found = rows.filter(({ created_at }) => created_at >= (since ?? 0)).toReversed()
        return { ok: true, data: found.slice(p * LIVE_PAGE_SIZE, (p + 1) * LIVE_PAGE_SIZE) }
      },
    })
  const arrive = (...ids: readonly number[]) => rows.push(...ids.map((id) => ({ id, created_at: id * 10 })))
  const later = () => vi.advanceTimersByTimeAsync(LIVE_EVERY_MS)

  it('starts with the existing rows and polls every five seconds for newer ones', async () => {
    const follower = follow()
    const stop = follower.start()
    await vi.advanceTimersByTimeAsync(0)
    expect(follower.get().tail).toEqual({ rows: [{ id: 1, created_at: 10 }], waiting: [], fresh: 0 })
    arrive(2, 3)
    await later()
    expect(follower.get().tail?.rows.map(({ id }) => id)).toEqual([3, 2, 1])
    expect(follower.get().tail?.fresh).toBe(2)
    expect(requested).toEqual([undefined, 10])
    stop()
    await later()
    expect(requested).toHaveLength(2)
  })

  it('does not poll while the page is hidden, and polls at once when it is visible again', async () => {
    const follower = follow()
    const stop = follower.start()
    await vi.advanceTimersByTimeAsync(0)
    visible = false
    await later()
    expect(requested).toHaveLength(1)
    arrive(2)
    visible = true
    follower.wake()
    await vi.advanceTimersByTimeAsync(0)
    expect(follower.get().tail?.rows).toHaveLength(2)
    stop()
  })

  it('holds rows back while it is paused', async () => {
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

  it('continues after a failure', async () => {
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

  it('turns pages after a burst', async () => {
    const follower = follow()
    const stop = follower.start()
    await vi.advanceTimersByTimeAsync(0)
    arrive(...Array.from({ length: 250 }, (_, at) => at + 2))
    await later()
    expect(follower.get().tail?.rows).toHaveLength(251)
    expect(requested).toEqual([undefined, 10, 10, 10])
    stop()
  })
})

const row = (id: number, created_at = id): TailRow => ({ id, created_at })
const ids = (rows: readonly TailRow[]) => rows.map(({ id }) => id)

describe('following a list', () => {
  it('puts newer rows on top, each once, and keeps track of where they began', () => {
    const tail = withFetched(startTail([row(2), row(1)]), [row(4), row(3), row(2)], false)
    expect(ids(tail.rows)).toEqual([4, 3, 2, 1])
    expect(tail.fresh).toBe(2)
    expect(withFetched(tail, [row(4)], false)).toBe(tail)
  })

  it('holds them back while it is paused, and shows all when it resumes', () => {
    const paused = withFetched(startTail([row(1)]), [row(2)], true)
    expect(ids(paused.rows)).toEqual([1])
    expect(ids(paused.waiting)).toEqual([2])
    const more = withFetched(paused, [row(3), row(2)], true)
    expect(ids(more.waiting)).toEqual([3, 2])
    expect(ids(flushed(more).rows)).toEqual([3, 2, 1])
    expect(ids(withFetched(more, [], false).rows)).toEqual([3, 2, 1])
    expect(withFetched(more, [], false).fresh).toBe(2)
  })

  it('takes rows of the same second that arrive later', () => {
    const tail = startTail([row(5, 9), row(4, 9)])
    expect(newestSecond(tail, 1)).toBe(9)
    expect(ids(withFetched(tail, [row(6, 9), row(5, 9)], false).rows)).toEqual([6, 5, 4])
    expect(newestSecond(startTail([]), 1)).toBe(1)
  })

  it('keeps the newest five thousand', () => {
    let tail = startTail([row(1)])
    for (let at = 0; at < 60; at += 1) {
      const fetched = Array.from({ length: 100 }, (_, index) => row(2 + at * 100 + index)).toReversed()
      tail = withFetched(tail, fetched, at < 55)
    }
    expect(tail.rows).toHaveLength(LIVE_ROWS_MAX)
    expect(tail.rows[0]?.id).toBe(6_001)
    expect(tail.fresh).toBe(LIVE_ROWS_MAX)
    expect(tail.waiting).toEqual([])
  })
})
