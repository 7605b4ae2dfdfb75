import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { clearSignedInKeys, PLAYGROUND_KEY_PREFIX, STORAGE_KEYS } from './keys.ts'
import { memoryStorage, storedRecord } from './stored-record.ts'

describe('stored record', () => {
  const schema = v.object({ size: v.number() })

  it('reads back what it wrote', () => {
    const record = storedRecord(memoryStorage(), 'k', schema)
    record.write({ size: 3 })
    expect(record.read()).toEqual({ size: 3 })
    record.remove()
    expect(record.read()).toBeUndefined()
  })

  it.each(['{', '"text"', '{"size":"3"}', 'null'])('treats the stale value %s as absent', (text) => {
    const storage = memoryStorage()
    storage.setItem('k', text)
    expect(storedRecord(storage, 'k', schema).read()).toBeUndefined()
  })

  it('survives a full storage', () => {
    const full = {
      ...memoryStorage(),
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    }
    expect(() => storedRecord(full, 'k', schema).write({ size: 1 })).not.toThrow()
  })
})

describe('sign-out', () => {
  it('removes the playground keys and the cached settings and nothing else', () => {
    const storage = memoryStorage()
    for (const name of ['conversation', 'model', 'parameters', 'token'])
      storage.setItem(PLAYGROUND_KEY_PREFIX + name, '1')
    storage.setItem(STORAGE_KEYS.status, '{}')
    storage.setItem(STORAGE_KEYS.theme, 'dark')
    clearSignedInKeys(storage)
    expect(storage.length).toBe(1)
    expect(storage.getItem(STORAGE_KEYS.theme)).toBe('dark')
  })
})
