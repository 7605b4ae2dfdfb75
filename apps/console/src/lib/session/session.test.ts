import { describe, expect, it, vi } from 'vitest'
import { PLAYGROUND_KEY_PREFIX, STORAGE_KEYS } from '../storage/keys.ts'
import { memoryStorage } from '../storage/stored-record.ts'
import { createSession } from './session.ts'

const user = { id: 3, username: 'alice', display_name: 'Alice', role: 1, status: 1 }

describe('session', () => {
  it('survives the page, with id, names, role and the authenticated flag', { tags: 'A3.1' }, () => {
    const storage = memoryStorage()
    createSession(storage).signIn(user)
    expect(JSON.parse(storage.getItem(STORAGE_KEYS.session) ?? '')).toEqual({ user, authenticated: true })
    expect(createSession(storage).get()).toEqual(user)
  })

  it('clears the user, the cached settings and the playground at sign-out', { tags: ['A3.2', 'A9.18'] }, () => {
    const storage = memoryStorage()
    const session = createSession(storage)
    session.signIn(user)
    storage.setItem(STORAGE_KEYS.status, '{}')
    for (const name of ['conversation', 'model', 'parameters', 'token']) {
      storage.setItem(`${PLAYGROUND_KEY_PREFIX}${name}`, 'x')
    }
    session.signOut()
    session.signOut()
    expect(session.get()).toBeUndefined()
    expect(storage.length).toBe(0)
  })

  it('deletes the conversations at sign-out, and what the tab stored of them', { tags: 'S36' }, () => {
    const deleted: string[] = []
    const databases = { deleteDatabase: (name: string) => void deleted.push(name) }
    const storage = memoryStorage()
    const tabs = [memoryStorage(), memoryStorage()] as const
    createSession(storage).signIn(user)
    for (const tab of tabs) tab.setItem(`${PLAYGROUND_KEY_PREFIX}conversation`, '"c"')
    const here = createSession(storage, { tab: tabs[0], databases })
    const there = createSession(storage, { tab: tabs[1], databases })
    there.reload()
    expect(tabs.map((tab) => tab.length)).toEqual([1, 1])
    expect(deleted).toEqual([])
    here.signOut()
    expect(deleted).toEqual(['sluice.playground'])
    // The other tab is notified a moment later.
    storage.setItem(`${PLAYGROUND_KEY_PREFIX}draft`, '"what somebody typed there"')
    there.reload()
    expect(tabs.map((tab) => tab.length)).toEqual([0, 0])
    expect(storage.length).toBe(0)
  })

  it('deletes at startup what an earlier sign-out could not', { tags: 'S36' }, () => {
    const deleted: string[] = []
    const databases = { deleteDatabase: (name: string) => void deleted.push(name) }
    const storage = memoryStorage()
    storage.setItem(`${PLAYGROUND_KEY_PREFIX}left.a`, '{}')
    storage.setItem(STORAGE_KEYS.status, '{}')
    createSession(storage, { tab: memoryStorage(), databases })
    expect(deleted).toEqual(['sluice.playground'])
    expect(storage.getItem(`${PLAYGROUND_KEY_PREFIX}left.a`)).toBeNull()
    expect(storage.getItem(STORAGE_KEYS.status)).toBe('{}')
  })

  it('signs out even if the browser refuses to delete', { tags: 'S36' }, () => {
    const deleteDatabase = () => {
      throw new DOMException('no', 'SecurityError')
    }
    const session = createSession(memoryStorage(), { tab: memoryStorage(), databases: { deleteDatabase } })
    session.signIn(user)
    session.signOut()
    expect(session.get()).toBeUndefined()
  })

  it('ignores a record without its authenticated flag', { tags: ['A2.7', 'A3.1'] }, () => {
    const storage = memoryStorage()
    storage.setItem(STORAGE_KEYS.session, JSON.stringify({ user }))
    expect(createSession(storage).get()).toBeUndefined()
  })

  it('follows another tab, and notifies only of changes', () => {
    const storage = memoryStorage()
    const here = createSession(storage)
    here.signIn(user)
    const shown = vi.fn<() => void>()
    here.subscribe(shown)
    here.reload()
    expect(shown).not.toHaveBeenCalled()
    createSession(storage).signOut()
    here.reload()
    expect(here.get()).toBeUndefined()
    expect(shown).toHaveBeenCalledOnce()
  })
})
