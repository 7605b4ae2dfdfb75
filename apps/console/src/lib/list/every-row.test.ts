import { describe, expect, it } from 'vitest'
import { everyRow } from './every-row.ts'

const listOf = (total: number) => {
  const asked: number[] = []
  const load = async ({ p, size }: { p: number; size: number }) => {
    asked.push(p)
    return {
      rows: Array.from({ length: Math.max(0, Math.min(size, total - p * size)) }, (_, at) => p * size + at),
      total,
    }
  }
  return { asked, load }
}

describe('every row of a list', () => {
  it('comes page by page until all are there', async () => {
    const { asked, load } = listOf(230)
    expect(await everyRow(load)).toHaveLength(230)
    expect(asked).toEqual([0, 1, 2])
  })

  it('stops at a thousand, and where the list ends early', async () => {
    expect(await everyRow(listOf(5_000).load)).toHaveLength(1_000)
    expect(await everyRow(async () => ({ rows: [], total: 7 }))).toEqual([])
  })
})
