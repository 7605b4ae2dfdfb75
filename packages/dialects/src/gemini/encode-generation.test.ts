import { expect, test } from 'vitest'
import { Losses } from '../canon/losses.ts'
import type { CanonRequest } from '../canon/request.ts'
import { encodeGeneration } from './encode-generation.ts'

const ASKED: CanonRequest = {
  model: 'm',
  stream: false,
  system: [],
  turns: [],
  tools: [{ name: 'f' }],
  builtins: [],
  format: { type: 'schema', schema: { type: 'object' } },
  sampling: {},
  extra: { dialect: 'openai-chat', fields: {} },
}
function generation(model: string, more: Partial<CanonRequest> = {}) {
  const losses = new Losses()
  const target = { model, stream: false, takes: {}, defaultMaxTokens: 9 }
  const config = encodeGeneration({ ...ASKED, ...more }, target, losses)
  return [config['responseMimeType'], losses.list()]
}

test('models that refuse a format together with functions are sent none, and that is listed as lost', () => {
  const dropped = [{ what: 'response_format', became: 'dropped' }]
  expect(generation('gemini-2.5-flash')).toStrictEqual([undefined, dropped])
  expect(generation('gemini-3-pro')).toStrictEqual(['application/json', []])
  expect(generation('gemini-2.5-flash', { tools: [] })).toStrictEqual(['application/json', []])
})

test('a client of the dialect itself is trusted', () => {
  const own = { extra: { dialect: 'gemini', fields: {} } } as const
  expect(generation('gemini-2.5-flash', own)).toStrictEqual(['application/json', []])
})
