import { expect, test } from 'vitest'
import { outcomesOf } from './outcomes.ts'
import { committedShapes } from './read-shapes.ts'
import { eventOutcome } from './stream-events.ts'

const { shapes } = committedShapes()
const conversed = shapes.filter(({ place }) => !place.includes('stream'))

test('nothing that a vendor’s library can say is lost in silence between two dialects', () => {
  const silent = conversed.flatMap((shape) =>
    [...outcomesOf(shape)].flatMap(([dialect, { kind }]) =>
      kind === 'silent' ? [`${shape.place}: ${shape.type} (${shape.name}) at ${dialect}`] : [],
    ),
  )
  expect(silent).toStrictEqual([])
})

test('every event of a provider’s stream is read, or says what another one says', () => {
  const unknown = shapes
    .filter(({ place }) => place.includes('stream'))
    .filter((shape) => eventOutcome(shape) === 'unknown')
  expect(unknown.map(({ name, type }) => `${type} (${name})`)).toStrictEqual([])
})

test('shapes of next year reach other dialects as text, without a line of code', () => {
  const places = [
    'openai-responses input item',
    'anthropic-messages content block',
    'anthropic-messages content of a tool result',
    'gemini part',
    'openai-responses output item',
    'anthropic-messages answer block',
    'gemini answer part',
  ] as const
  const value = { verdict: 'word1x' }
  const shape = { type: 'hologram', value }
  for (const place of places) {
    const sample = place.startsWith('gemini') ? { hologram: value } : shape
    const kinds = [...outcomesOf({ place, name: 'hologram', type: 'Hologram', sample }).values()].map(
      ({ kind }) => kind,
    )
    expect([...new Set(kinds)], place).toStrictEqual(['text'])
  }
})
