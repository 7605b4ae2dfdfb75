import type { Log } from '@sluice/contract/log'
import { describe, expect, it } from 'vitest'
import { collectLogs, EXPORT_PAGE_SIZE, EXPORT_ROWS_MAX, type ExportProgress } from './export-logs.ts'

const rowOf = (id: number): Log => ({
  id,
  created_at: id,
  type: 2,
  user_id: 1,
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

const page = (data: readonly Log[], total: number) => ({ ok: true, data, total }) as const
const collect = async (fetchPage: (p: number) => Promise<ReturnType<typeof page>>) => {
  const progress: ExportProgress[] = []
  const collected = await collectLogs(fetchPage, (step) => void progress.push(step))
  return { rows: collected.ok ? collected.rows : [], progress }
}

describe('collecting rows for an export', () => {
  it.each([
    [0, 1],
    [99, 1],
    [100, 2],
    [250, 3],
  ])('%d rows take %d calls, in order', async (total, calls) => {
    const requested: number[] = []
    const { rows } = await collect(async (p) => {
      requested.push(p)
      return page(rowsFrom(p * 100, Math.max(0, Math.min(100, total - p * 100))), total)
    })
    expect(rows.map(({ id }) => id)).toEqual(rowsFrom(0, total).map(({ id }) => id))
    expect(requested).toEqual(Array.from({ length: calls }, (_, index) => index))
  })

  it('takes a row that moved to the next page only once', async () => {
    const pages = [rowsFrom(0, 100), rowsFrom(99, 50)]
    const { rows } = await collect(async (p) => page(pages[p] ?? [], 149))
    expect(rows).toHaveLength(149)
  })

  it('reports its progress after each page', async () => {
    const { progress } = await collect(async (p) => page(rowsFrom(p * 100, p === 0 ? 100 : 20), 120))
    expect(progress).toEqual([
      { done: 100, total: 120 },
      { done: 120, total: 120 },
    ])
  })

  it('ends at its limit, however many rows there are', async () => {
    const full = rowsFrom(0, EXPORT_PAGE_SIZE)
    const { progress } = await collect(async () => page(full, 10_000_000))
    expect(progress).toHaveLength(EXPORT_ROWS_MAX / EXPORT_PAGE_SIZE)
  })

  it('stops at the page that failed', async () => {
    const failed = { ok: false, kind: 'timeout', message: '', status: 0, code: '', data: undefined } as const
    const collected = await collectLogs(
      async (p) => (p === 0 ? page(rowsFrom(0, 100), 200) : failed),
      () => undefined,
    )
    expect(collected).toBe(failed)
  })
})
