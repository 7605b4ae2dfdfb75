import { describe, expect, test } from 'vitest'
import type { Conversation, MessageContent } from '../message.ts'
import { beyondLimits, bytesOf, type Summary, TITLE_MAX, titleOf } from './conversation-summary.ts'

describe('the title of a conversation', () => {
  const asked = (content: MessageContent, title = ''): Conversation => ({
    id: 'a',
    timestamp: 1,
    createdBy: 'alice',
    messages: [{ id: '1', parent: null, role: 'user', content, reasoning_content: null, timestamp: 1 }],
    leaves: ['1'],
    title,
  })
  const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } } as const

  test.each([
    ['the first question on one line', asked('  Why?\n\nBecause '), 'Why? Because'],
    ['a given one', asked('Why?', 'Reasons'), 'Reasons'],
    ['the text beside a picture', asked([{ type: 'text', text: 'What is it?' }, picture]), 'What is it?'],
    ['nothing for a picture alone', asked([picture]), ''],
    ['nothing before the first question', { ...asked(''), messages: [] }, ''],
  ])('is %s', (_, conversation, title) => {
    expect(titleOf(conversation)).toBe(title)
  })

  test('is cut between letters', () => {
    const title = titleOf(asked('👍🏽'.repeat(100)))
    expect(Array.from(title).length).toBeLessThanOrEqual(TITLE_MAX)
    expect(title.isWellFormed()).toBe(true)
    expect(title.endsWith('…')).toBe(true)
    expect(titleOf(asked('x'.repeat(TITLE_MAX)))).toBe('x'.repeat(TITLE_MAX))
    expect(Array.from(titleOf(asked('Why?', 'x'.repeat(1_000_000))))).toHaveLength(TITLE_MAX)
  })
})

describe('the limits', () => {
  const entry = (id: string, changedAt: number, more: Partial<Summary> = {}): Summary => ({
    id,
    owner: 1,
    title: id,
    startedAt: 0,
    changedAt,
    pinned: false,
    messages: 1,
    bytes: 10,
    revision: 1,
    ...more,
  })
  const limits = { conversations: 2, bytes: 100 }

  test('drop the oldest first, pinned ones last, and never the one that is being written', () => {
    const all = [entry('old', 1, { pinned: true }), entry('b', 2), entry('c', 3), entry('d', 4)]
    expect(beyondLimits(all, 'd', limits)).toEqual(['b', 'c'])
    expect(beyondLimits(all, 'b', limits)).toEqual(['c', 'd'])
    expect(beyondLimits(all.slice(2), 'c', limits)).toEqual([])
    expect(beyondLimits(all, 'd', { conversations: 1, bytes: 100 })).toEqual(['b', 'c', 'old'])
  })

  test('count everything that can be long, such as what arrived of a reply that failed', () => {
    const long = 'x'.repeat(10_000)
    const message = {
      id: '1',
      parent: null,
      reasoning_content: null,
      timestamp: 1,
      role: 'error',
      content: '',
    } as const
    const of = (more: object, title = '') =>
      bytesOf({ id: 'a', timestamp: 1, createdBy: '', leaves: [null], title, messages: [{ ...message, ...more }] })
    const parts = [{ content: long }, { reasoning_content: long }, { arrived: long }]
    for (const more of parts) expect(of(more)).toBeGreaterThan(long.length)
    expect(of({}, long)).toBeGreaterThan(long.length)
  })

  test('apply to the total size', () => {
    const all = [entry('a', 1, { bytes: 50 }), entry('b', 2, { bytes: 60 })]
    expect(beyondLimits(all, 'b', limits)).toEqual(['a'])
    expect(beyondLimits([entry('a', 1, { bytes: 500 })], 'a', limits)).toEqual([])
  })
})
