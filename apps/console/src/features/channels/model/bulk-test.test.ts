import { describe, expect, it } from 'vitest'
import { bulkProgress, isAwaited, startBulkTest } from './bulk-test.ts'

const row = (id: number, test_time: number, response_time = 0) => ({ id, test_time, response_time })

describe('bulk test', () => {
  const run = startBulkTest([row(1, 0), row(2, 100), row(3, 100)], 5_000)

  it('waits for every listed channel that has no newer result', () => {
    const rows = [row(1, 200, 50), row(2, 100), row(3, 201), row(4, 0)]
    expect(rows.map((each) => isAwaited(run, each, 6_000))).toEqual([false, true, false, false])
    expect(bulkProgress(run, rows)).toEqual({ total: 3, tested: 2, failed: 1 })
  })

  it('gives up after two minutes', () => {
    expect(isAwaited(run, row(2, 100), 124_999)).toBe(true)
    expect(isAwaited(run, row(2, 100), 125_000)).toBe(false)
  })

  it('waits for nothing while none runs', () => {
    expect(isAwaited(undefined, row(1, 0), 0)).toBe(false)
  })
})
