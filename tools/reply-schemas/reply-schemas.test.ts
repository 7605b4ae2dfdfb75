import { existsSync, readFileSync } from 'node:fs'
import { faultsOf } from '@sluice/testkit/conformance/reply-faults'
import { expect, test } from 'vitest'
import { ANTHROPIC, replySchemas } from './reply-schemas.ts'

test.skipIf(!existsSync(ANTHROPIC))(
  'the schemas are those of the libraries that are installed (skipped where `tests/clients` has no packages)',
  () => {
    const path = new URL('../../tests/testkit/src/conformance/reply-schemas.json', import.meta.url)
    expect(readFileSync(path, 'utf8') === replySchemas(), 'run node tools/reply-schemas/write.ts').toBe(true)
  },
)

const USAGE = { prompt_tokens: 1, total_tokens: 1 }
const VECTORS = { object: 'list', model: 'm', data: [{ object: 'embedding', index: 0, embedding: [1] }] }

test('a member that is missing or of another type is found', () => {
  expect(faultsOf('embeddings', { ...VECTORS, usage: USAGE })).toEqual([])
  expect(faultsOf('embeddings', VECTORS)).toEqual(["it must have required property 'usage'"])
  expect(faultsOf('embeddings', { ...VECTORS, usage: { ...USAGE, total_tokens: '1' } })).toEqual([
    '/usage/total_tokens must be number',
  ])
})

test('what may be absent may be null, what must be there may not', () => {
  const choice = {
    index: 0,
    finish_reason: 'stop',
    logprobs: null,
    message: { role: 'assistant', content: 'x', refusal: null },
  }
  const reply = { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: [choice] }
  expect(faultsOf('chat', { ...reply, usage: null })).toEqual([])
  expect(faultsOf('chat', { ...reply, model: null })).toEqual(['/model must be string'])
})

test('of a union, only the member that is meant is named', () => {
  expect(faultsOf('message-event', { type: 'content_block_stop' })).toEqual(["it must have required property 'index'"])
  expect(faultsOf('message-event', { type: 'content_block_end', index: 0 })).toHaveLength(1)
})
