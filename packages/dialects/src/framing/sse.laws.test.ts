import { createParser } from 'eventsource-parser'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSseParser, type SseEvent } from './sse.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Cuts bytes at arbitrary positions, even inside characters and line ends. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end))
}

function parse(chunks: readonly Uint8Array[]): readonly SseEvent[] {
  const parser = openSseParser()
  return chunks.flatMap((chunk) => [...parser.push(chunk)])
}

const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
const value = fc.oneof(
  fc.constantFrom('', '{"a":1}', '[DONE]', ' two spaces', 'a:b', '\u4f60\u597d', '\u{1f600}'),
  fc.string({ maxLength: 8 }).map((text) => text.replace(/[\r\n]/g, '')),
)
const line = fc.oneof(
  { weight: 4, arbitrary: value.map((text) => `data:${text}`) },
  { weight: 4, arbitrary: value.map((text) => `data: ${text}`) },
  value.map((text) => `event: ${text}`),
  value.map((text) => `: ${text}`),
  fc.constantFrom('', 'data', 'event', 'id: 7', 'id:\u0000', 'retry: 10', 'unknown: x', ' data: x', '\ufeffdata: x'),
)
const stream = fc
  .tuple(fc.constantFrom('', '\ufeff'), fc.array(fc.tuple(line, lineEnd), { maxLength: 20 }))
  .map(([mark, lines]) => mark + lines.flat().join(''))

test('dispatches what the reference parser dispatches', () => {
  fc.assert(
    fc.property(stream, (text) => {
      const expected: { event: string; data: string }[] = []
      const reference = createParser({
        onEvent: ({ event, data }) => expected.push({ event: event ?? 'message', data }),
      })
      reference.feed(text)
      // The reference waits for what follows a lone CR at the end; our parser need not.
      reference.feed('\n')
      const ours = parse([encode(`${text}\n`)]).map(({ event, data }) => ({ event, data }))
      expect(ours).toStrictEqual(expected)
    }),
    { numRuns: 1_000 },
  )
})

test('any cut of the same bytes gives the same events', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(), { maxLength: 6 }), (text, places) => {
      const bytes = encode(text)
      expect(parse(cut(bytes, places))).toStrictEqual(parse([bytes]))
      expect(parse(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toStrictEqual(parse([bytes]))
    }),
    { numRuns: 500 },
  )
})

test('arbitrary bytes never throw, and an endless event stops at the limit', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }), (chunks) => {
      const parser = openSseParser({ limit: 64 })
      const events = chunks.flatMap((chunk) => [...parser.push(chunk)])
      for (const { data } of events) expect(encode(data).length).toBeLessThanOrEqual(64 * 3)
    }),
  )
  const parser = openSseParser({ limit: 64 })
  parser.push(encode(`data: ${'x'.repeat(40)}\ndata: ${'x'.repeat(40)}`))
  expect(parser.overflowed).toBe(true)
  expect(parser.push(encode('\n\ndata: y\n\n'))).toStrictEqual([])
  const byLines = openSseParser({ limit: 64 })
  expect(byLines.push(encode(`${'data: 1\n'.repeat(20)}\n`))).toStrictEqual([])
  expect(byLines.overflowed).toBe(true)
})

test('the last event id stays until another one comes', () => {
  const events = parse([encode('id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n')])
  expect(events.map(({ id }) => id)).toStrictEqual(['7', '7', ''])
})
