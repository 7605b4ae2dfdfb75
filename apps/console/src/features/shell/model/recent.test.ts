import { expect, test } from 'vitest'
import { clearSignedInKeys, STORAGE_KEYS } from '~/lib/storage/keys.ts'
import { memoryStorage } from '~/lib/storage/stored-record.ts'
import { recentThings, rememberThing } from './recent.ts'

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
