import { describe, expect, it } from 'vitest'
import { importFile, MOST_IMPORT_BYTES, readConversation } from './import-file.ts'
import { sha256 } from './sha256.ts'

const parts = { newId: () => 'new', now: 0 }
const CONTENT = JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] })
const digest = sha256(new TextEncoder().encode(CONTENT)).slice(0, 16)

describe('importing a file', () => {
  it.each([
    [`hi-${digest}.json`, false],
    [`hi-${digest} (2).json`, false],
    ['hi.json', false],
    [`hi-${'0'.repeat(16)}.json`, true],
  ])('%s was altered: %s', async (name, altered) => {
    expect(await importFile(new File([CONTENT], name), parts)).toMatchObject({ ok: true, altered })
  })

  it('accepts no more than 50 MB', async () => {
    expect(MOST_IMPORT_BYTES).toBe(50 * 1024 * 1024)
    const result = await importFile(new File([new Uint8Array(MOST_IMPORT_BYTES + 1)], 'a.json'), parts)
    expect(result).toEqual({ ok: false, problem: 'too-large' })
  })

  it('says so when the file no longer exists', async () => {
    class Gone extends File {
      override arrayBuffer(): Promise<ArrayBuffer> {
        return Promise.reject(new DOMException('gone', 'NotFoundError'))
      }
    }
    expect(await importFile(new Gone([], 'a.json'), parts)).toEqual({ ok: false, problem: 'unreadable' })
  })
})

function read(value: unknown) {
  let last = 0
  return readConversation(typeof value === 'string' ? value : JSON.stringify(value), {
    newId: () => `n${(last += 1)}`,
    now: 1_000,
  })
}
const conversationOf = (value: unknown) => {
  const result = read(value)
  if (!result.ok) throw new Error(result.problem)
  return result.conversation
}

describe('reading a conversation', () => {
  it('keeps branches, and gives new ids', () => {
    const { id, messages, leaves } = conversationOf({
      messages: [
        { id: 'q', parent: null, role: 'user', content: 'Hi', timestamp: 5 },
        { id: 'a', parent: 'q', role: 'assistant', model: 'm', content: '1', timestamp: 6 },
        { id: 'b', parent: 'q', role: 'assistant', content: '2', timestamp: 7 },
      ],
      leaves: ['a', 'b'],
    })
    expect(messages.map((message) => [message.id, message.parent, message.content])).toEqual([
      ['n1', null, 'Hi'],
      ['n2', 'n1', '1'],
      ['n3', 'n1', '2'],
    ])
    expect(leaves).toEqual(['n2', 'n3'])
    expect(id).toBe('n4')
  })

  it('reads files from other programs: messages that follow one another', { tags: 'C3.23' }, () => {
    const { messages, leaves, createdBy, timestamp } = conversationOf({
      model: 'gpt-5',
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        { role: 'assistant', content: 'Hello.', timestamp: 3 },
      ],
    })
    expect(messages.map((message) => [message.role, message.parent, message.timestamp])).toEqual([
      ['system', null, 1_000],
      ['user', 'n1', 1_000],
      ['assistant', 'n2', 3],
    ])
    expect([leaves, createdBy, timestamp]).toEqual([['n3'], 'unknown', 1_000])
  })

  it.each([
    ['', 'not-json', undefined],
    ['# Title', 'not-json', undefined],
    ['1', 'no-conversation', ''],
    ['[]', 'no-conversation', 'messages'],
    ['{}', 'no-conversation', 'messages'],
    ['{"messages":[]}', 'no-conversation', 'messages'],
    [
      '{"messages":[{"role":"user","content":"a"},{"role":"tool","content":"b"}]}',
      'no-conversation',
      'messages.1.role',
    ],
  ])('says what is wrong with %s', (text, problem, place) => {
    expect(read(text)).toEqual({ ok: false, problem, ...(place !== undefined && { place }) })
  })

  it('accepts no remote picture, because loading it would reveal the reader to its host', { tags: 'S14' }, () => {
    const withPicture = (url: string) => ({
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
    })
    expect(read(withPicture('data:image/png;base64,AA==')).ok).toBe(true)
    const foreign = ['https://evil.test/a.png', 'http://10.0.0.1/', 'data:text/html,<script>', 'javascript:alert(1)']
    expect(foreign.map((url) => read(withPicture(url)).ok)).toEqual([false, false, false, false])
  })

  it('survives messages that follow each other in a cycle, twice, or not at all', () => {
    const ring = [
      { id: 'a', parent: 'b', role: 'user', content: '1' },
      { id: 'b', parent: 'a', role: 'user', content: '2' },
    ]
    expect(conversationOf({ messages: ring }).messages).toHaveLength(2)
    const twice = [
      { id: 'a', parent: null, role: 'user', content: '1' },
      { id: 'a', parent: 'a', role: 'user', content: '2' },
    ]
    expect(conversationOf({ messages: twice }).messages.map(({ parent }) => parent)).toEqual([null, 'n1'])
    const lost = [{ id: 'a', parent: 'gone', role: 'user', content: '1' }]
    expect(conversationOf({ messages: lost, leaves: ['gone'] })).toMatchObject({ leaves: ['n1'] })
  })
})
