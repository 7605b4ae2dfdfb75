import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readReply } from './reply.ts'

const encode = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const message = { role: 'assistant', content: 'Hello "there"\n', reasoning_content: 'Let me think.' }
const usage = { prompt_tokens: 9, completion_tokens: 12, total_tokens: 21 }

test('the usage is read and the answer left alone', () => {
  const reply = readReply(encode({ id: 'x', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }))
  expect(reply).toStrictEqual({
    usage: {
      counts: { input: 9, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 12, reasoning: 0 },
      reportedNanoUsd: undefined,
      own: usage,
    },
    error: undefined,
    objects: undefined,
    delivered: undefined,
  })
})

test('the usage can be in the first choice or under x_groq', () => {
  expect(readReply(encode({ choices: [{ message, usage }] }))).toMatchObject({ usage: { counts: { output: 12 } } })
  expect(readReply(encode({ choices: [{ message }], x_groq: { usage } }))).toMatchObject({
    usage: { counts: { output: 12 } },
  })
})

test('the last of a repeated member counts, as for any other reader', () => {
  const twice =
    '{"choices":[{}],"usage":{"prompt_tokens":1,"completion_tokens":1},"usage":{"prompt_tokens":2,"completion_tokens":2}}'
  expect(readReply(encode(twice))).toMatchObject({ usage: { counts: { output: 2 } } })
})

describe('without a usage the text is collected for counting', () => {
  test('content, reasoning and tool arguments, also when pretty-printed', () => {
    const tools = [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"city":"K\u00f6ln"}' } }]
    const reply = { choices: [{ message: { ...message, tool_calls: tools } }, { message: { content: ' Second' } }] }
    const text = 'Hello "there"\nLet me think.{"city":"K\u00f6ln"} Second'
    expect(readReply(encode(reply))).toMatchObject({ usage: undefined, delivered: { text, beyondBytes: 0 } })
    expect(readReply(encode(JSON.stringify(reply, null, 2)))).toMatchObject({ delivered: { text } })
  })

  test('content given as parts', () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
      { type: 'text', text: 'Yes.' },
    ]
    expect(readReply(encode({ choices: [{ message: { content } }] }))).toMatchObject({ delivered: { text: 'Hm.Yes.' } })
  })

  test('reasoning given under two names is counted once', () => {
    const twice = { content: 'A', reasoning: 'R', reasoning_details: [{ type: 'reasoning.text', text: 'R' }] }
    expect(readReply(encode({ choices: [{ message: twice }] }))).toMatchObject({ delivered: { text: 'AR' } })
    const mirrored = { reasoning_content: 'R', reasoning: 'R', content: 'A' }
    expect(readReply(encode({ choices: [{ message: mirrored }] }))).toMatchObject({ delivered: { text: 'RA' } })
  })
})

test('an error inside a 200 body is an error, and nothing is counted', () => {
  expect(readReply(encode({ error: { message: 'model overloaded', type: 'server_error' } }))).toMatchObject({
    error: { message: 'model overloaded', type: 'server_error' },
    delivered: undefined,
  })
  expect(readReply(encode({ base_resp: { status_code: 1008, status_msg: 'no balance' } }))).toMatchObject({
    error: { message: 'no balance' },
  })
})

test('a body that is not one JSON object is reported as invalid', () => {
  expect(readReply(encode('<html>'))).toStrictEqual({ invalid: 'it is not a JSON object' })
  expect(readReply(encode('{"choices":[{"mess'))).toStrictEqual({ invalid: 'it ends too early' })
  expect(readReply(new Uint8Array())).toStrictEqual({ invalid: 'it is empty' })
})

test('any JSON and any bytes are read without a throw and without being changed', () => {
  const members = fc.dictionary(
    fc.constantFrom('choices', 'usage', 'error', 'code', 'message', 'x_groq', 'base_resp'),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(fc.oneof(members.map(encode), fc.uint8Array()), (bytes) => {
      const copy = bytes.slice()
      readReply(bytes)
      expect(bytes).toStrictEqual(copy)
    }),
  )
})
