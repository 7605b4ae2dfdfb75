import { describe, expect, test } from 'vitest'
import { PLAYGROUND_KEYS } from '~/lib/storage/keys.ts'
import { memoryStorage } from '~/lib/storage/stored-record.ts'
import { withMessage } from '../branches.ts'
import { type ChatMessage, type Conversation, newConversation } from '../message.ts'
import { createConversationStore } from './conversation-store.ts'
import { openHistory } from './history.ts'
import { createMemoryShelf } from './shelf.ts'

const message = (id: string, parent: string | null = null): ChatMessage => {
  return { id, parent, role: 'user', content: id, reasoning_content: null, timestamp: 1 }
}
const asked = (id: string, ...ids: readonly string[]): Conversation =>
  ids.reduce(
    (grown, each, index) => withMessage(grown, 0, message(each, ids[index - 1] ?? null)),
    newConversation({ id, timestamp: 1, createdBy: 'alice' }, 1),
  )

function openBrowser() {
  const shelf = createMemoryShelf()
  const storage = memoryStorage()
  let signedIn = true
  return {
    storage,
    signOut: () => void (signedIn = false),
    async openTab(tab = memoryStorage(), owner = 7) {
      const history = await openHistory({ shelf, owner, now: () => 1, announce: () => undefined })
      return { history, ...createConversationStore({ history, storage, tab, owner, isSignedIn: () => signedIn }) }
    },
  }
}

describe('the conversation that a playground resumes', () => {
  test('is the one that its own tab showed last, otherwise the last one of any tab', async () => {
    const browser = openBrowser()
    const storages = [memoryStorage(), memoryStorage()]
    const [one, two] = await Promise.all(storages.map((storage) => browser.openTab(storage)))
    for (const [tab, id] of [
      [one, 'a'],
      [two, 'b'],
    ] as const) {
      await tab?.save(asked(id, '1'))
      tab?.show(id)
    }
    expect(await (await browser.openTab(storages[0])).restored()).toMatchObject({ id: 'a' })
    expect(await (await browser.openTab()).restored()).toMatchObject({ id: 'b' })
  })

  test('is none if the last one is not stored', async () => {
    const browser = openBrowser()
    const tab = memoryStorage()
    const store = await browser.openTab(tab)
    await store.save(asked('a', '1'))
    store.show('a')
    store.show('new')
    expect(await (await browser.openTab(tab)).restored()).toBeUndefined()
  })

  test('has what was on its way to the database when the tab was closed', async () => {
    const browser = openBrowser()
    const store = await browser.openTab()
    const before = asked('a', '1')
    await store.save(before)
    store.show('a')
    void store.save(withMessage(before, 0, message('2', '1')))
    store.hurry()
    const left = browser.storage.getItem(PLAYGROUND_KEYS.left('a')) ?? ''
    expect(JSON.parse(left)).toMatchObject({ conversation: { messages: [{ id: '2' }] } })

    const restored = await (await browser.openTab()).restored()
    expect(restored).toMatchObject({ messages: [{ id: '1' }, { id: '2' }], leaves: ['2'] })
    expect(browser.storage.getItem(PLAYGROUND_KEYS.left('a'))).toBeNull()
  })

  test('is not restored from a tab that did not close after all', async () => {
    const browser = openBrowser()
    const store = await browser.openTab()
    const keeping = store.save(asked('a', '1'))
    store.hurry()
    store.relax()
    await keeping
    expect(browser.storage.getItem(PLAYGROUND_KEYS.left('a'))).toBeNull()
    store.hurry()
    expect(browser.storage.getItem(PLAYGROUND_KEYS.left('a'))).toBeNull()
  })

  test('is never what another user left', { tags: 'S36' }, async () => {
    const browser = openBrowser()
    const store = await browser.openTab()
    void store.save(asked('a', '1'))
    store.show('a')
    store.hurry()
    const other = await browser.openTab(memoryStorage(), 8)
    expect(await other.restored()).toBeUndefined()
    expect(other.history.get().entries).toEqual([])
    expect(browser.storage.getItem(PLAYGROUND_KEYS.left('a'))).toBeNull()
  })
})

test('nothing is written for a user who has signed out', { tags: 'S36' }, async () => {
  const browser = openBrowser()
  const store = await browser.openTab()
  browser.signOut()
  void store.save(asked('a', '1'))
  store.show('a')
  store.hurry()
  expect(browser.storage.length).toBe(0)
  expect((await browser.openTab()).history.get().entries).toEqual([])
})

test('a temporary conversation is neither stored nor left behind', async () => {
  const browser = openBrowser()
  const store = await browser.openTab()
  store.temporary.set('a')
  const conversation = asked('a', '1')
  expect(await store.save(conversation)).toBe(conversation)
  store.hurry()
  expect(store.history.get().entries).toEqual([])
  expect(browser.storage.length).toBe(0)
})
