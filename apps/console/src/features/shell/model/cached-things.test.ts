import { expect, test } from 'vitest'
import { clearSignedInKeys, STORAGE_KEYS } from '~/lib/storage/keys.ts'
import { memoryStorage } from '~/lib/storage/stored-record.ts'
import { cachedThings, recentThings, rememberThing } from './cached-things.ts'

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

const token = (id: number) => ({ kind: 'token' as const, id: String(id), name: `token ${id}` })

test('the most recently opened comes first, once, and there are at most six', () => {
  const storage = memoryStorage()
  for (const id of [1, 2, 3, 4, 5, 6, 7, 3]) rememberThing(storage, token(id))
  expect(recentThings(storage).map(({ id }) => id)).toEqual(['3', '7', '6', '5', '4', '2'])
})

test('data written there by other code is ignored', () => {
  const storage = memoryStorage()
  storage.setItem(STORAGE_KEYS.recent, '[{"kind":"secret","id":"1","name":"x"}]')
  expect(recentThings(storage)).toEqual([])
})

test('signing out clears it', () => {
  const storage = memoryStorage()
  rememberThing(storage, token(1))
  clearSignedInKeys(storage)
  expect(recentThings(storage)).toEqual([])
})
