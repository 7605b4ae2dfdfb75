import { describe, expect, test } from 'vitest'
import { isBodyRefusal } from '../../body-refusal.ts'
import { readResponsesRequest } from '../request.ts'
import { foregroundBody, pendingResponse } from './pending-response.ts'
import { readStreamEnd } from './stream-end.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (pieces: readonly Uint8Array[]) => pieces.map((piece) => new TextDecoder().decode(piece)).join('')

test.each([
  ['{"model":"m","background":true,"input":"x"}', '{"stream":true,"model":"m","background":false,"input":"x"}'],
  ['{ "background": true, "stream": false, "model":"m"}', '{ "background": false, "stream": true, "model":"m"}'],
  ['{"model":"m","stream":null,"background":true}', '{"model":"m","stream":true,"background":false}'],
])('%s is asked for as a stream', (body, expected) => {
  const request = readResponsesRequest(bytes(body))
  if (isBodyRefusal(request)) throw new Error(body)
  expect(text(foregroundBody(bytes(body), request))).toBe(expected)
})

test('a response that is still to be made repeats its request, without long members', () => {
  const body = JSON.stringify({ model: 'm', metadata: { a: 1 }, top_p: null, input: 'x', tools: ['y'.repeat(70_000)] })
  expect(pendingResponse(bytes(body), 'resp_1', 7)).toMatchObject({
    id: 'resp_1',
    created_at: 7,
    status: 'queued',
    model: 'm',
    metadata: { a: 1 },
    top_p: 1,
    tools: [],
    tool_choice: 'auto',
  })
  expect(pendingResponse(bytes(body), 'resp_1', 7)).not.toHaveProperty('input')
})

test('a response that is still to be made names the members that a request can leave out', () => {
  const body = {
    model: 'm',
    safety_identifier: 's',
    prompt_cache_key: 'k',
    presence_penalty: 0.5,
    reasoning: { effort: 'low' },
    text: { verbosity: 'low' },
    tools: [{ type: 'function', name: 'f', parameters: {} }, { type: 'web_search' }],
  }
  expect(pendingResponse(bytes(JSON.stringify(body)), 'resp_1', 7)).toMatchObject({
    completed_at: null,
    safety_identifier: 's',
    prompt_cache_key: 'k',
    presence_penalty: 0.5,
    frequency_penalty: 0,
    max_tool_calls: null,
    reasoning: { effort: 'low', summary: null },
    text: { format: { type: 'text' }, verbosity: 'low' },
    tools: [{ type: 'function', name: 'f', description: null, strict: null }, { type: 'web_search' }],
  })
})

describe('the end of a stream', () => {
  const event = (type: string, response: string) =>
    `event: ${type}\ndata: {"type":"${type}","response":${response}}\n\n`

  test.each([
    ['alone', ''],
    ['after others', event('response.created', '{"id":"resp_p","status":"in_progress"}')],
  ])('is a response under another id, byte for byte (%s)', (_, before) => {
    const end = event('response.incomplete', '{"id":"resp_p","n":12345678901234567890,"status":"incomplete"}')
    const read = readStreamEnd(bytes(`${before}${end}data: [DONE]\n\n`), 'resp_ours')
    if (read === undefined || 'error' in read) throw new Error('no response')
    expect(text([read.response])).toBe(
      '{"background":true,"id":"resp_ours","n":12345678901234567890,"status":"incomplete"}',
    )
    expect(read).toMatchObject({ status: 'incomplete', providerId: 'resp_p' })
  })

  test('says that it was made in the background, though the provider was not told so', () => {
    const read = readStreamEnd(bytes(event('response.completed', '{"background":false,"id":"a"}')), 'b')
    expect(read !== undefined && 'response' in read && text([read.response])).toBe('{"background":true,"id":"b"}')
  })

  test.each(['event: error\ndata: {"type":"error","error":{"code":"x"}}\n\n', '{\n "error": {"code":"x"}\n}'])(
    'is an error: %j',
    (ending) => expect(readStreamEnd(bytes(ending), 'a')).toEqual({ error: { code: 'x' } }),
  )

  test.each([
    '',
    ': ping\n\n',
    'data: [DONE]\n\n',
    'data: {"type":"response.completed"}\n\n',
    'data: {"response":7}\n\n',
  ])('is neither: %j', (ending) => expect(readStreamEnd(bytes(ending), 'a')).toBeUndefined())
})
