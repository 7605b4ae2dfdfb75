import { expect, test } from 'vitest'
import { type Before, ConnectionMemory, recalled } from './connection-memory.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const CLAIM = { hold: () => undefined, holdMore: () => undefined, release: () => {} }
const open = (bounds?: { bytes: number; responses: number }) => new ConnectionMemory(CLAIM, bounds)
const said = (before: Before) => {
  const { root, pieces } = recalled(before)
  return { root, items: pieces.map((piece) => new TextDecoder().decode(piece)) }
}

function add(memory: ConnectionMemory, id: string, previous: string | undefined, input: string, output: string[] = []) {
  const before = previous === undefined ? undefined : memory.take(previous)
  memory.remember(id, before, bytes(input), output.map(bytes))
  memory.letGo(before)
}

test('a response stands for the whole conversation before it, and two can go on from one', () => {
  const memory = open()
  add(memory, 'r1', undefined, '{"a":1}', ['{"b":1}'])
  add(memory, 'r2', 'r1', '{"c":1},{"d":1}', ['{"e":1}'])
  add(memory, 'other', 'r1', '{"f":1}')
  expect(said(memory.take('r2'))).toEqual({
    root: undefined,
    items: ['{"a":1}', '{"b":1}', '{"c":1},{"d":1}', '{"e":1}'],
  })
  expect(said(memory.take('other')).items).toEqual(['{"a":1}', '{"b":1}', '{"f":1}'])
})

test('what is not known here is the root of what follows', () => {
  const memory = open()
  add(memory, 'r2', 'stored', '{"a":1}')
  expect(said(memory.take('r2'))).toEqual({ root: 'stored', items: ['{"a":1}'] })
  expect(said(memory.take('r9'))).toEqual({ root: 'r9', items: [] })
})

test('a long conversation is kept once', () => {
  const memory = open()
  const item = `{"text":"${'x'.repeat(1_000)}"}`
  for (let i = 0; i < 60; i++) add(memory, `r${i}`, i === 0 ? undefined : `r${i - 1}`, item)
  expect(memory.bytes).toBeLessThan(60 * 1_500)
  expect(said(memory.take('r59')).items).toHaveLength(60)
})

test('beyond its bounds the oldest responses are gone, and with the last one its conversation', () => {
  const memory = open({ bytes: 2_000, responses: 2 })
  add(memory, 'r1', undefined, '{"a":1}')
  add(memory, 'r2', 'r1', '{"b":1}')
  add(memory, 'r3', 'r2', '{"c":1}')
  expect(said(memory.take('r1'))).toEqual({ root: 'r1', items: [] })
  expect(said(memory.take('r3')).items).toHaveLength(3)
  const busy = open({ bytes: 2_000, responses: 2 })
  add(busy, 'r1', undefined, '{"a":1}')
  add(busy, 'r2', 'r1', `{"b":"${'x'.repeat(2_000)}"}`)
  expect([said(busy.take('r2')).root, busy.bytes]).toEqual(['r2', 0])
})

test('what a request under way goes on from stays until it ends, and counts until then', () => {
  const memory = open({ bytes: 10_000, responses: 1 })
  add(memory, 'r1', undefined, '{"a":1}')
  const before = memory.take('r1')
  add(memory, 'r2', undefined, '{"b":1}')
  const both = memory.bytes
  memory.remember('r3', before, bytes('{"c":1}'), [])
  memory.letGo(before)
  expect(said(memory.take('r3')).items).toEqual(['{"a":1}', '{"c":1}'])
  expect(memory.bytes).toBe(both)
})

test('when the process has no memory left for it, it remembers nothing', () => {
  const full = { ...CLAIM, hold: (size: number) => (size > 0 ? ({ code: 'overloaded' } as const) : undefined) }
  const memory = new ConnectionMemory(full)
  add(memory, 'r1', undefined, '{"a":1}')
  expect([said(memory.take('r1')).root, memory.bytes]).toEqual(['r1', 0])
})

test('reasoning without its content is left out: only the provider that stored it could find it', () => {
  const memory = open()
  const translated = `{"id":"rs_${'0'.repeat(32)}_1","type":"reasoning","summary":[]}`
  const items = ['{"id":"rs_1","type":"reasoning"}', '{"type":"reasoning","encrypted_content":"x"}', translated]
  add(memory, 'r1', undefined, '{"a":1}', items)
  expect(said(memory.take('r1')).items).toEqual(['{"a":1}', ...items.slice(1)])
})
