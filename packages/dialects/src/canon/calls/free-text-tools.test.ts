import { expect, test } from 'vitest'
import type { AnswerDecoder } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { freeTextEvents, withFreeText } from './free-text-tools.ts'

const tools = [{ name: 'patch', custom: {} }, { name: 'time' }]
const start = (block: number, name: string) => ({ type: 'tool-start', block, id: `c${block}`, name }) as const
const args = (block: number, delta: string) => ({ type: 'tool-args', block, delta }) as const
const end = (block: number) => ({ type: 'block-end', block }) as const

test('a call of a free text tool returns its text, whatever its pieces; others pass', () => {
  const events: readonly AnswerEvent[] = [
    start(0, 'patch'),
    start(1, 'time'),
    args(0, '{"input":"*** Be'),
    args(1, '{"zone":"UTC"}'),
    args(0, 'gin\\n"}'),
    end(0),
    end(1),
  ]
  expect(freeTextEvents(events, { tools })).toStrictEqual([
    { ...start(0, 'patch'), isCustom: true },
    start(1, 'time'),
    args(1, '{"zone":"UTC"}'),
    args(0, '*** Begin\n'),
    end(0),
    end(1),
  ])
})

test.each([
  ['{"other":1}', '{"other":1}'],
  ['{"input":5}', '{"input":5}'],
  ['just text', 'just text'],
])('arguments that do not match the schema are returned as they arrived: %s', (translated, text) => {
  expect(freeTextEvents([start(0, 'patch'), args(0, translated), end(0)], { tools })).toContainEqual(args(0, text))
})

test('a provider that knows such calls itself is left alone, as is a request without them', () => {
  const custom = [{ ...start(0, 'patch'), isCustom: true }, args(0, '{"input":"x"}'), end(0)]
  expect(freeTextEvents(custom, { tools })).toStrictEqual(custom)
  const decoder: AnswerDecoder = { push: () => [], end: () => [] }
  expect(withFreeText(decoder, { tools: [{ name: 'time' }] })).toBe(decoder)
})

test('a stream is translated the same way', () => {
  const decoder: AnswerDecoder = {
    push: ({ data }) => [start(0, 'patch'), args(0, data)],
    end: () => [end(0)],
  }
  const translated = withFreeText(decoder, { tools })
  expect([...translated.push({ name: '', data: '{"input":"x"}' }), ...translated.end()]).toStrictEqual([
    { ...start(0, 'patch'), isCustom: true },
    args(0, 'x'),
    end(0),
  ])
})

test('arguments without an end are not held back without end', () => {
  const piece = 'x'.repeat(1024 * 1024)
  const events = [start(0, 'patch'), ...Array.from({ length: 20 }, () => args(0, piece)), end(0)]
  const translated = freeTextEvents(events, { tools }).filter(({ type }) => type === 'tool-args')
  expect(translated).toEqual([args(0, piece.repeat(17)), args(0, piece), args(0, piece), args(0, piece)])
})
