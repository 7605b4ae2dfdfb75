import { expect, test } from 'vitest'
import { pricesTextProblem } from './prices-text.ts'

const models = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, { ratio: 1 }])))

test('a text of prices is a JSON object of at most 2,000 models, or blank', () => {
  for (const text of ['', ' ', '{}', '{"gpt-4o":{"ratio":1}}', models(2_000)]) {
    expect(pricesTextProblem(text)).toBeUndefined()
  }
})

test.each([
  ['[]', 'must be a JSON object that maps a model to its prices'],
  ['{', 'must be a JSON object that maps a model to its prices'],
  ['null', 'must be a JSON object that maps a model to its prices'],
  [models(2_001), 'may list at most 2000 models, but lists 2001'],
  [' '.repeat(500_001), 'is limited to 500000 characters'],
  ['{" a":{}}', 'names the model " a": a name has 1 to 255 characters and no leading or trailing space'],
  ['{"":{}}', 'names the model "": a name has 1 to 255 characters and no leading or trailing space'],
])('%.20s is refused', (text, problem) => {
  expect(pricesTextProblem(text)).toBe(problem)
})
