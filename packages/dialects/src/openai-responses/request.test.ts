import { expect, it, test } from 'vitest'
import { isBodyRefusal } from '../body-refusal.ts'
import { splice } from '../splice/splice.ts'
import { readResponsesRequest, type ResponsesRequest, setInstructions } from './request.ts'

const bytes = (body: unknown) => new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))

function read(body: object): ResponsesRequest {
  const request = readResponsesRequest(bytes(body))
  if (isBodyRefusal(request)) throw new Error(JSON.stringify(request))
  return request
}

it('reads what prices and holds need', () => {
  const data = `data:image/png;base64,${'A'.repeat(1_000)}`
  const input = [{ role: 'user', content: [{ type: 'input_image', image_url: data }] }]
  const request = read({ model: 'm', input, stream: true, max_output_tokens: 50 })
  expect(request).toMatchObject({ model: 'm', stream: true, maxOutput: 50, isStored: true, media: { count: 1 } })
  expect(request.promptBytes).toBeLessThan(100)
  expect(read({ model: 'm', input: 'Hi', store: false, max_output_tokens: null })).toMatchObject({
    isStored: false,
    maxOutput: undefined,
    references: [],
  })
})

it('finds what the provider must look up, even where the type is left out or spelled with escapes', () => {
  const input = [
    { role: 'user', content: 'a message without a type, about an "item_reference"' },
    { type: 'item_reference', id: 'msg_1' },
    { id: 'rs_2' },
    { type: 'function_call_output', call_id: 'c', output: 'x' },
  ]
  const { references } = read({ model: 'm', previous_response_id: 'resp_1', input })
  expect(references).toEqual([
    { id: 'resp_1', field: 'previous_response_id' },
    { id: 'msg_1', field: 'input[1].id' },
    { id: 'rs_2', field: 'input[2].id' },
  ])
  const escaped = readResponsesRequest(bytes('{"model":"m","input":[{"type":"item\\u005freference","id":"msg_3"}]}'))
  expect(escaped).toMatchObject({ references: [{ id: 'msg_3' }] })
})

it('detects reasoning that was translated here, and treats a reference to it the same', () => {
  const id = `rs_${'0a'.repeat(16)}_0`
  const reasoning = { type: 'reasoning', id, summary: [] }
  expect(read({ model: 'm', input: [reasoning] })).toMatchObject({ hasTranslatedReasoning: true, references: [] })
  expect(read({ model: 'm', input: [{ ...reasoning, id: 'rs_68ab' }] })).toMatchObject({
    hasTranslatedReasoning: false,
  })
  const referring = read({ model: 'm', input: [{ type: 'item_reference', id }] })
  expect(referring).toMatchObject({ hasTranslatedReasoning: false, references: [{ id }] })
})

it('replaces instructions or inserts them at the start, and touches nothing else', () => {
  for (const [body, expected] of [
    ['{"model":"m","instructions":"old","input":"x"}', '{"model":"m","instructions":"new","input":"x"}'],
    ['{"model":"m","instructions":null}', '{"model":"m","instructions":"new"}'],
    ['{ "model":"m"}', '{"instructions":"new", "model":"m"}'],
  ] as const) {
    const request = readResponsesRequest(bytes(body))
    if (isBodyRefusal(request)) throw new Error(body)
    const pieces = splice(bytes(body), [setInstructions(request, 'new')])
    expect(pieces.map((piece) => new TextDecoder().decode(piece)).join('')).toBe(expected)
  }
})

test.each([
  ['{"model":"m","model":"n"}', 'model'],
  ['{"input":"x"}', 'model'],
  ['{"model":"m","input":[{"type":"item_reference"}]}', 'input[0].id'],
  ['{"model":"m","input":[7]}', 'input[0]'],
  ['{"model":"m","input":[{"id":"a","id":"b"}]}', 'input[0].id'],
  ['{"model":"m","background":7}', 'background'],
  ['{"model":"m","background":true,"stream":true}', 'stream'],
  ['{"model":"m","background":true,"store":false}', 'store'],
  ['{"model":"m","conversation":"conv"}', 'conversation'],
])('%s is refused at %s', (body, field) => {
  expect(readResponsesRequest(bytes(body))).toMatchObject({ field })
})
