import { expect, test } from 'vitest'
import { modelFallbacksText, parseModelFallbacks } from './model-fallbacks.ts'

test('reads lists in their order, and writes them back', () => {
  const given = { 'gpt-4o': ['gpt-4o-mini', 'claude-haiku-4-5'], x: ['y'] }
  const parsed = parseModelFallbacks(given)
  if ('problem' in parsed) throw new Error(parsed.problem)
  expect(parsed.value.get('gpt-4o')).toEqual(['gpt-4o-mini', 'claude-haiku-4-5'])
  expect(JSON.parse(modelFallbacksText(parsed.value))).toEqual(given)
})

test.each([
  ['a list', []],
  ['a text', 'x'],
  ['no list', { a: 'b' }],
  ['an empty list', { a: [] }],
  ['six of them', { a: ['1', '2', '3', '4', '5', '6'] }],
  ['itself', { a: ['a'] }],
  ['one twice', { a: ['b', 'b'] }],
  ['a number', { a: [1] }],
  ['an empty name', { a: [''] }],
  ['a model without a name', { ' ': ['b'] }],
])('refuses %s', (_, given) => {
  expect(parseModelFallbacks(given)).toHaveProperty('problem')
})
