import { describe, expect, it } from 'vitest'
import { flushed, LIVE_ROWS_MAX, newestSecond, startTail, type TailRow, withFetched } from './live-tail.ts'

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
