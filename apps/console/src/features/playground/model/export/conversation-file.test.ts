import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ChatMessage, Conversation } from '../message.ts'
import { digestInName, type ExportChoice, exportedFile, type ExportWords } from './conversation-file.ts'

const words: ExportWords = {
  user: 'User',
  assistant: 'Assistant',
  system: 'System',
  error: 'Error',
  reasoning: 'Reasoning',
  imageLeftOut: '[image left out]',
  image: 'image',
}
const all: ExportChoice = { format: 'json', images: true, reasoning: true }

const message = (id: string, parent: string | null, changes: Partial<ChatMessage>): ChatMessage => ({
  id,
  parent,
  role: 'user',
  content: '',
  reasoning_content: null,
  timestamp: 1_700_000_000_000,
  ...changes,
})
const PICTURE = 'data:image/jpeg;base64,AA=='
const conversation: Conversation = {
  id: 'c',
  timestamp: new Date(2026, 10, 21).getTime(),
  createdBy: 'root',
  title: '',
  messages: [
    message('q', null, {
      content: [
        { type: 'text', text: 'What is "this"?' },
        { type: 'image_url', image_url: { url: PICTURE } },
      ],
    }),
    message('a', 'q', { role: 'assistant', model: 'm1', content: 'A cat.', reasoning_content: 'Ears.\n\nTail.' }),
    message('b', 'q', { role: 'error', model: 'm2', content: 'Overloaded', error: true }),
  ],
  leaves: ['a'],
}

describe('an exported conversation', () => {
  it('is JSON with every branch, named after the first question and a digest of the content', { tags: 'C2.55' }, () => {
    const file = exportedFile(conversation, all, words)
    expect(JSON.parse(file.text)).toEqual(conversation)
    expect(file.digest).toBe(createHash('sha256').update(file.text).digest('hex'))
    expect(file.name).toBe(`what-is-this-${file.digest.slice(0, 16)}.json`)
    expect(file.size).toBe(Buffer.byteLength(file.text))
  })

  it('is Markdown of what is shown', () => {
    expect(exportedFile({ ...conversation, title: 'Cats' }, { ...all, format: 'markdown' }, words).text).toBe(
      [
        '# Cats',
        '## User',
        'What is "this"?',
        `![image 1](${PICTURE})`,
        '## Assistant (m1)',
        '> **Reasoning**\n>\n> Ears.\n>\n> Tail.',
        'A cat.\n',
      ].join('\n\n'),
    )
  })

  it('shows both columns, and errors as what they are', () => {
    const compared = { ...conversation, leaves: ['a', 'b'] }
    const { text } = exportedFile(compared, { format: 'markdown', images: true, reasoning: true }, words)
    expect(text.split('\n\n---\n\n')[1]).toMatch(/^## User\n[^]*\n## Error \(m2\)\n\n> Overloaded\n$/)
  })

  it('leaves out images and reasoning on request', () => {
    const { text } = exportedFile(conversation, { format: 'json', images: false, reasoning: false }, words)
    const { messages }: Conversation = JSON.parse(text)
    expect(messages[0]?.content).toBe('What is "this"?\n\n[image left out]')
    expect(messages[1]?.reasoning_content).toBeNull()
  })

  it.each([
    ['Über/..\\“Größe”: 10 €?', 'über-größe-10-'],
    ['???', 'conversation-2026-11-21-'],
    ['x'.repeat(300), `${'x'.repeat(40)}-`],
    ['\u{20000}'.repeat(300), `${'\u{20000}'.repeat(40)}-`],
  ])('has a name that every file system accepts: %s', (title, beginning) => {
    const { name, digest } = exportedFile({ ...conversation, title }, all, words)
    expect(name).toBe(`${beginning}${digest.slice(0, 16)}.json`)
  })

  it('reads the digest from its name, even if the browser changed that', () => {
    const { name, digest } = exportedFile(conversation, all, words)
    expect(digestInName(name)).toBe(digest.slice(0, 16))
    expect(digestInName(name.replace('.json', ' (1).json'))).toBe(digest.slice(0, 16))
    expect(digestInName('conversation.json')).toBeUndefined()
  })
})
