import { describe, expect, it } from 'vitest'
import { everyRow } from './list-query.ts'

const { signal } = new AbortController()

const listOf = (total: number) => {
  const requested: number[] = []
  const queryOf = ({ p, size }: { p: number; size: number }) => ({
    queryKey: [p],
    queryFn: async () => {
      requested.push(p)
      return {
        rows: Array.from({ length: Math.max(0, Math.min(size, total - p * size)) }, (_, at) => p * size + at),
        total,
      }
    },
  })
  return { requested, queryOf }
}

describe('every row of a list', () => {
  it('is fetched page by page until it is complete', async () => {
    const { requested, queryOf } = listOf(230)
    expect(await everyRow(queryOf, signal)).toHaveLength(230)
    expect(requested).toEqual([0, 1, 2])
  })

  it('stops at a thousand, and where the list ends early', async () => {
    expect(await everyRow(listOf(5_000).queryOf, signal)).toHaveLength(1_000)
    const empty = { queryKey: [], queryFn: async () => ({ rows: [], total: 7 }) }
    expect(await everyRow(() => empty, signal)).toEqual([])
  })

  it('requests no more pages, and returns none, once it is aborted', async () => {
    const { requested, queryOf } = listOf(230)
    const abort = new AbortController()
    const found = everyRow((page) => {
      const query = queryOf(page)
      return {
        ...query,
        queryFn: async () => {
          if (page.p === 1) abort.abort()
          return query.queryFn()
        },
      }
    }, abort.signal)
    await expect(found).rejects.toThrow('aborted')
    expect(requested).toEqual([0, 1])
  })
})
