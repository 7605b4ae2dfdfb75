import { describe, expect, test } from 'vitest'
import type { AnswerStream } from '../../framing/answer-stream.ts'
import { openSseRelay } from '../../framing/sse-relay.ts'
import { EVENT_LIMIT } from '../../framing/sse.ts'
import { ChatSniffer, openChatStream } from './chat-sniffer.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const decode = (pieces: readonly Uint8Array[]): string =>
  pieces.map((piece) => new TextDecoder().decode(piece)).join('')
const data = (value: unknown): string => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`
const delta = (content: string): string =>
  data({ choices: [{ index: 0, delta: { content }, finish_reason: null }], usage: null })
const finish = data({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
const usageChunk = data({ choices: [], usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 } })

test('an ordinary chunk goes on as the very same bytes, without a copy', () => {
  const stream = openChatStream({ wantsUsage: false })
  const chunk = encode(delta('Hel') + delta('lo'))
  expect(stream.push(chunk)[0]).toBe(chunk)
})

test('the terminal event is held for the charge, and what follows it is ignored', () => {
  const stream = openChatStream({ wantsUsage: true })
  expect(decode(stream.push(encode(delta('Hi') + finish + usageChunk + data('[DONE]') + delta('more'))))).toBe(
    delta('Hi') + finish + usageChunk,
  )
  expect(stream.state).toBe('done')
  expect(decode([stream.terminal])).toBe(data('[DONE]'))
  expect(stream.push(encode(delta('late')))).toStrictEqual([])
  expect(stream.end()).toStrictEqual({ outcome: 'complete', reason: '', forward: [] })
  expect(stream.report?.counts).toMatchObject({ input: 4, output: 2 })
})

test('the id of a spoken answer is reported once, whichever chunk carries it', () => {
  const stream = openChatStream({ wantsUsage: true })
  const spoken = data({ choices: [{ index: 0, delta: { audio: { id: 'audio_1', data: 'AA==' } } }] })
  stream.push(encode(delta('Hi')))
  stream.push(encode(spoken + spoken + finish))
  expect(stream.objects).toEqual(['audio_1'])
})

describe('the usage chunk', () => {
  test('is removed when we requested it and the client did not', () => {
    const stream = openChatStream({ wantsUsage: false })
    expect(decode(stream.push(encode(finish + usageChunk)))).toBe(finish)
    expect(stream.report?.counts).toMatchObject({ input: 4, output: 2 })
  })

  test('takes the second half of its line end along when that arrives later', () => {
    const stream = openChatStream({ wantsUsage: false })
    expect(stream.push(encode(usageChunk.replace('\n\n', '\r\n\r')))).toStrictEqual([])
    expect(decode(stream.push(encode(`\n${delta('Hi')}`)))).toBe(delta('Hi'))
  })

  test('stays when it is in a chunk with choices, as Mistral sends it', () => {
    const stream = openChatStream({ wantsUsage: false })
    const chunk = data({
      choices: [{ delta: { content: '' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 4, completion_tokens: 2 },
    })
    expect(decode(stream.push(encode(chunk)))).toBe(chunk)
    expect(stream.report?.counts).toMatchObject({ input: 4, output: 2 })
  })

  test('counts once, with its last value, when every chunk repeats it', () => {
    const stream = openChatStream({ wantsUsage: true })
    for (const tokens of [1, 2, 3]) {
      stream.push(
        encode(
          data({ choices: [{ delta: { content: 'x' } }], usage: { prompt_tokens: 4, completion_tokens: tokens } }),
        ),
      )
    }
    stream.push(
      encode(data({ choices: [{ delta: {} }], usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } })),
    )
    expect(stream.report?.counts).toMatchObject({ output: 3 })
  })
})

test('Azure’s first chunk without choices passes, and so do comments and blank lines', () => {
  const stream = openChatStream({ wantsUsage: false })
  const first = data({ choices: [], prompt_filter_results: [{ prompt_index: 0 }], usage: null })
  const text = `${first}: OPENROUTER PROCESSING\n\n\n\n${delta('Hi')}`
  expect(decode(stream.push(encode(text)))).toBe(text)
})

describe('an error event', () => {
  test.each([
    ['an error object', data({ error: { message: 'overloaded', code: 529 } }), 'overloaded'],
    ['beside choices', data({ choices: [{ delta: {}, finish_reason: 'error' }], error: { message: 'gone' } }), 'gone'],
    ['a code without choices', data({ code: 10013, message: 'flagged', sid: 's' }), 'flagged'],
    ['a code after a comment', `: ping\n${data({ code: 10013, message: 'flagged' })}`, 'flagged'],
    ['an event of that name', `event: error\n${data({ message: 'by name' })}`, 'by name'],
    [
      'an event of that name with choices',
      `event: error\n${data({ choices: [{ delta: {} }], message: 'by name' })}`,
      'by name',
    ],
  ])('%s holds back itself and the rest', (_, event, message) => {
    const stream = openChatStream({ wantsUsage: false })
    expect(decode(stream.push(encode(delta('Hi') + event + delta('more') + usageChunk + data('[DONE]'))))).toBe(
      delta('Hi'),
    )
    expect(stream.push(encode(delta('even more')))).toStrictEqual([])
    expect(stream).toMatchObject({ state: 'failed', error: { message } })
    expect(stream.report?.counts).toMatchObject({ output: 2 })
    expect(stream.end()).toStrictEqual({ outcome: 'broken', reason: 'it reported an error', forward: [] })
  })
})

test('a named error is found among ordinary events', () => {
  const stream = openChatStream({ wantsUsage: false })
  const named = `event: error\n${data({ choices: [{ delta: {} }], message: 'by name' })}`
  expect(decode(stream.push(encode(delta('Hi') + named)))).toBe(delta('Hi'))
  expect(stream.error?.message).toBe('by name')
})

describe('the end of input', () => {
  const endOf = (text: string): { outcome: string; reason: string; forward: string; terminal: string } => {
    const stream = openChatStream({ wantsUsage: true })
    const sent = decode(stream.push(encode(text)))
    const { outcome, reason, forward } = stream.end()
    return { outcome, reason, forward: sent + decode(forward), terminal: decode([stream.terminal]) }
  }

  test('after a finish reason is a proper end without a terminal event', () => {
    expect(endOf(finish)).toStrictEqual({ outcome: 'complete', reason: '', forward: finish, terminal: '' })
  })

  test('without one is a break', () => {
    expect(endOf(delta('Hi'))).toMatchObject({ outcome: 'broken', reason: 'it ended without a finish reason' })
    expect(endOf('')).toMatchObject({ outcome: 'broken', reason: 'it ended without a finish reason' })
  })

  test('inside an event is a break, and the half event is not sent', () => {
    expect(endOf(`${delta('Hi')}data: {"choices":[{"del`)).toStrictEqual({
      outcome: 'broken',
      reason: 'it ended in the middle of an event',
      forward: delta('Hi'),
      terminal: '',
    })
  })

  test.each([
    ['', '\n\n'],
    ['\n', '\n'],
    ['\r\n', '\n'],
  ])('a terminal event that ends with %j gets its blank line', (ending, added) => {
    expect(endOf(`${finish}data: [DONE]${ending}`)).toMatchObject({
      outcome: 'complete',
      terminal: `data: [DONE]${ending}${added}`,
    })
  })

  test('a whole last event without its blank line is still sent', () => {
    expect(endOf(`${delta('Hi')}${finish.trimEnd()}`)).toMatchObject({
      outcome: 'complete',
      forward: delta('Hi') + finish,
    })
  })
})

test('one event above 16 MiB ends the stream, in whatever pieces it comes', () => {
  const half = new Uint8Array(EVENT_LIMIT / 2).fill(0x78)
  const stream = openChatStream({ wantsUsage: false })
  stream.push(encode('data: "'))
  stream.push(half)
  expect(stream.state).toBe('open')
  expect(stream.push(half)).toStrictEqual([])
  expect(stream.state).toBe('too_large')
  expect(stream.push(encode(delta('late')))).toStrictEqual([])
  expect(stream.end()).toMatchObject({ outcome: 'broken', reason: 'one event exceeds 16777216 bytes' })
})

test('one event above the limit ends the stream when it comes in one piece, too', () => {
  const stream = openSseRelay(new ChatSniffer(false), { limit: 100 })
  const event = encode(delta('x'.repeat(100)))
  expect(decode(stream.push(encode(`: ping\n\n${decode([event])}`)))).toBe(': ping\n\n')
  expect(stream.state).toBe('too_large')
})

test('a large event below the limit passes whole', () => {
  const stream = openChatStream({ wantsUsage: false })
  const event = encode(delta('A'.repeat(200_000)))
  let sent = ''
  for (let at = 0; at < event.length; at += 16_384) sent += decode(stream.push(event.subarray(at, at + 16_384)))
  expect(sent).toBe(decode([event]))
})

test('a stream that ends after the finish of one of its choices is not complete', () => {
  const finishOf = (index: number) => data({ choices: [{ index, delta: {}, finish_reason: 'stop' }] })
  const cut = openChatStream({ wantsUsage: true, n: 2 })
  cut.push(encode(finishOf(0) + data({ choices: [{ index: 1, delta: { content: 'half' } }] })))
  expect(cut.end()).toMatchObject({ outcome: 'broken', reason: 'it ended without a finish reason' })
  const twice = openChatStream({ wantsUsage: true, n: 2 })
  twice.push(encode(finishOf(0) + finishOf(0)))
  expect(twice.end()).toMatchObject({ outcome: 'broken' })
  const whole = openChatStream({ wantsUsage: true, n: 2 })
  whole.push(encode(finishOf(1) + finishOf(0)))
  expect(whole.end()).toMatchObject({ outcome: 'complete' })
})

const IDLE = [
  'data: {"id":"c","choices":[{"index":0,"delta":{"content":"Say \\"usage\\":null."}}],"usage":null}\n\n',
  'data: {"usage": null , "id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
  'data: [DONE]\n\n',
].join('')

test.each([1, 7, 40, 1_000])('a usage of null is left out where none was asked for (pieces of %i)', (size) => {
  const through = (stream: AnswerStream) => {
    const bytes = encode(IDLE)
    const sent: Uint8Array[] = []
    for (let at = 0; at < bytes.length; at += size) sent.push(...stream.push(bytes.slice(at, at + size)))
    return decode([...sent, ...stream.end().forward, stream.terminal])
  }
  expect(through(openChatStream({ wantsUsage: false, dropsNull: true }))).toBe(
    'data: {"id":"c","choices":[{"index":0,"delta":{"content":"Say \\"usage\\":null."}}]}\n\n' +
      'data: { "id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n' +
      'data: [DONE]\n\n',
  )
  expect(through(openChatStream({ wantsUsage: true }))).toBe(IDLE)
})
