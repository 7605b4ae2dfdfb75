import { describe, expect, it } from 'vitest'
import { modelConfigsProblem, objectProblem, textMapProblem } from './channel-json.ts'

describe('modelConfigsProblem', () => {
  it.each([
    '',
    ' ',
    '{}',
    '{"gpt-4o":{"ratio":1.25,"completion_ratio":4}}',
    '{"m":{"max_tokens":0}}',
    '{"m":{"tiers":[]}}',
  ])('accepts %j', (text) => {
    expect(modelConfigsProblem(text)).toBeUndefined()
  })

  it.each([
    ['{', 'Invalid JSON format'],
    ['[]', 'Model configs must be a JSON object'],
    ['null', 'Model configs must be a JSON object'],
    ['{" ":{"ratio":1}}', 'Model name cannot be empty'],
    ['{"m":1}', 'The config of model "m" must be a JSON object'],
    ['{"m":{"notes":1}}', 'Model "m" needs at least one of ratio, completion_ratio, max_tokens'],
    ['{"m":{}}', 'Model "m" needs at least one of ratio, completion_ratio, max_tokens'],
    ['{"m":{"ratio":-1}}', 'Invalid ratio for model "m"'],
    ['{"m":{"ratio":"1"}}', 'Invalid ratio for model "m"'],
    ['{"m":{"ratio":1,"completion_ratio":-1}}', 'Invalid completion_ratio for model "m"'],
    ['{"m":{"max_tokens":1.5}}', 'Invalid max_tokens for model "m"'],
  ])('says what is wrong with %j', (text, problem) => {
    expect(modelConfigsProblem(text)).toBe(problem)
  })
})

describe('textMapProblem', () => {
  it('accepts an object of texts, and an empty text', () => {
    expect(textMapProblem('{"a":"b"}')).toBeUndefined()
    expect(textMapProblem('')).toBeUndefined()
  })

  it('names the entry that is not a text', () => {
    expect(textMapProblem('{"a":"b","c":1}')).toBe('The value of "c" must be text')
  })
})

describe('objectProblem', () => {
  it('accepts objects only', () => {
    expect(objectProblem('{"a":1}')).toBeUndefined()
    expect(objectProblem('[1]')).toBe('Invalid JSON format')
  })
})
