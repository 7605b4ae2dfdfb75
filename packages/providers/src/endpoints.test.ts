import { describe, expect, test } from 'vitest'
import { defaultEndpoints, ENDPOINTS } from './endpoints.ts'
import { CHANNEL_KINDS } from './kind-rows.ts'
import { waysOf } from './ways/ways.ts'

test('every endpoint has a name, a number and a path of its own', () => {
  for (const member of ['id', 'name', 'path'] as const) {
    expect(new Set(ENDPOINTS.map((endpoint) => endpoint[member])).size).toBe(ENDPOINTS.length)
  }
})

test('whoever chats is asked through every format of conversations', () => {
  expect(defaultEndpoints(38)).toEqual(['chat_completions', 'completions', 'response_api', 'claude_messages'])
  expect(defaultEndpoints(35)).toEqual([
    'chat_completions',
    'completions',
    'embeddings',
    'rerank',
    'response_api',
    'claude_messages',
  ])
  expect(defaultEndpoints(43)).toEqual([])
  expect(defaultEndpoints(0)).toEqual([])
})

/** What the client of an endpoint speaks, where it is a conversation. */
const DIALECTS = {
  chat_completions: 'openai-chat',
  completions: 'openai-chat',
  response_api: 'openai-responses',
  claude_messages: 'anthropic-messages',
} as const
const KEYS: Readonly<Record<number, string>> = { 33: 'AK|SK|eu-west-1', 42: 'global|my-project|{}' }
/** Where not every model does what some do. */
const MODELS: Readonly<Record<string, string>> = {
  '11 images_generations': 'gemini-2.5-flash-image',
  '24 images_generations': 'gemini-2.5-flash-image',
  '33 embeddings': 'amazon.titan-embed-text-v2:0',
  '33 images_generations': 'amazon.nova-canvas-v1:0',
  '33 rerank': 'cohere.rerank-v3-5:0',
  '42 embeddings': 'gemini-embedding-001',
  '42 images_generations': 'gemini-2.5-flash-image',
}

describe('whatever a type is asked through can be asked', () => {
  test.each(CHANNEL_KINDS.map((kind) => [kind.code, kind] as const))('%i', (code, kind) => {
    const setup = { kind, key: KEYS[code] ?? 'k', config: { user_id: 'a' }, other: '', inferenceProfileArnMap: null }
    const ways = waysOf({ ...setup, baseUrl: kind.address.baseUrlRequired ? 'https://x.example' : '' })
    if ('problem' in ways) throw new Error(ways.problem)
    const names = new Set(defaultEndpoints(code))
    for (const { name, path } of ENDPOINTS) {
      const dialect = Object.entries(DIALECTS).find(([endpoint]) => endpoint === name)?.[1]
      const way = ways.way({ endpoint: name, path, dialect }, MODELS[`${code} ${name}`] ?? 'm')
      expect([name, way !== undefined]).toEqual([name, names.has(name)])
    }
  })
})
