import { expect, test } from 'vitest'
import { bedrockBody, vertexBody } from './carriers.ts'

const body = { model: 'claude-sonnet-4-5', stream: true, max_tokens: 9, messages: [] }

test('Bedrock gets neither model nor stream, and its version', () => {
  expect(bedrockBody(body, true)).toEqual({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 9, messages: [] })
})

test('Bedrock gets the betas that it knows, in the body', () => {
  const headers = ['accept', 'x', 'anthropic-beta', 'interleaved-thinking-2025-05-14, claude-code-20250219']
  expect(bedrockBody(body, true, headers)).toMatchObject({ anthropic_beta: ['interleaved-thinking-2025-05-14'] })
  const translated = { ...body, anthropic_beta: ['effort-2025-11-24', 'unheard-of', 7] }
  expect(bedrockBody(translated, true)).toMatchObject({ anthropic_beta: ['effort-2025-11-24'] })
})

test('Vertex AI gets no model, its version, and whether to stream', () => {
  expect(vertexBody(body, false)).toEqual({
    anthropic_version: 'vertex-2023-10-16',
    stream: false,
    max_tokens: 9,
    messages: [],
  })
})
