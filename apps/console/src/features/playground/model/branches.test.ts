import { describe, expect, it } from 'vitest'
import {
  newestLeaf,
  pathTo,
  siblingsOf,
  withBranch,
  withEdit,
  withFigures,
  withMessageInColumns,
  withoutMessage,
} from './branches.ts'
import type { ChatMessage, Conversation } from './message.ts'

function message(id: string, parent: string | null, role: ChatMessage['role'] = 'user'): ChatMessage {
  return { id, parent, role, content: id, reasoning_content: null, timestamp: 1 }
}

/** q1 was answered by a1 and then by b1; after b1 came q2 with its reply c1. */
const messages = [
  message('q1', null),
  message('a1', 'q1', 'assistant'),
  message('b1', 'q1', 'assistant'),
  message('q2', 'b1'),
  message('c1', 'q2', 'assistant'),
]
const talk = (leaves: Conversation['leaves'], of = messages): Conversation => {
  return { id: 'talk', timestamp: 1, createdBy: 'ann', messages: of, leaves, title: '' }
}
const idsOf = (path: readonly ChatMessage[]) => path.map(({ id }) => id).join(' ')

describe('a path', () => {
  it('goes from the beginning to the end of one branch', () => {
    expect(idsOf(pathTo(messages, 'c1'))).toBe('q1 b1 q2 c1')
    expect(idsOf(pathTo(messages, 'a1'))).toBe('q1 a1')
  })

  it('is empty where nothing is shown yet', () => {
    expect(pathTo(messages, null)).toEqual([])
    expect(pathTo(messages, 'gone')).toEqual([])
  })

  it('begins where a parent is missing, and ends in a ring', () => {
    expect(idsOf(pathTo([message('x', 'gone'), message('y', 'x')], 'y'))).toBe('x y')
    expect(idsOf(pathTo([message('x', 'y'), message('y', 'x')], 'y'))).toBe('x y')
  })
})

describe('a branch', () => {
  it('is next to the messages that have the same parent', () => {
    expect(idsOf(siblingsOf(messages, message('a1', 'q1')))).toBe('a1 b1')
  })

  it('ends with the newest of what followed', () => {
    expect(newestLeaf(messages, 'q1')).toBe('c1')
    expect(newestLeaf([...messages, message('d1', 'q1')], 'q1')).toBe('d1')
    expect(newestLeaf(messages, 'a1')).toBe('a1')
    expect(['x', 'y']).toContain(newestLeaf([message('x', 'y'), message('y', 'x')], 'y'))
  })

  it('is shown to its end in only one column', () => {
    expect(withBranch(talk(['a1', 'a1']), 1, 'b1').leaves).toEqual(['a1', 'c1'])
  })

  it('grows in every column that shares its question', () => {
    const grown = withMessageInColumns(talk(['a1', 'c1', 'a1']), [0, 2], message('q3', 'a1'))
    expect(grown.leaves).toEqual(['q3', 'c1', 'q3'])
    expect(idsOf(pathTo(grown.messages, 'q3'))).toBe('q1 a1 q3')
  })
})

describe('a change to one message', () => {
  it('replaces content and time when it is edited', { tags: 'C4.20' }, () => {
    const edited = withEdit(talk(['c1']), 'q2', 'else', 99)
    expect(edited.messages.find(({ id }) => id === 'q2')).toMatchObject({
      content: 'else',
      timestamp: 99,
      parent: 'b1',
    })
    expect(edited.messages.filter((each, at) => each !== messages[at])).toHaveLength(1)
  })

  it('adds to the figures of a reply, and to nothing without figures', () => {
    const figures = { requestId: 'r', totalMs: 5 }
    const shown = talk(['a1'], [message('q1', null), { ...message('a1', 'q1', 'assistant'), figures }])
    expect(withFigures(shown, 'a1', { cost: '12' }).messages[1]?.figures).toEqual({ ...figures, cost: '12' })
    expect(withFigures(shown, 'q1', { cost: '12' }).messages[0]).not.toHaveProperty('figures')
  })
})

describe('a removal', () => {
  it('attaches what followed to what came before', { tags: 'C4.20' }, () => {
    const left = withoutMessage(talk(['c1']), 'b1')
    expect(idsOf(pathTo(left.messages, left.leaves[0] ?? null))).toBe('q1 q2 c1')
  })

  it('shows the branch next to it at the end of a column, otherwise what came before', () => {
    expect(withoutMessage(talk(['a1']), 'a1').leaves).toEqual(['c1'])
    expect(withoutMessage(talk(['c1', 'a1']), 'c1').leaves).toEqual(['q2', 'a1'])
    expect(withoutMessage(talk(['q1'], messages.slice(0, 1)), 'q1').leaves).toEqual([null])
  })

  it('never gives a column what another one shows', () => {
    expect(withoutMessage(talk(['a1', 'c1']), 'a1').leaves).toEqual(['q1', 'c1'])
    expect(withoutMessage(talk(['a1', 'a1']), 'a1').leaves).toEqual(['c1', 'c1'])
  })

  it('of a message that two branches follow keeps both, and every column where it was', () => {
    const left = withoutMessage(talk(['a1', 'c1']), 'q1')
    expect(left.leaves).toEqual(['a1', 'c1'])
    expect(left.leaves.map((leaf) => idsOf(pathTo(left.messages, leaf)))).toEqual(['a1', 'b1 q2 c1'])
    expect(left.messages.filter(({ parent }) => parent === null).map(({ id }) => id)).toEqual(['a1', 'b1'])
  })

  it('of a missing message changes nothing', () => {
    const same = talk(['c1'])
    expect(withoutMessage(same, 'gone')).toBe(same)
  })
})
