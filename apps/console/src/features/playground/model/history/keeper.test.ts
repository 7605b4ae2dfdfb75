import { describe, expect, test } from 'vitest'
import { PLAYGROUND_KEYS } from '../../../../lib/storage/keys.ts'
import { memoryStorage } from '../../../../lib/storage/stored-record.ts'
import { withMessage } from '../branches.ts'
import { type ChatMessage, type Conversation, newConversation } from '../message.ts'
import { openHistory } from './history.ts'
import { createKeeper } from './keeper.ts'
import { createMemoryShelf } from './memory-shelf.ts'

const message = (id: string, parent: string | null = null): ChatMessage => {
  return { id, parent, role: 'user', content: id, reasoning_content: null, timestamp: 1 }
}
const asked = (id: string, ...ids: readonly string[]): Conversation =>
  ids.reduce(
    (grown, each, index) => withMessage(grown, 0, message(each, ids[index - 1] ?? null)),
    newConversation({ id, timestamp: 1, createdBy: 'alice' }, 1),
  )

/** A browser: tabs share everything but what is their own. */
function openBrowser() {
  const shelf = createMemoryShelf()
  const storage = memoryStorage()
  let signedIn = true
  return {
    storage,
    signOut: () => void (signedIn = false),
    async openTab(tab = memoryStorage(), owner = 7) {
      const history = await openHistory({ shelf, owner, now: () => 1, announce: () => undefined })
      return { history, ...createKeeper({ history, storage, tab, owner, isSignedIn: () => signedIn }) }
    },
  }
}

describe('what a playground takes up', () => {
  test('is what its own tab showed last, else what any tab did', async () => {
    const browser = openBrowser()
    const storages = [memoryStorage(), memoryStorage()]
    const [one, two] = await Promise.all(storages.map((storage) => browser.openTab(storage)))
    for (const [tab, id] of [
      [one, 'a'],
      [two, 'b'],
    ] as const) {
      await tab?.keep(asked(id, '1'))
      tab?.show(id)
    }
    expect(await (await browser.openTab(storages[0])).restored()).toMatchObject({ id: 'a' })
    expect(await (await browser.openTab()).restored()).toMatchObject({ id: 'b' })
  })

  test('is nothing where the last one is not kept', async () => {
    const browser = openBrowser()
    const tab = memoryStorage()
    const keeper = await browser.openTab(tab)
    await keeper.keep(asked('a', '1'))
    keeper.show('a')
    keeper.show('new')
    expect(await (await browser.openTab(tab)).restored()).toBeUndefined()
  })

  test('has what was on its way to the database when the tab was closed', async () => {
    const browser = openBrowser()
    const keeper = await browser.openTab()
    const before = asked('a', '1')
    await keeper.keep(before)
    keeper.show('a')
    void keeper.keep(withMessage(before, 0, message('2', '1')))
    keeper.hurry()
    const left = browser.storage.getItem(PLAYGROUND_KEYS.left('a')) ?? ''
    expect(JSON.parse(left)).toMatchObject({ conversation: { messages: [{ id: '2' }] } })

    const restored = await (await browser.openTab()).restored()
    expect(restored).toMatchObject({ messages: [{ id: '1' }, { id: '2' }], leaves: ['2'] })
    expect(browser.storage.getItem(PLAYGROUND_KEYS.left('a'))).toBeNull()
  })

  test('is not what a tab wrote that came back', async () => {
    const browser = openBrowser()
    const keeper = await browser.openTab()
    const keeping = keeper.keep(asked('a', '1'))
    keeper.hurry()
    keeper.relax()
    await keeping
    expect(browser.storage.getItem(PLAYGROUND_KEYS.left('a'))).toBeNull()
    keeper.hurry()
    expect(browser.storage.getItem(PLAYGROUND_KEYS.left('a'))).toBeNull()
  })

  test('S36 is never what another user left', async () => {
    const browser = openBrowser()
    const keeper = await browser.openTab()
    void keeper.keep(asked('a', '1'))
    keeper.show('a')
    keeper.hurry()
    const other = await browser.openTab(memoryStorage(), 8)
    expect(await other.restored()).toBeUndefined()
    expect(other.history.get().entries).toEqual([])
    expect(browser.storage.getItem(PLAYGROUND_KEYS.left('a'))).toBeNull()
  })
})

test('S36 nothing is written for somebody who has signed out', async () => {
  const browser = openBrowser()
  const keeper = await browser.openTab()
  browser.signOut()
  void keeper.keep(asked('a', '1'))
  keeper.show('a')
  keeper.hurry()
  expect(browser.storage.length).toBe(0)
  expect((await browser.openTab()).history.get().entries).toEqual([])
})

test('a temporary conversation is neither stored nor left behind', async () => {
  const browser = openBrowser()
  const keeper = await browser.openTab()
  keeper.temporary.set('a')
  const conversation = asked('a', '1')
  expect(await keeper.keep(conversation)).toBe(conversation)
  keeper.hurry()
  expect(keeper.history.get().entries).toEqual([])
  expect(browser.storage.length).toBe(0)
})
