import { describe, expect, test } from 'vitest'
import { withEdit, withMessage, withoutMessage } from '../branches.ts'
import type { ChatMessage, Conversation } from '../message.ts'
import { openHistory } from './history.ts'
import { createMemoryShelf, type Shelf } from './shelf.ts'

const message = (id: string, parent: string | null = null, content = id): ChatMessage => ({
  id,
  parent,
  role: 'user',
  content,
  reasoning_content: null,
  timestamp: 1,
})

function conversation(id: string, ...messages: readonly ChatMessage[]): Conversation {
  return {
    id,
    timestamp: 1,
    createdBy: 'alice',
    messages: [...messages],
    leaves: [messages.at(-1)?.id ?? null],
    title: '',
  }
}

/** The clock ticks every time it is read. */
function openTab(shelf: Shelf, owner = 7) {
  let time = 0
  const announced: string[] = []
  return openHistory({ shelf, owner, now: () => ++time, announce: (ids) => announced.push(...ids) }).then((history) =>
    Object.assign(history, { announced, titles: () => history.get().entries.map(({ title }) => title) }),
  )
}

describe('the history of conversations', () => {
  test('returns what it was given, to another page view as well', async () => {
    const shelf = createMemoryShelf()
    const tab = await openTab(shelf)
    const saved = conversation('a', message('1', null, 'How high\nis it?'), message('2', '1'))
    await tab.save(saved)
    expect(tab.titles()).toEqual(['How high is it?'])
    const later = await openTab(shelf)
    expect(later.get().entries).toEqual(tab.get().entries)
    expect(await later.read('a')).toEqual(saved)
    expect(await later.read('b')).toBeUndefined()
  })

  test('lists pinned ones first, then the most recently changed', async () => {
    const tab = await openTab(createMemoryShelf())
    for (const id of ['a', 'b', 'c']) await tab.save(conversation(id, message('1', null, id)))
    await tab.pin('a', true)
    expect(tab.titles()).toEqual(['a', 'c', 'b'])
    await tab.pin('a', false)
    expect(tab.titles()).toEqual(['c', 'b', 'a'])
    await tab.save(conversation('b', message('1', null, 'b'), message('2', '1')))
    expect(tab.titles()).toEqual(['b', 'c', 'a'])
  })

  test('does not store an empty conversation, and removes one that was emptied', async () => {
    const tab = await openTab(createMemoryShelf())
    await tab.save(conversation('a'))
    expect(tab.titles()).toEqual([])
    const filled = conversation('a', message('1'))
    await tab.save(filled)
    await tab.save(withoutMessage(filled, '1'))
    expect(tab.titles()).toEqual([])
  })

  test('keeps a given title, and restores what it removed as it was', async () => {
    const tab = await openTab(createMemoryShelf())
    await tab.save(conversation('a', message('1')))
    await tab.rename('a', 'Bridges')
    await tab.pin('a', true)
    const removed = await tab.remove(['a', 'none'])
    expect(tab.titles()).toEqual([])
    expect(await tab.read('a')).toBeUndefined()
    await tab.restore(removed)
    expect(tab.get().entries).toMatchObject([{ title: 'Bridges', pinned: true }])
    expect(await tab.read('a')).toMatchObject({ title: 'Bridges' })
  })

  test('shows the end that another tab reached, even when it is notified twice before the first is shown', async () => {
    const shelf = createMemoryShelf()
    const begun = conversation('a', message('1'))
    const tab = await openTab(shelf)
    await tab.save(begun)
    const other = await openTab(shelf)
    const asked = withMessage((await other.read('a')) ?? begun, 0, message('2', '1'))
    await other.save(asked)
    const first = await tab.save(begun)
    await other.save(withMessage(asked, 0, message('3', '2')))
    await tab.save(begun)
    expect((await tab.save(first)).leaves).toEqual(['3'])
  })

  test('shows nothing to another user, and removes what it finds of others', { tags: 'S36' }, async () => {
    const shelf = createMemoryShelf()
    await (await openTab(shelf, 7)).save(conversation('a', message('1', null, 'secret')))
    const other = await openTab(shelf, 8)
    expect(other.titles()).toEqual([])
    expect(await other.read('a')).toBeUndefined()
    const left = await shelf.run('readonly', async (records) => [
      ...(await records.ids('summaries')),
      ...(await records.ids('conversations')),
    ])
    expect(left).toEqual([])
  })

  test.each([
    ['a summary that no longer fits', 'summaries', { id: 'a' }],
    ['a conversation that no longer fits', 'conversations', { id: 'a', messages: 'none' }],
  ] as const)('reads %s as absent', async (_, table, value) => {
    const shelf = createMemoryShelf()
    await (await openTab(shelf)).save(conversation('a', message('1')))
    await shelf.run('readwrite', async (records) => records.put(table, 'a', value))
    expect(await (await openTab(shelf)).read('a')).toBeUndefined()
  })

  test('reports what could not be stored, and continues when it can', async () => {
    const shelf = createMemoryShelf()
    let full = true
    const tab = await openTab({
      ...shelf,
      run: (mode, work) =>
        full && mode === 'readwrite'
          ? Promise.reject(new DOMException('', 'QuotaExceededError'))
          : shelf.run(mode, work),
    })
    const saved = conversation('a', message('1'))
    expect(await tab.save(saved)).toBe(saved)
    expect(tab.get()).toEqual({ entries: [], failed: true })
    full = false
    await tab.save(saved)
    expect(tab.get()).toMatchObject({ entries: [{ id: 'a' }], failed: false })
  })
})

describe('two tabs', () => {
  async function twoTabs() {
    const shelf = createMemoryShelf()
    const one = await openTab(shelf)
    const begun = conversation('a', message('1'))
    await one.save(begun)
    const two = await openTab(shelf)
    const read = await two.read('a')
    if (read === undefined) throw new Error('the other tab sees nothing')
    return { one, two, begun, read: await two.save(read) }
  }

  test('write nothing when nothing changed', async () => {
    const { one, two, begun, read } = await twoTabs()
    const revisions = () => one.get().entries.map(({ revision }) => revision)
    const before = revisions()
    expect(await one.save(begun)).toBe(begun)
    expect(await two.save(read)).toBe(read)
    await one.refresh()
    expect(revisions()).toEqual(before)
    expect(two.announced).toEqual([])
  })

  test('that both ask something keep both questions, and each is notified of the other', async () => {
    const { one, two, begun, read } = await twoTabs()
    await one.save(withMessage(begun, 0, message('from one', '1')))
    const here = withMessage(read, 0, message('from two', '1'))
    const met = await two.save(here)
    expect(met.messages.map(({ id }) => id)).toEqual(['1', 'from two', 'from one'])
    expect(met.leaves).toEqual(['from two'])
    expect(one.announced).toEqual(['a', 'a'])
    expect(two.announced).toEqual(['a'])
  })

  test('keep changes from elsewhere even if the screen continued without them', async () => {
    const { one, two, begun, read } = await twoTabs()
    await one.save(withMessage(begun, 0, message('from one', '1')))
    const here = withMessage(read, 0, message('from two', '1'))
    await two.save(here)
    const met = await two.save(withEdit(here, 'from two', 'better', 2))
    expect(met.messages.map(({ content }) => content)).toEqual(['1', 'better', 'from one'])
  })

  test('do not bring back what one of them removed', async () => {
    const { one, two, begun, read } = await twoTabs()
    const asked = withMessage(begun, 0, message('2', '1'))
    await one.save(asked)
    const seen = await two.save(read)
    expect(seen.messages).toHaveLength(2)
    await two.save(seen)
    await one.save(withoutMessage(asked, '1'))
    const met = await two.save(withMessage(seen, 0, message('3', '2')))
    expect(met.messages.map(({ id, parent }) => [id, parent])).toEqual([
      ['2', null],
      ['3', '2'],
    ])
  })

  test('a conversation deleted in one tab stays deleted until the other continues it', async () => {
    const { one, two, read } = await twoTabs()
    await one.remove(['a'])
    await two.save(read)
    await one.refresh()
    expect(one.titles()).toEqual([])
    await two.save(withMessage(read, 0, message('2', '1')))
    await one.refresh()
    expect(one.titles()).toEqual(['1'])
  })
})
