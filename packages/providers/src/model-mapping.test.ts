import { expect, test } from 'vitest'
import { mapModel, parseModelMapping } from './model-mapping.ts'

test('a mapping is applied once, by exact name', () => {
  const mapping = parseModelMapping('{"a":"b","b":"c"}')
  if ('problem' in mapping) throw new Error(mapping.problem)
  expect(mapModel(mapping, 'a')).toBe('b')
  expect(mapModel(mapping, 'A')).toBe('A')
  expect(mapModel(mapping, 'constructor')).toBe('constructor')
})

test('null and blank are an empty mapping', () => {
  for (const text of [null, '', '  ']) expect(parseModelMapping(text)).toStrictEqual(new Map())
})

test('a model can have the name of a member of every object', () => {
  expect(parseModelMapping('{"__proto__":"x"}')).toStrictEqual(new Map([['__proto__', 'x']]))
})

test.each([
  ['{', 'Invalid JSON format'],
  ['[]', 'Model mapping must be a JSON object'],
  ['null', 'Model mapping must be a JSON object'],
  ['{"":"x"}', 'Model name cannot be empty'],
  ['{"a":1}', 'Invalid mapping for model "a": must be a model name'],
  ['{"a":""}', 'Invalid mapping for model "a": must be a model name'],
])('%s is a problem', (text, problem) => {
  expect(parseModelMapping(text)).toStrictEqual({ problem })
})
