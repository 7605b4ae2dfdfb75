import { describe, expect, it } from 'vitest'
import { type Conversation, newConversation } from '../model/message.ts'
import { createManualPlayground, COMPLETE, SETUP } from './manual-playground.ts'

const stored = (id: string): Conversation => ({
  ...newConversation({ id, timestamp: 1, createdBy: 'ann' }, 1),
  messages: [{ id: 'q', parent: null, role: 'user', content: 'Before', reasoning_content: null, timestamp: 1 }],
  leaves: ['q'],
})

describe('a new conversation', () => {
  it('has an id, a time and a creator of its own, and clearing removes the previous one', { tags: 'C4.19' }, () => {
    const { playground, saved, tick, shows } = createManualPlayground(stored('old'))
    playground.rename('Mine')
    expect([...saved.keys()]).toEqual(['old'])
    tick(500)
    playground.clear()
    expect(saved.size).toBe(0)
    const { conversation } = playground.get()
    expect(conversation).toMatchObject({ timestamp: 1_500, createdBy: 'ann', messages: [], leaves: [null], title: '' })
    expect(conversation.id).not.toBe('old')
    expect(shows()).toEqual([])
  })

  it('is stored from its first message on, and no longer once it has none', () => {
    const { playground, saved, idAt } = createManualPlayground()
    playground.rename('Nothing yet')
    playground.compare(2)
    expect(saved.size).toBe(0)
    playground.compare(1)
    playground.send('Hi', SETUP)
    playground.stop()
    expect([...saved.values()]).toMatchObject([{ title: 'Nothing yet', messages: [{ content: 'Hi' }] }])
    playground.remove(idAt(0))
    expect(saved.size).toBe(0)
  })

  it('takes nothing from a reply that was arriving when the previous one was cleared', async () => {
    const { playground, last, saved, shows, notes } = createManualPlayground()
    playground.send('Hi', SETUP)
    last().say('text', 'Hel')
    playground.clear()
    expect([last().signal.aborted, playground.get().busy]).toEqual([true, false])
    await last().end(COMPLETE)
    expect([shows(), saved.size, notes]).toEqual([[], 0, []])
  })

  it('leaves the previous one as it is, with what had arrived of a reply', () => {
    const { playground, last, saved, shows } = createManualPlayground()
    const { id } = playground.get().conversation
    playground.send('Hi', SETUP)
    last().say('text', 'Hel')
    playground.begin()
    expect(shows()).toEqual([])
    expect(saved.get(id)?.messages).toMatchObject([{ role: 'user' }, { role: 'assistant', content: 'Hel' }])
  })
})

describe('a stored conversation', () => {
  it('is shown without being stored again', () => {
    const { playground, shows, saves } = createManualPlayground()
    playground.open(stored('old'))
    expect(shows()).toEqual(['user: Before'])
    expect(saves()).toBe(0)
  })

  it('is stored again when clearing it is undone', () => {
    const { playground, saved } = createManualPlayground(stored('old'))
    const before = playground.get().conversation
    playground.clear()
    playground.open(before)
    expect(saved.get('old')).toBe(before)
  })

  it('keeps a reply that is arriving when a change is undone', async () => {
    const { playground, last, shows, idAt, saved } = createManualPlayground(stored('old'))
    const before = playground.get().conversation
    playground.edit(idAt(0), 'Changed')
    playground.send('Hi', SETUP)
    const { conversation } = playground.get()
    const messages = [...before.messages, ...conversation.messages.slice(1)]
    playground.open({ ...conversation, messages })
    last().say('text', 'Hello')
    await last().end(COMPLETE)
    expect(shows()).toEqual(['user: Before', 'user: Hi', 'assistant: Hello'])
    expect(saved.get('old')?.messages).toHaveLength(3)
  })
})

describe('leaving the page', () => {
  it('ends arriving replies and keeps what has arrived', async () => {
    const { playground, last, saved, shows, notes } = createManualPlayground()
    playground.send('Hi', SETUP)
    last().say('requestId', 'r-1')
    last().say('text', 'Hel')
    playground.leave()
    playground.leave()
    expect([last().signal.aborted, playground.get().busy, notes]).toEqual([true, false, []])
    await last().end(COMPLETE)
    expect(shows()).toEqual(['user: Hi', 'assistant: Hel'])
    expect([...saved.values()][0]?.messages[1]?.figures?.requestId).toBe('r-1')
  })

  it('restores the message that a reply was to replace if nothing of it had arrived', async () => {
    const { playground, last, shows, idAt } = createManualPlayground()
    playground.send('Hi', SETUP)
    last().say('text', 'Hello')
    await last().end(COMPLETE)
    playground.regenerate(0, idAt(1), SETUP)
    playground.leave()
    expect(shows()).toEqual(['user: Hi', 'assistant: Hello'])
  })
})

describe('two columns', () => {
  it('share the conversation so far, are asked at once and answer separately', async () => {
    const { playground, questions, shows } = createManualPlayground(stored('old'))
    playground.compare(2)
    playground.send('Hi', SETUP)
    expect(playground.get().conversation.messages).toHaveLength(2)
    expect(questions.map(({ question }) => question.body['model'])).toEqual(['m-1', 'm-2'])
    questions[1]?.say('text', 'Second')
    await questions[1]?.end(COMPLETE)
    expect(playground.get().busy).toBe(true)
    expect(playground.get().columns.map(({ live }) => live === undefined)).toEqual([false, true])
    questions[0]?.say('text', 'First')
    await questions[0]?.end(COMPLETE)
    expect([shows(0).at(-1), shows(1).at(-1)]).toEqual(['assistant: First', 'assistant: Second'])

    playground.send('More', SETUP)
    expect([shows(0).at(-1), shows(1).at(-1)]).toEqual(['user: More', 'user: More'])
    expect(questions[3]?.question.body['messages']).toContainEqual({ role: 'assistant', content: 'Second' })
    playground.stop()
    expect(questions.slice(2).every(({ signal }) => signal.aborted)).toBe(true)
  })

  it('need a model each, and no arriving reply when their number changes', () => {
    const { playground, questions } = createManualPlayground()
    playground.compare(2)
    expect(playground.send('Hi', { ...SETUP, models: ['m-1', ''] })).toBe(false)
    playground.send('Hi', SETUP)
    playground.compare(1)
    expect([playground.get().columns.length, questions.length]).toEqual([2, 2])
  })

  it('become one again with the branch of the first', async () => {
    const { playground, questions, shows } = createManualPlayground()
    playground.compare(2)
    playground.send('Hi', SETUP)
    questions[0]?.say('text', 'First')
    questions[1]?.say('text', 'Second')
    await questions[0]?.end(COMPLETE)
    await questions[1]?.end(COMPLETE)
    const second = playground.get().conversation.leaves[1] ?? ''
    playground.compare(1)
    expect([shows(), playground.get().columns.length]).toEqual([['user: Hi', 'assistant: First'], 1])
    playground.showBranch(0, second)
    expect(shows()).toEqual(['user: Hi', 'assistant: Second'])
  })

  it('both answer a changed question that both show', () => {
    const { playground, questions, shows, idAt } = createManualPlayground(stored('old'))
    playground.compare(2)
    playground.editAndSend(1, idAt(0), 'After', SETUP)
    expect(questions).toHaveLength(2)
    expect([shows(0), shows(1)]).toEqual([['user: After'], ['user: After']])
  })
})
