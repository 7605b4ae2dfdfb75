import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openDeltaText } from './delta-text.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom('"content":"no"', '\\', '"', '\n', '{"arguments":"x"}', '\u{1f600}'),
)
const delta = fc.oneof(
  text.map((content) => ({ content })),
  text.map((reasoning) => ({ content: null, reasoning_content: reasoning })),
  text.map((reasoning) => ({
    content: '',
    reasoning,
    reasoning_details: [{ type: 'reasoning.text', text: reasoning }],
  })),
  text.map((args) => ({ tool_calls: [{ index: 0, function: { arguments: args } }] })),
  text.map((part) => ({ content: [{ type: 'text', text: part }] })),
  fc.constant({ role: 'assistant' }),
)

function written(value: Record<string, unknown>): string {
  const {
    content,
    reasoning_content: named,
    reasoning,
    tool_calls: calls,
  } = value as {
    content?: string | null | { text: string }[]
    reasoning_content?: string
    reasoning?: string
    tool_calls?: { function: { arguments: string } }[]
  }
  const said = Array.isArray(content) ? content.map((part) => part.text).join('') : (content ?? '')
  return said + (named ?? reasoning ?? '') + (calls?.map((call) => call.function.arguments).join('') ?? '')
}

test('the text is the deltas’ text, however many events come in a piece', () => {
  const pieces = fc.array(fc.array(delta, { maxLength: 60 }), { maxLength: 12 })
  fc.assert(
    fc.property(pieces, (deltas) => {
      const collected = openDeltaText()
      for (const piece of deltas) {
        collected.add(
          encode(
            piece.map((value) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: value }] })}\n\n`).join(''),
          ),
        )
      }
      expect(collected.finish()).toStrictEqual({ text: deltas.flat().map(written).join(''), beyondBytes: 0 })
    }),
    { numRuns: 200 },
  )
})

test('arbitrary bytes never throw and are not changed', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 50 }),
    fc.constantFrom('{"content":"', '\\', '"', '\\u12', '"text":"a').map(encode),
  )
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 20 }), (pieces) => {
      const copies = pieces.map((piece) => piece.slice())
      const collected = openDeltaText()
      for (const piece of pieces) collected.add(piece)
      collected.finish()
      expect(pieces).toStrictEqual(copies)
    }),
  )
})

test('beyond 256 KiB the text is measured and not kept', () => {
  const collected = openDeltaText()
  const event = encode(`data: ${JSON.stringify({ choices: [{ delta: { content: 'x'.repeat(1_000) } }] })}\n\n`)
  for (let i = 0; i < 1_000; i++) collected.add(event)
  const { text, beyondBytes } = collected.finish()
  expect(text.length).toBeLessThanOrEqual(256 * 1024)
  expect(text.length + beyondBytes).toBe(1_000_000)
})

test('what was added may be overwritten afterwards', () => {
  const collected = openDeltaText()
  const event = encode('data: {"choices":[{"delta":{"content":"kept"}}]}\n\n')
  collected.add(event)
  event.fill(0)
  expect(collected.finish().text).toBe('kept')
})

test('measuring reads what has arrived so far and loses nothing', () => {
  const collected = openDeltaText()
  const event = encode('data: {"choices":[{"delta":{"content":"four"}}]}\n\n')
  collected.add(event)
  expect(collected.measure()).toBe(4)
  collected.add(event)
  expect(collected.measure()).toBe(8)
  expect(collected.finish()).toStrictEqual({ text: 'fourfour', beyondBytes: 0 })
})
