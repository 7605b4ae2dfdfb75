import { describe, expect, test } from 'vitest'
import { adaptersOf } from './adapters/adapters.ts'
import { defaultEndpoints, ENDPOINTS } from './endpoints.ts'
import { KINDS } from './kinds/all.ts'
import type { CredentialScheme } from './kinds/kind.ts'

test('every endpoint has a name, a number and a path of its own', () => {
  for (const member of ['id', 'name', 'path'] as const) {
    expect(new Set(ENDPOINTS.map((endpoint) => endpoint[member])).size).toBe(ENDPOINTS.length)
  }
})

test('types that offer chat offer every format of conversations', () => {
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

/** The clients' dialect at the endpoints of conversations. */
const DIALECTS = {
  chat_completions: 'openai-chat',
  completions: 'openai-chat',
  response_api: 'openai-responses',
  claude_messages: 'anthropic-messages',
} as const
const KEYS: Readonly<Partial<Record<CredentialScheme, string>>> = {
  sigv4: 'AK|SK|eu-west-1',
  'google-service-account': 'global|my-project|{}',
}
/** For calls that only some models can serve. */
const MODELS: Readonly<Record<string, string>> = {
  'gemini embeddings': 'gemini-embedding-001',
  'gemini images_generations': 'gemini-2.5-flash-image',
  'bedrock-converse embeddings': 'amazon.titan-embed-text-v2:0',
  'bedrock-converse images_generations': 'amazon.nova-canvas-v1:0',
  'bedrock-converse rerank': 'cohere.rerank-v3-5:0',
}

describe('every endpoint that a type offers can be called', () => {
  test.each(KINDS.map((kind) => [kind.code, kind] as const))('%i', (code, kind) => {
    const setup = {
      kind,
      key: KEYS[kind.credentials] ?? 'k',
      config: { user_id: 'a' },
      other: '',
      inferenceProfileArnMap: null,
    }
    const adapters = adaptersOf({ ...setup, baseUrl: kind.address.baseUrlRequired ? 'https://x.example' : '' })
    if ('problem' in adapters) throw new Error(adapters.problem)
    const names = new Set(defaultEndpoints(code))
    for (const { name, path } of ENDPOINTS) {
      const dialect = Object.entries(DIALECTS).find(([endpoint]) => endpoint === name)?.[1]
      const adapter = adapters.adapter({ endpoint: name, path, dialect }, MODELS[`${kind.dialect} ${name}`] ?? 'm')
      expect([name, adapter !== undefined]).toEqual([name, names.has(name)])
    }
  })
})
