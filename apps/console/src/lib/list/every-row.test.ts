import { describe, expect, it } from 'vitest'
import { everyRow } from './every-row.ts'

const { signal } = new AbortController()

const listOf = (total: number) => {
  const asked: number[] = []
  const queryOf = ({ p, size }: { p: number; size: number }) => ({
    queryKey: [p],
    queryFn: async () => {
      asked.push(p)
      return {
        rows: Array.from({ length: Math.max(0, Math.min(size, total - p * size)) }, (_, at) => p * size + at),
        total,
      }
    },
  })
  return { asked, queryOf }
}

describe('every row of a list', () => {
  it('comes page by page until all are there', async () => {
    const { asked, queryOf } = listOf(230)
    expect(await everyRow(queryOf, signal)).toHaveLength(230)
    expect(asked).toEqual([0, 1, 2])
  })

  it('stops at a thousand, and where the list ends early', async () => {
    expect(await everyRow(listOf(5_000).queryOf, signal)).toHaveLength(1_000)
    const empty = { queryKey: [], queryFn: async () => ({ rows: [], total: 7 }) }
    expect(await everyRow(() => empty, signal)).toEqual([])
  })

  it('asks for no more pages, and answers none, once nobody waits', async () => {
    const { asked, queryOf } = listOf(230)
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
    expect(asked).toEqual([0, 1])
  })
})
