import { expect, test } from 'vitest'
import { defaultEndpoints, ENDPOINTS } from './endpoints.ts'
import { CHANNEL_KINDS } from './kind-rows.ts'

test('every endpoint has a name, a number and a path of its own', () => {
  for (const member of ['id', 'name', 'path'] as const) {
    expect(new Set(ENDPOINTS.map((endpoint) => endpoint[member])).size).toBe(ENDPOINTS.length)
  }
})

test('every type is asked through known endpoints, and whoever chats also through the two other chat formats', () => {
  const known = ENDPOINTS.map(({ name }) => name)
  for (const { code } of CHANNEL_KINDS) {
    const names = defaultEndpoints(code)
    expect(known).toEqual(expect.arrayContaining([...names]))
    expect(names).toContain('chat_completions')
    expect(names.includes('claude_messages')).toBe(code !== 38)
  }
  expect(defaultEndpoints(35)).toEqual([
    'chat_completions',
    'embeddings',
    'audio_transcription',
    'rerank',
    'response_api',
    'claude_messages',
  ])
  expect(defaultEndpoints(0)).toEqual([])
})
