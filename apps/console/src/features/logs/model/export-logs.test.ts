import type { Log } from '@sluice/contract/log'
import { describe, expect, it } from 'vitest'
import { collectLogs, EXPORT_PAGE_SIZE, EXPORT_ROWS_MAX, type ExportProgress } from './export-logs.ts'

const rowOf = (id: number): Log => ({
  id,
  created_at: id,
  type: 2,
  username: '',
  token_name: '',
  model_name: '',
  origin_model_name: '',
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_prompt_tokens: 0,
  cached_completion_tokens: 0,
  channel: 0,
  channel_name: '',
  request_id: '',
  trace_id: '',
  elapsed_time: 0,
  is_stream: false,
  content: '',
  metadata: {},
})
const rowsFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => rowOf(first + index))

describe('collecting rows for an export', () => {
  it.each([
    [0, 1],
    [99, 1],
    [100, 2],
    [250, 3],
  ])('%d rows take %d calls, in order', async (total, calls) => {
    const asked: number[] = []
    const rows = await collectLogs(
      async (p) => {
        asked.push(p)
        return { rows: rowsFrom(p * 100, Math.max(0, Math.min(100, total - p * 100))), total }
      },
      () => undefined,
    )
    expect(rows.map(({ id }) => id)).toEqual(rowsFrom(0, total).map(({ id }) => id))
    expect(asked).toEqual(Array.from({ length: calls }, (_, index) => index))
  })

  it('takes a row that moved to the next page only once', async () => {
    const pages = [rowsFrom(0, 100), rowsFrom(99, 50)]
    const rows = await collectLogs(
      async (p) => ({ rows: pages[p] ?? [], total: 149 }),
      () => undefined,
    )
    expect(rows).toHaveLength(149)
  })

  it('reports how far it is after each page', async () => {
    const seen: ExportProgress[] = []
    await collectLogs(
      async (p) => ({ rows: rowsFrom(p * 100, p === 0 ? 100 : 20), total: 120 }),
      (progress) => void seen.push(progress),
    )
    expect(seen).toEqual([
      { done: 100, total: 120 },
      { done: 120, total: 120 },
    ])
  })

  it('ends at its limit, however many rows there are', async () => {
    let calls = 0
    const rows = await collectLogs(
      async (p) => {
        calls += 1
        return { rows: rowsFrom(p * EXPORT_PAGE_SIZE, EXPORT_PAGE_SIZE), total: 10_000_000 }
      },
      () => undefined,
    )
    expect(rows).toHaveLength(EXPORT_ROWS_MAX)
    expect(calls).toBe(EXPORT_ROWS_MAX / EXPORT_PAGE_SIZE)
  })

  it('fails when a page fails', async () => {
    const failing = collectLogs(
      async () => {
        throw new Error('no answer')
      },
      () => undefined,
    )
    await expect(failing).rejects.toThrow('no answer')
  })
})
