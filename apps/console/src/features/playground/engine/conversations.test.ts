import { describe, expect, it } from 'vitest'
import { type Conversation, newConversation } from '../model/message.ts'
import { askedByHand, COMPLETE, SETUP } from './asked-by-hand.ts'

const stored = (id: string): Conversation => ({
  ...newConversation({ id, timestamp: 1, createdBy: 'ann' }, 1),
  messages: [{ id: 'q', parent: null, role: 'user', content: 'Before', reasoning_content: null, timestamp: 1 }],
  leaves: ['q'],
})

describe('a new conversation', () => {
  it('has an id, a time and a creator of its own, and clearing removes the one before [C4.19]', () => {
    const { playground, kept, tick, shows } = askedByHand(stored('old'))
    playground.rename('Mine')
    expect([...kept.keys()]).toEqual(['old'])
    tick(500)
    playground.clear()
    expect(kept.size).toBe(0)
    const { conversation } = playground.get()
    expect(conversation).toMatchObject({ timestamp: 1_500, createdBy: 'ann', messages: [], leaves: [null], title: '' })
    expect(conversation.id).not.toBe('old')
    expect(shows()).toEqual([])
  })

  it('is stored from its first message on, and no longer when it has none', () => {
    const { playground, kept, idAt } = askedByHand()
    playground.rename('Nothing yet')
    playground.compare(2)
    expect(kept.size).toBe(0)
    playground.compare(1)
    playground.send('Hi', SETUP)
    playground.stop()
    expect([...kept.values()]).toMatchObject([{ title: 'Nothing yet', messages: [{ content: 'Hi' }] }])
    playground.remove(idAt(0))
    expect(kept.size).toBe(0)
  })

  it('takes nothing of a reply that was on its way when the one before was cleared', async () => {
    const { playground, last, kept, shows, notes } = askedByHand()
    playground.send('Hi', SETUP)
    last().say('text', 'Hel')
    playground.clear()
    expect([last().signal.aborted, playground.get().busy]).toEqual([true, false])
    await last().end(COMPLETE)
    expect([shows(), kept.size, notes]).toEqual([[], 0, []])
  })

  it('leaves the one before as it is, with what had arrived of a reply', () => {
    const { playground, last, kept, shows } = askedByHand()
    const { id } = playground.get().conversation
    playground.send('Hi', SETUP)
    last().say('text', 'Hel')
    playground.begin()
    expect(shows()).toEqual([])
    expect(kept.get(id)?.messages).toMatchObject([{ role: 'user' }, { role: 'assistant', content: 'Hel' }])
  })
})

describe('a stored conversation', () => {
  it('is shown without being stored again', () => {
    const { playground, shows, keeps } = askedByHand()
    playground.open(stored('old'))
    expect(shows()).toEqual(['user: Before'])
    expect(keeps()).toBe(0)
  })

  it('is stored again when a clearing is undone', () => {
    const { playground, kept } = askedByHand(stored('old'))
    const before = playground.get().conversation
    playground.clear()
    playground.open(before)
    expect(kept.get('old')).toBe(before)
  })

  it('as it was before a change leaves the reply on its way', async () => {
    const { playground, last, shows, idAt, kept } = askedByHand(stored('old'))
    const before = playground.get().conversation
    playground.edit(idAt(0), 'Changed')
    playground.send('Hi', SETUP)
    const { conversation } = playground.get()
    const messages = [...before.messages, ...conversation.messages.slice(1)]
    playground.open({ ...conversation, messages })
    last().say('text', 'Hello')
    await last().end(COMPLETE)
    expect(shows()).toEqual(['user: Before', 'user: Hi', 'assistant: Hello'])
    expect(kept.get('old')?.messages).toHaveLength(3)
  })
})

describe('a page that is left', () => {
  it('ends replies on their way and keeps what arrived of them', async () => {
    const { playground, last, kept, shows, notes } = askedByHand()
    playground.send('Hi', SETUP)
    last().say('requestId', 'r-1')
    last().say('text', 'Hel')
    playground.leave()
    playground.leave()
    expect([last().signal.aborted, playground.get().busy, notes]).toEqual([true, false, []])
    await last().end(COMPLETE)
    expect(shows()).toEqual(['user: Hi', 'assistant: Hel'])
    expect([...kept.values()][0]?.messages[1]?.figures?.requestId).toBe('r-1')
  })

  it('shows again what stood in the place of a reply of which nothing had arrived', async () => {
    const { playground, last, shows, idAt } = askedByHand()
    playground.send('Hi', SETUP)
    last().say('text', 'Hello')
    await last().end(COMPLETE)
    playground.regenerate(0, idAt(1), SETUP)
    playground.leave()
    expect(shows()).toEqual(['user: Hi', 'assistant: Hello'])
  })
})

describe('two columns', () => {
  it('share what was said, are asked at once and answer for themselves', async () => {
    const { playground, asked, shows } = askedByHand(stored('old'))
    playground.compare(2)
    playground.send('Hi', SETUP)
    expect(playground.get().conversation.messages).toHaveLength(2)
    expect(asked.map(({ question }) => question.body['model'])).toEqual(['m-1', 'm-2'])
    asked[1]?.say('text', 'Second')
    await asked[1]?.end(COMPLETE)
    expect(playground.get().busy).toBe(true)
    expect(playground.get().columns.map(({ live }) => live === undefined)).toEqual([false, true])
    asked[0]?.say('text', 'First')
    await asked[0]?.end(COMPLETE)
    expect([shows(0).at(-1), shows(1).at(-1)]).toEqual(['assistant: First', 'assistant: Second'])

    playground.send('More', SETUP)
    expect([shows(0).at(-1), shows(1).at(-1)]).toEqual(['user: More', 'user: More'])
    expect(asked[3]?.question.body['messages']).toContainEqual({ role: 'assistant', content: 'Second' })
    playground.stop()
    expect(asked.slice(2).every(({ signal }) => signal.aborted)).toBe(true)
  })

  it('need a model each, and no reply on its way when their number changes', () => {
    const { playground, asked } = askedByHand()
    playground.compare(2)
    expect(playground.send('Hi', { ...SETUP, models: ['m-1', ''] })).toBe(false)
    playground.send('Hi', SETUP)
    playground.compare(1)
    expect([playground.get().columns.length, asked.length]).toEqual([2, 2])
  })

  it('become one again with the branch of the first', async () => {
    const { playground, asked, shows } = askedByHand()
    playground.compare(2)
    playground.send('Hi', SETUP)
    asked[0]?.say('text', 'First')
    asked[1]?.say('text', 'Second')
    await asked[0]?.end(COMPLETE)
    await asked[1]?.end(COMPLETE)
    const second = playground.get().conversation.leaves[1] ?? ''
    playground.compare(1)
    expect([shows(), playground.get().columns.length]).toEqual([['user: Hi', 'assistant: First'], 1])
    playground.showBranch(0, second)
    expect(shows()).toEqual(['user: Hi', 'assistant: Second'])
  })

  it('both answer a changed question that both show', () => {
    const { playground, asked, shows, idAt } = askedByHand(stored('old'))
    playground.compare(2)
    playground.editAndSend(1, idAt(0), 'After', SETUP)
    expect(asked).toHaveLength(2)
    expect([shows(0), shows(1)]).toEqual([['user: After'], ['user: After']])
  })
})
