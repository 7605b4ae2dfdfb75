import { expect, test } from 'vitest'
import { isInexpressible } from '../canon/codec.ts'
import type { ChatDialect, ToolResultPart } from '../canon/parts.ts'
import { asObject, type JsonObject } from '../json-value.ts'
import { geminiUpstreamCodec } from './codec.ts'

/** The function response that Gemini receives for a tool's result. */
function responseOf(text: string, isError = false, dialect: ChatDialect = 'openai-chat'): unknown {
  const result: ToolResultPart = {
    kind: 'tool-result',
    callId: 'c',
    name: 'f',
    parts: [{ kind: 'text', text }],
    isError,
  }
  const encoded = geminiUpstreamCodec.encodeRequest(
    {
      model: 'm',
      stream: false,
      system: [],
      turns: [
        { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] },
        { role: 'assistant', parts: [{ kind: 'tool-call', id: 'c', name: 'f', args: '{}' }] },
        { role: 'tool', parts: [result] },
      ],
      tools: [{ name: 'f' }],
      builtins: [],
      sampling: {},
      extra: { dialect, fields: {} },
    },
    { model: 'gemini-2.5-flash', stream: false, takes: {}, defaultMaxTokens: 1_000 },
  )
  if (isInexpressible(encoded)) throw new Error(encoded.rule)
  const [, , heard] = encoded.body['contents'] as readonly { readonly parts: readonly JsonObject[] }[]
  return asObject(heard?.parts[0]?.['functionResponse'])?.['response']
}

const SCHEMA = '{"paths":{"/a":[{"schema":{"$ref":"#/components/schemas/A"}}]}}'
const ESCAPED = '{"\\u0024r\\u0065f":"image"}'

test.each([
  ['an object', '{"city":"Rome","sky":"sun"}', { city: 'Rome', sky: 'sun' }],
  ['a text', 'sun', { result: 'sun' }],
  ['a reference inside, which Gemini would look up among the parts', SCHEMA, { result: SCHEMA }],
  ['a reference in escapes', ESCAPED, { result: ESCAPED }],
  ['a text about references', '{"note":"use $ref here"}', { note: 'use $ref here' }],
  [
    'an output with more, of which Gemini would read the output alone',
    '{"output":"a","exit":1}',
    { result: '{"output":"a","exit":1}' },
  ],
  ['an error among other members', '{"error":null,"data":1}', { result: '{"error":null,"data":1}' }],
])('a tool of another vendor returned %s', (_, text, response) => {
  expect(responseOf(text)).toStrictEqual(response)
})

test('an error with a reference inside becomes a text', () => {
  expect(responseOf(SCHEMA, true)).toStrictEqual({ error: SCHEMA })
  expect(responseOf('{"code":7}', true)).toStrictEqual({ error: { code: 7 } })
})

test('a client of Gemini means its references', () => {
  expect(responseOf(SCHEMA, false, 'gemini')).toStrictEqual(JSON.parse(SCHEMA))
})
