import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBodyRefusal } from '../body-refusal.ts'
import { type AnswerStream, openAnswerStream } from '../framing/answer-stream.ts'
import { splice } from '../splice/splice.ts'
import { geminiFormat, geminiFormatFor } from './client-format.ts'
import { geminiReplyAsEvents, readGeminiReply } from './reply.ts'
import { readGeminiRequest, setSystemInstruction } from './request.ts'
import { openArrayStream } from './stream/array-stream.ts'
import { GeminiSniffer } from './stream/gemini-sniffer.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (pieces: readonly Uint8Array[]) => Buffer.concat(pieces).toString()

const part = (said: string, more: object = {}) =>
  JSON.stringify({
    candidates: [{ content: { parts: [{ text: said }], role: 'model' }, ...more }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: said.length },
  })
const STOP = { finishReason: 'STOP' }
const stream = (messages: readonly string[]) => messages.map((message) => `data: ${message}\r\n\r\n`).join('')

/** What is sent at once, and what is held for the end, if the stream arrives in these chunks. */
function relay(relayed: AnswerStream, chunks: readonly Uint8Array[]) {
  const sent = chunks.flatMap((chunk) => [...relayed.push(chunk)])
  const { outcome, forward } = relayed.end()
  return { sent: text([...sent, ...forward]), last: text([relayed.terminal]), outcome }
}

function cut(whole: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const ends = [...places.map((place) => place % whole.length), whole.length].toSorted((a, b) => a - b)
  return ends.map((end, i) => whole.subarray(ends[i - 1] ?? 0, end))
}

test('the event with the finish reason is kept for the end, in whatever pieces it comes', () => {
  const [first, last] = [stream([part('a')]), stream([part('b', STOP)])]
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 6 }), (places) => {
      const relayed = openAnswerStream(new GeminiSniffer())
      expect(relay(relayed, cut(bytes(first + last), places))).toStrictEqual({ sent: first, last, outcome: 'complete' })
    }),
  )
})

test('models that send a finish reason with every event are read to their end', () => {
  const messages = [part('a', STOP), part('bb', STOP), part('ccc', STOP)]
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 6 }), (places) => {
      const relayed = openAnswerStream(new GeminiSniffer())
      const { sent, last } = relay(relayed, cut(bytes(stream(messages)), places))
      expect(sent + last).toBe(stream(messages))
      expect(last).toBe(stream(messages.slice(2)))
      expect(relayed.report?.counts?.output).toBe(3)
    }),
  )
})

test('a stream that ends without a finish reason is broken off; its usage is still known', () => {
  const relayed = openAnswerStream(new GeminiSniffer())
  expect(relay(relayed, [bytes(stream([part('abc')]))])).toMatchObject({ last: '', outcome: 'broken' })
  expect(relayed.report?.counts).toMatchObject({ input: 3, output: 3 })
})

test('a stream that ends after the finish of one of its candidates is not whole', () => {
  const candidate = (index: number, more: object = {}) => JSON.stringify({ candidates: [{ index, ...more }] })
  const cut = relay(openAnswerStream(new GeminiSniffer(2)), [bytes(stream([candidate(0, STOP), candidate(1)]))])
  expect(cut.outcome).toBe('broken')
  const whole = relay(openAnswerStream(new GeminiSniffer(2)), [bytes(stream([candidate(1, STOP), candidate(0, STOP)]))])
  expect(whole.outcome).toBe('complete')
  const blocked = JSON.stringify({ promptFeedback: { blockReason: 'SAFETY' } })
  expect(relay(openAnswerStream(new GeminiSniffer(2)), [bytes(stream([blocked]))]).outcome).toBe('complete')
})

test.each(['\n', '\r\n', ': still here\n\n'])(
  '%j after the last event does not release it: it is not an event',
  (after) => {
    const [first, last] = [stream([part('a')]), stream([part('b', STOP)])]
    for (const chunks of [[first + last + after], [first, last, after], (first + last + after).split('')]) {
      const relayed = openAnswerStream(new GeminiSniffer())
      const translated = relay(relayed, chunks.map(bytes))
      expect(translated).toStrictEqual({ sent: first, last, outcome: 'complete' })
    }
  },
)

test('keys are keys however they are spaced, and words of the text are not', () => {
  const words = JSON.stringify({
    candidates: [
      { content: { parts: [{ text: '"finishReason":"STOP","error":{"message":"no"}' }] }, finishReason: null },
    ],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 9 },
  })
  const spaced = '{ "candidates" : [ { "finishReason" : "STOP" } ], "usageMetadata" : { "promptTokenCount" : 4 } }'
  const relayed = openAnswerStream(new GeminiSniffer())
  const translated = relay(relayed, [bytes(stream([words])), bytes(stream([spaced]))])
  expect(translated).toStrictEqual({ sent: stream([words]), last: stream([spaced]), outcome: 'complete' })
  expect(relayed.report?.counts).toMatchObject({ input: 4, output: 9 })
})

test('the terminal marks of other dialects are left out', () => {
  const relayed = openAnswerStream(new GeminiSniffer())
  const translated = relay(relayed, [bytes(stream([part('a', STOP), '[DONE]']))])
  expect(translated).toStrictEqual({ sent: '', last: stream([part('a', STOP)]), outcome: 'complete' })
})

test('an error inside a stream is held back', () => {
  const relayed = openAnswerStream(new GeminiSniffer())
  const error = '[{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}]'
  expect(relay(relayed, [bytes(stream([part('a'), error]))])).toStrictEqual({
    sent: stream([part('a')]),
    last: '',
    outcome: 'broken',
  })
  expect(relayed.error).toMatchObject({ message: 'overloaded', type: 'UNAVAILABLE', code: 503 })
})

test('a list holds what the events say, byte for byte', () => {
  const messages = [part('1.0é'), '{"candidates" : [ ],\t"big":12345678901234567890}', part('c', STOP)]
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 6 }), (places) => {
      const relayed = openArrayStream(openAnswerStream(new GeminiSniffer()))
      const { sent, last } = relay(relayed, cut(bytes(stream(messages)), places))
      expect(sent + last).toBe(`[${messages.join(',\r\n')}]`)
      expect(last).toBe(`,\r\n${messages[2]}]`)
    }),
  )
})

test('what is not JSON among the events stays out of a list, which would become unreadable', () => {
  const relayed = openArrayStream(openAnswerStream(new GeminiSniffer()))
  const { sent, last } = relay(relayed, [bytes(stream([part('a'), 'ping', '', part('b', STOP)]))])
  expect(JSON.parse(sent + last)).toEqual([JSON.parse(part('a')), JSON.parse(part('b', STOP))])
})

test('a list that breaks off is ended by its error', () => {
  const relayed = openArrayStream(openAnswerStream(new GeminiSniffer()))
  const { sent, last } = relay(relayed, [bytes(stream([part('a')]))])
  const wire = { message: 'It broke.', type: 'upstream_error', code: 'upstream_broken' }
  const error = text([geminiFormatFor('json-array').encodeStreamError(wire, 502, 'r1')])
  expect(last).toBe('')
  expect(JSON.parse(sent + error)).toMatchObject([{}, { error: { code: 502, message: 'It broke. (request id: r1)' } }])
})

test('errors name status, reason and field as Google does', () => {
  const wire = {
    message: 'contents: is required.',
    type: 'invalid_request_error',
    code: 'invalid_body',
    param: 'contents',
  }
  expect(JSON.parse(text([geminiFormat.encodeError(wire, 400, 'r1')]))).toStrictEqual({
    error: {
      code: 400,
      message: 'contents: is required. (request id: r1)',
      status: 'INVALID_ARGUMENT',
      details: [
        { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'invalid_body', domain: 'sluice' },
        {
          '@type': 'type.googleapis.com/google.rpc.BadRequest',
          fieldViolations: [{ field: 'contents', description: 'contents: is required.' }],
        },
      ],
    },
  })
})

test('what was written is collected: text, thoughts and arguments', () => {
  const collected = geminiFormat.openText()
  const parts = [
    { text: 'a "b"', thought: true },
    { functionCall: { name: 'f', args: { city: { a: '}' } } } },
    { text: 'c' },
  ]
  collected.add(bytes(`data: ${JSON.stringify({ candidates: [{ content: { parts } }] })}\n\n`))
  const { text: said } = collected.finish()
  for (const piece of ['b', 'city', 'c']) expect(said).toContain(piece)
  expect(said).not.toContain('name')
})

test.each([
  ['{"contents":[],"generationConfig":{"maxOutputTokens":7,"candidateCount":2}}', { maxOutput: 7, n: 2 }],
  ['{"contents":{"parts":[]},"generation_config":{"max_output_tokens":7}}', { maxOutput: 7, n: 1 }],
  ['{"contents":[],"generationConfig":null}', { maxOutput: undefined, n: 1 }],
])('the caps of %s are known', (body, facts) => {
  expect(readGeminiRequest(bytes(body))).toMatchObject(facts)
})

test.each([
  ['{}', 'contents'],
  ['{"contents":"x"}', 'contents'],
  ['{"contents":[],"generationConfig":{"maxOutputTokens":"7"}}', 'generationConfig.maxOutputTokens'],
  ['{"contents":[],"generationConfig":{"candidateCount":9}}', 'generationConfig.candidateCount'],
  ['{"contents":[],"generationConfig":{},"generation_config":{}}', 'generationConfig'],
  ['{"contents":[],"systemInstruction":{},"system_instruction":{}}', 'systemInstruction'],
  ['{"contents":[],"contents":[]}', 'contents'],
])('%s is refused for %s', (body, field) => {
  const refusal = readGeminiRequest(bytes(body))
  expect(isBodyRefusal(refusal) && refusal.field).toBe(field)
})

test.each(['{"contents":[]}', '{"contents":[],"system_instruction":{"parts":{"text":"old"}}}'])(
  'a system prompt of the channel replaces the one in %s',
  (body) => {
    const request = readGeminiRequest(bytes(body))
    if (isBodyRefusal(request)) throw new Error(request.code)
    const edited = JSON.parse(text(splice(bytes(body), [setSystemInstruction(request, 'new')]))) as Record<
      string,
      unknown
    >
    expect(edited['systemInstruction'] ?? edited['system_instruction']).toStrictEqual({ parts: [{ text: 'new' }] })
  },
)

test('a whole reply is read for usage and searches without its text', () => {
  const reply = {
    candidates: [{ content: { parts: [{ text: 'x' }] }, groundingMetadata: { webSearchQueries: ['a', 'b'] } }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4 },
    modelVersion: 'gemini-3-pro',
  }
  expect(readGeminiReply(bytes(JSON.stringify(reply)))).toMatchObject({
    usage: { counts: { input: 3, output: 4, units: { search: 2 } } },
    error: undefined,
    delivered: undefined,
  })
  const unmetered = readGeminiReply(bytes(JSON.stringify({ candidates: reply.candidates })))
  expect(unmetered).toMatchObject({ delivered: { text: 'x' } })
  expect(readGeminiReply(bytes('{"error":{"code":400,"message":"bad"}}'))).toMatchObject({ error: { message: 'bad' } })
  expect(readGeminiReply(bytes('[]'))).toStrictEqual({ invalid: 'it is not a JSON object' })
})

test('a whole reply to a client that requested a stream is its one message', () => {
  const body = bytes('{\n "candidates": []\n}')
  expect(text([geminiReplyAsEvents(body, 'sse')])).toBe('data: {"candidates":[]}\n\n')
  expect(text([geminiReplyAsEvents(body, 'json-array')])).toBe('[{"candidates":[]}]')
})
