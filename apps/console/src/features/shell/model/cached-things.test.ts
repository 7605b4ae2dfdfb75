import { expect, test } from 'vitest'
import { cachedThings } from './cached-things.ts'

const cache = {
  getQueriesData: ({ queryKey: [area] }: { readonly queryKey: readonly unknown[] }) =>
    ({
      tokens: [
        [[], { rows: [{ id: 7, name: 'ci', key: 'x' }], total: 1 }],
        [[], { rows: [{ id: 7, name: 'ci', key: 'x' }], total: 1 }],
        [[], ['gpt-4o']],
        [[], undefined],
      ],
      users: [[[], { rows: [{ id: 9, username: 'cicero' }], total: 1 }]],
    }[String(area)] as [unknown, unknown][]) ?? [],
}

test('rows that lists have shown are found by a part of their name, once', () => {
  expect(cachedThings(cache, ' CI ')).toEqual([
    { kind: 'token', id: '7', name: 'ci' },
    { kind: 'user', id: '9', name: 'cicero' },
  ])
})

test('and by their id', () => {
  expect(cachedThings(cache, '9')).toEqual([{ kind: 'user', id: '9', name: 'cicero' }])
  expect(cachedThings(cache, '8')).toEqual([])
})

test('empty text finds nothing', () => {
  expect(cachedThings(cache, '')).toEqual([])
})
