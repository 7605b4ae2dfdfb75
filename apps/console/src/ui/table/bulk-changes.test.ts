import { describe, expect, it } from 'vitest'
import { inTurns, type Tally } from './bulk-changes.tsx'

describe('work over many rows', () => {
  it('runs once for every row, and failures do not stop it', async () => {
    const seen: number[] = []
    const rows = Array.from({ length: 23 }, (_, index) => index)
    const act = async (row: number) => {
      seen.push(row)
      return row % 5 !== 0
    }
    expect(await inTurns(rows, act, () => undefined)).toEqual({ done: 18, failed: 5 })
    expect(seen.toSorted((a, b) => a - b)).toEqual(rows)
  })

  it('never processes more than four rows at once, and reports its progress', async () => {
    let running = 0
    let most = 0
    const tallies: Tally[] = []
    const act = async () => {
      most = Math.max(most, ++running)
      await Promise.resolve()
      running--
      return true
    }
    await inTurns(Array.from({ length: 10 }), act, (tally) => tallies.push(tally))
    expect(most).toBe(4)
    expect(tallies.map(({ done }) => done)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('has nothing to do without rows', async () => {
    expect(
      await inTurns(
        [],
        async () => true,
        () => undefined,
      ),
    ).toEqual({ done: 0, failed: 0 })
  })
})
