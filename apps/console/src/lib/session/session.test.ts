import { describe, expect, it, vi } from 'vitest'
import { PLAYGROUND_KEY_PREFIX, STORAGE_KEYS } from '../storage/keys.ts'
import { memoryStorage } from '../storage/stored-record.ts'
import { createSession } from './session.ts'

const user = { id: 3, username: 'alice', display_name: 'Alice', role: 1, status: 1 }

describe('session', () => {
  it('outlives the page, with id, names, role and the flag of being signed in [A3.1]', () => {
    const storage = memoryStorage()
    createSession(storage).signIn(user)
    expect(JSON.parse(storage.getItem(STORAGE_KEYS.session) ?? '')).toEqual({ user, authenticated: true })
    expect(createSession(storage).get()).toEqual(user)
  })

  it('forgets the user, the cached settings and the playground at sign-out [A3.2 A9.18]', () => {
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

  it('S36 deletes the conversations at sign-out, and what the tab kept of them', () => {
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
    // The other tab is told a moment later.
    storage.setItem(`${PLAYGROUND_KEY_PREFIX}draft`, '"what somebody typed there"')
    there.reload()
    expect(tabs.map((tab) => tab.length)).toEqual([0, 0])
    expect(storage.length).toBe(0)
  })

  it('S36 deletes at its start what a sign-out before could not', () => {
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

  it('S36 signs out where the browser refuses to delete', () => {
    const deleteDatabase = () => {
      throw new DOMException('no', 'SecurityError')
    }
    const session = createSession(memoryStorage(), { tab: memoryStorage(), databases: { deleteDatabase } })
    session.signIn(user)
    session.signOut()
    expect(session.get()).toBeUndefined()
  })

  it('ignores a record without its authenticated flag [A2.7 A3.1]', () => {
    const storage = memoryStorage()
    storage.setItem(STORAGE_KEYS.session, JSON.stringify({ user }))
    expect(createSession(storage).get()).toBeUndefined()
  })

  it('follows another tab, and tells only about changes', () => {
    const storage = memoryStorage()
    const here = createSession(storage)
    here.signIn(user)
    const told = vi.fn<() => void>()
    here.subscribe(told)
    here.reload()
    expect(told).not.toHaveBeenCalled()
    createSession(storage).signOut()
    here.reload()
    expect(here.get()).toBeUndefined()
    expect(told).toHaveBeenCalledOnce()
  })
})
