import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { chatMessage, contentOf, imagesOf, textOf } from './message.ts'

const MESSAGE = { id: 'm', parent: null, role: 'user', content: 'Hi', reasoning_content: null, timestamp: 1 }
const IMAGE = 'data:image/png;base64,AA=='
const isMessage = (change: object) => v.safeParse(chatMessage, { ...MESSAGE, ...change }).success

describe('a message', () => {
  it('has one of four roles', { tags: 'C3.22' }, () => {
    for (const role of ['user', 'assistant', 'system', 'error']) expect(isMessage({ role })).toBe(true)
    expect(isMessage({ role: 'tool' })).toBe(false)
  })

  it('has a text, or a list of texts and embedded pictures', { tags: 'C3.22' }, () => {
    const parts = contentOf('Look', [IMAGE])
    expect(parts).toEqual([
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: IMAGE } },
    ])
    expect(isMessage({ content: parts })).toBe(true)
    expect([textOf(parts), imagesOf(parts), contentOf('Look', [])]).toEqual(['Look', [IMAGE], 'Look'])
    expect(isMessage({ content: [{ type: 'image_url', image_url: { url: 'https://elsewhere/a.png' } }] })).toBe(false)
  })

  it('has reasoning or null, its model if it is a reply, and its mark if it is an error', { tags: 'C3.22' }, () => {
    expect(isMessage({ role: 'assistant', reasoning_content: 'Hm', model: 'm-1' })).toBe(true)
    expect(isMessage({ reasoning_content: undefined })).toBe(false)
    expect(isMessage({ role: 'error', error: true })).toBe(true)
    expect(isMessage({ role: 'error', error: 'yes' })).toBe(false)
    expect(isMessage({ timestamp: undefined })).toBe(false)
  })
})
