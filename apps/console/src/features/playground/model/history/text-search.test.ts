import { expect, test } from 'vitest'
import { newConversation } from '../message.ts'
import type { Summary } from './conversation-summary.ts'
import { createTextSearch, hitIn } from './text-search.ts'

test('shows the text around a match, ignoring case', () => {
  expect(hitIn('A short text', 'SHORT')).toEqual({ before: 'A ', match: 'short', after: ' text' })
  expect(hitIn(`${'x'.repeat(50)} here`, 'here')?.before).toBe(`…${'x'.repeat(29)} `)
  expect(hitIn('A short text', 'long')).toBeUndefined()
  expect(hitIn('A short text', '')).toBeUndefined()
})

const entry = (id: string, revision: number): Summary => {
  return { id, owner: 1, title: id, startedAt: 0, changedAt: 0, pinned: false, messages: 2, bytes: 1, revision }
}

/** In these conversations, every message contains its id; counts reads. */
function shelf() {
  const reads: string[] = []
  const read = async (id: string) => {
    reads.push(id)
    const said = (role: 'user' | 'error', content: string) => {
      return { id: role, parent: null, role, content, reasoning_content: null, timestamp: 1 }
    }
    return {
      ...newConversation({ id, timestamp: 1, createdBy: 'alice' }, 1),
      messages: [said('user', `about ${id}`), said('error', 'failed')],
    }
  }
  return { reads, read }
}

test('finds conversations by their messages, and reads one again only when it changed', async () => {
  const { reads, read } = shelf()
  const search = createTextSearch(read)
  const never = new AbortController().signal
  expect([...(await search([entry('locks', 1), entry('weirs', 1)], 'about we', never)).keys()]).toEqual(['weirs'])
  expect((await search([entry('locks', 1), entry('weirs', 2)], 'locks failed', never)).get('locks')).toEqual({
    before: 'about ',
    match: 'locks failed',
    after: '',
  })
  expect(reads).toEqual(['locks', 'weirs', 'weirs'])
})

test('stops when it is aborted', async () => {
  const { reads, read } = shelf()
  await createTextSearch(read)([entry('a', 1), entry('b', 1)], 'about', AbortSignal.abort())
  expect(reads).toEqual(['a'])
})
