import { createParser } from 'eventsource-parser'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AnswerStream } from '../../framing/answer-stream.ts'
import { openChatStream } from './chat-sniffer.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

interface Seen {
  readonly forwarded: string
  readonly terminal: string
  readonly outcome: string
  readonly state: string
  readonly usage: unknown
  readonly error: string | undefined
}

function run(stream: AnswerStream, chunks: readonly Uint8Array[]): Seen {
  let forwarded = ''
  for (const chunk of chunks) {
    for (const piece of stream.push(chunk)) forwarded += decode(piece)
  }
  const { outcome, forward } = stream.end()
  for (const piece of forward) forwarded += decode(piece)
  const { state, report, error } = stream
  return { forwarded, terminal: decode(stream.terminal), outcome, state, usage: report?.counts, error: error?.message }
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return ends.map((end, i) => bytes.slice(ends[i - 1] ?? 0, end))
}

const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 }
const chunk = (content: unknown, more: object = {}): string =>
  JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content }, finish_reason: null }], usage: null, ...more })

const ordinary = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => chunk(text)),
  // Text that looks like the marks.
  fc
    .constantFrom('usage', 'error', '{"usage":{"prompt_tokens":1}}', '[DONE]', '"choices":[]', 'data: [DONE]')
    .map((text) => chunk(text)),
)
const remarkable = fc.constantFrom(
  JSON.stringify({ id: 'c', choices: [], usage }),
  JSON.stringify({ id: 'c', choices: [], usage: { ...usage, completion_tokens: 6 } }, null, 1).replaceAll('\n', ' '),
  chunk('', { usage }),
  JSON.stringify({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  JSON.stringify({ choices: [], prompt_filter_results: [{ prompt_index: 0 }], usage: null }),
  'not json',
)
const last = fc.constantFrom(
  '[DONE]',
  JSON.stringify({ error: { message: 'overloaded' } }),
  chunk('', { error: { message: 'cut', code: 502 } }),
)

const lineEnd = fc.constantFrom('\n', '\n', '\r\n', '\r')
const payload = fc.oneof(
  { weight: 6, arbitrary: ordinary },
  { weight: 3, arbitrary: remarkable },
  { weight: 1, arbitrary: last },
)
const event = fc
  .record({
    data: payload,
    space: fc.constantFrom('', ' '),
    before: fc.constantFrom('', '', ': ping', 'id: 3'),
    eol: lineEnd,
  })
  .map(({ data, space, before, eol }) => `${before === '' ? '' : before + eol}data:${space}${data}${eol}${eol}`)
const quiet = fc.constantFrom(': OPENROUTER PROCESSING\n\n', '\n', '\r\n', '\r\n\r\n')
const multiLine = fc.constant(`data: {"choices": [],\ndata: "usage": ${JSON.stringify(usage)}}\n\n`)
const wholeStream = fc
  .tuple(
    fc.constantFrom('', '', '\ufeff'),
    fc.array(fc.oneof({ weight: 8, arbitrary: event }, quiet, multiLine), { maxLength: 12 }),
  )
  .map(([mark, events]) => mark + events.join(''))
const tail = fc.constantFrom('', '', 'data: [DONE]', 'data: [DONE]\n', 'data: {"cho', ': pi', `data: ${chunk('end')}`)

/** A slow reference that makes the same decisions on text. */
function expected(text: string, wantsUsage: boolean): Pick<Seen, 'forwarded' | 'terminal' | 'state'> {
  let forwarded = ''
  for (const raw of text.match(/(?:[^\r\n]+(?:\r\n|\r(?!\n)|\n))*(?:\r\n|\r(?!\n)|\n)/gy) ?? []) {
    const data: string[] = []
    const parser = createParser({ onEvent: (message) => data.push(message.data) })
    parser.feed(`${raw.replace(/^\ufeff/, '')}\n`)
    const [json] = data
    if (json?.trim() === '[DONE]') return { forwarded, terminal: raw, state: 'done' }
    const value =
      json === undefined || json === 'not json'
        ? {}
        : (JSON.parse(json) as { error?: unknown; choices?: unknown[]; usage?: unknown })
    if (value.error !== undefined) return { forwarded, terminal: '', state: 'failed' }
    const isDropped = value.choices?.length === 0 && value.usage !== null && !wantsUsage
    if (!isDropped) forwarded += raw
  }
  return { forwarded, terminal: '', state: 'open' }
}

test('whole events pass untouched; only the usage chunk that the client did not request, the terminal and an error are held back', () => {
  fc.assert(
    fc.property(wholeStream, fc.boolean(), (text, wantsUsage) => {
      const seen = run(openChatStream({ wantsUsage }), [encode(text)])
      expect(seen).toMatchObject(expected(text, wantsUsage))
    }),
    { numRuns: 1_000 },
  )
})

test('any cut of the same bytes gives the same result', () => {
  fc.assert(
    fc.property(
      wholeStream,
      tail,
      fc.boolean(),
      fc.array(fc.nat(), { maxLength: 6 }),
      (whole, rest, wantsUsage, places) => {
        const bytes = encode(whole + rest)
        const atOnce = run(openChatStream({ wantsUsage }), [bytes])
        // A terminal event that ends in CR, LF may be released without its last LF if the chunk ends between the two.
        const comparable = (seen: Seen): Seen => ({ ...seen, terminal: seen.terminal.replace(/\r\n$/, '\r') })
        expect(comparable(run(openChatStream({ wantsUsage }), cut(bytes, places)))).toStrictEqual(comparable(atOnce))
        const byBytes = Array.from(bytes, (byte) => Uint8Array.of(byte))
        expect(comparable(run(openChatStream({ wantsUsage }), byBytes))).toStrictEqual(comparable(atOnce))
      },
    ),
    { numRuns: 500 },
  )
})

test('what was forwarded at any moment ends with a whole event', () => {
  fc.assert(
    fc.property(wholeStream, fc.array(fc.nat(), { maxLength: 6 }), (text, places) => {
      const stream = openChatStream({ wantsUsage: true })
      let sent = ''
      for (const part of cut(encode(text), places)) {
        for (const piece of stream.push(part)) sent += decode(piece)
        expect(sent).toMatch(/^$|^(\ufeff)?(\r\n|\r|\n)+$|(\r\n|\r|\n)(\r\n|\r|\n)$|^(\r|\n)*$/)
      }
    }),
  )
})

test('arbitrary bytes never throw and are not changed', () => {
  const bytes = fc.uint8Array({ maxLength: 60 })
  const nearly = fc
    .constantFrom('data: ', '{"usage":', '{"error":{}}', '[DONE]', '\n', '\r', '"choices":[{', '"', '\\', '}')
    .map(encode)
  fc.assert(
    fc.property(fc.array(fc.oneof(bytes, nearly), { maxLength: 20 }), (chunks) => {
      const copies = chunks.map((part) => part.slice())
      run(openChatStream({ wantsUsage: false }), chunks)
      expect(chunks).toStrictEqual(copies)
    }),
    { numRuns: 500 },
  )
})
