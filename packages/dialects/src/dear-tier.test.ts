import { describe, expect, it } from 'vitest'
import { readMessagesRequest } from './anthropic/request.ts'
import { readGeminiRequest } from './gemini/request.ts'
import { identifyChat } from './openai-chat/identify.ts'
import { readResponsesRequest } from './openai-responses/request.ts'

const bytes = (body: object) => new TextEncoder().encode(JSON.stringify(body))
const CHAT = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }
const READERS = {
  chat: (more: object) => identifyChat(bytes({ ...CHAT, ...more })),
  responses: (more: object) => readResponsesRequest(bytes({ model: 'm', input: 'Hi', ...more })),
  messages: (more: object) => readMessagesRequest(bytes({ ...CHAT, max_tokens: 9, ...more })),
  gemini: (more: object) => readGeminiRequest(bytes({ contents: [{ parts: [{ text: 'Hi' }] }], ...more })),
}

it('is refused in Google’s other spelling too', { tags: 'S23' }, () => {
  expect(READERS.gemini({ service_tier: 'priority' })).toMatchObject({ code: 'invalid_body', field: 'serviceTier' })
})

describe('a service tier that costs more than its price here', () => {
  it.each([
    ['chat', 'service_tier', 'priority'],
    ['chat', 'service_tier', 'performance'],
    ['responses', 'service_tier', 'priority'],
    ['messages', 'speed', 'fast'],
    ['gemini', 'serviceTier', 'PRIORITY'],
    ['gemini', 'serviceTier', 'SERVICE_TIER_PRIORITY'],
    ['gemini', 'serviceTier', 3],
    ['chat', 'service_tier', 'a-tier-of-tomorrow'],
    ['chat', 'service_tier', ['priority']],
  ] as const)('is refused: %s, %s: %j', { tags: ['S23', 'S42'] }, (client, field, value) => {
    expect(READERS[client]({ [field]: value })).toMatchObject({ code: 'invalid_body', field })
  })
})

it.each([
  ['chat', { service_tier: 'flex' }],
  ['chat', { service_tier: null }],
  ['responses', { service_tier: 'auto' }],
  ['messages', { service_tier: 'auto', speed: 'standard' }],
  ['gemini', { serviceTier: 'flex' }],
  ['gemini', { serviceTier: 'SERVICE_TIER_STANDARD' }],
] as const)('%s is let through with %j', (client, more) => {
  expect(READERS[client](more)).not.toHaveProperty('code')
})
