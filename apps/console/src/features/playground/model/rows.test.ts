import { describe, expect, it } from 'vitest'
import { withoutMessage } from './branches.ts'
import type { ChatMessage, Conversation } from './message.ts'
import { lastReply, liveKey, rowsOf, withMessageBack } from './rows.ts'

const message = (id: string, parent: string | null, role: ChatMessage['role']): ChatMessage => ({
  id,
  parent,
  role,
  content: id,
  reasoning_content: null,
  timestamp: 1,
})
const messages = [
  message('q1', null, 'user'),
  message('a1', 'q1', 'assistant'),
  message('b1', 'q1', 'assistant'),
  message('q2', 'b1', 'user'),
]
const conversation: Conversation = {
  id: 'c',
  timestamp: 1,
  createdBy: 'ann',
  messages,
  leaves: ['q2', 'a1'],
  title: '',
}

describe('the rows of a column', () => {
  it('are its branch, each with its position among its siblings', () => {
    expect(rowsOf({ ...conversation, leaves: ['q2'] }, 0)).toMatchObject([
      { key: 'start', message: { id: 'q1' }, place: 1, places: 1, previous: undefined, next: undefined },
      { key: 'q1', message: { id: 'b1' }, place: 2, places: 2, previous: 'a1', next: undefined },
      { key: 'b1', message: { id: 'q2' }, place: 1, places: 1 },
    ])
  })

  it('keep their keys when another branch is shown', () => {
    const other = { ...conversation, leaves: ['a1'] }
    expect(rowsOf(other, 0)[1]).toMatchObject({ key: 'q1', message: { id: 'a1' }, place: 1, next: 'b1' })
  })

  it('do not count as branches what the other column shows in the same position', () => {
    expect(rowsOf(conversation, 1)[1]).toMatchObject({ message: { id: 'a1' }, place: 1, places: 1, next: undefined })
  })

  it('say whether a question precedes them', () => {
    const alone = { ...conversation, messages: [message('a0', null, 'assistant'), message('q', 'a0', 'user')] }
    expect(rowsOf({ ...alone, leaves: ['q'] }, 0).map(({ answers }) => answers)).toEqual([false, false])
    expect(rowsOf(conversation, 0).map(({ answers }) => answers)).toEqual([false, true, true])
  })

  it('end where the next reply arrives', () => {
    expect(liveKey(conversation, 0)).toBe('q2')
    expect(liveKey({ ...conversation, leaves: [null] }, 0)).toBe('start')
  })

  it('have a last reply, and a failure in its place counts', () => {
    expect(lastReply(rowsOf(conversation, 0))?.message.id).toBe('b1')
    const failed = { ...conversation, messages: [...messages, message('e', 'q2', 'error')], leaves: ['e'] }
    expect(lastReply(rowsOf(failed, 0))?.message.id).toBe('e')
  })
})

describe('a message that is restored', () => {
  it('is where it was before', () => {
    for (const { id } of messages) {
      expect(withMessageBack(withoutMessage(conversation, id), conversation, id)).toEqual(conversation)
    }
  })

  it('is shown again where it was the last one, and leaves what was added since', () => {
    const without = withoutMessage(conversation, 'a1')
    const later = {
      ...without,
      messages: [...without.messages, message('a2', 'q2', 'assistant')],
      leaves: ['a2', without.leaves[1] ?? null],
    }
    const back = withMessageBack(later, conversation, 'a1')
    expect(back.messages.map(({ id }) => id)).toEqual(['q1', 'a1', 'b1', 'q2', 'a2'])
    expect(back.leaves).toEqual(['a2', 'a1'])
  })

  it('is not restored twice', () => {
    expect(withMessageBack(conversation, conversation, 'a1')).toBe(conversation)
  })
})
