import { expect, it } from 'vitest'
import { createQueryClient } from '~/lib/query/query-client.ts'
import { showAhead } from '~/ui/table/use-row-changes.ts'

const row = (id: number, status = 1) => ({ id, name: `t${id}`, status })
const FIRST = ['tokens', 'list', { p: 0 }] as const
const FOUND = ['tokens', 'list', { p: 0, keyword: 't1' }] as const

const off = <Row>(each: Row) => ({ ...each, status: 2 })

function cacheOf() {
  const cache = createQueryClient()
  cache.setQueryData(FIRST, { rows: [row(1), row(2)], total: 2 })
  cache.setQueryData(FOUND, { rows: [row(1)], total: 1 })
  cache.setQueryData(['tokens', 'one', 1], row(1))
  return cache
}

it('shows a change in every list of the area, and nowhere else', async () => {
  const cache = cacheOf()
  await showAhead(cache, 'tokens', row(1), off)
  expect(cache.getQueryData(FIRST)).toEqual({ rows: [row(1, 2), row(2)], total: 2 })
  expect(cache.getQueryData(FOUND)).toEqual({ rows: [row(1, 2)], total: 1 })
  expect(cache.getQueryData(['tokens', 'one', 1])).toEqual(row(1))
})

it('reverts it without touching changes to other rows in the meantime', async () => {
  const cache = cacheOf()
  const takeBack = await showAhead(cache, 'tokens', row(1), off)
  await showAhead(cache, 'tokens', row(2), off)
  takeBack()
  expect(cache.getQueryData(FIRST)).toEqual({ rows: [row(1), row(2, 2)], total: 2 })
  expect(cache.getQueryData(FOUND)).toEqual({ rows: [row(1)], total: 1 })
})

it('is not hidden by a reply to an earlier request', async () => {
  const cache = cacheOf()
  let answer = (_page: unknown) => {}
  const late = cache.fetchQuery({
    queryKey: FIRST,
    queryFn: () => new Promise((resolve) => (answer = resolve)),
    staleTime: 0,
  })
  await showAhead(cache, 'tokens', row(1), off)
  answer({ rows: [row(1), row(2)], total: 2 })
  await late.catch(() => undefined)
  expect(cache.getQueryData(FIRST)).toEqual({ rows: [row(1, 2), row(2)], total: 2 })
})
