import { describe, expect, it } from 'vitest'
import { brokenRule, findModelConfigsProblem, findObjectProblem, findTextMapProblem } from './channel-json.ts'

describe('findModelConfigsProblem', () => {
  it.each([
    '',
    ' ',
    '{}',
    '{"gpt-4o":{"ratio":1.25,"completion_ratio":4}}',
    '{"m":{"max_tokens":0}}',
    '{"m":{"tiers":[]}}',
  ])('accepts %j', (text) => {
    expect(brokenRule(findModelConfigsProblem, text)).toBeUndefined()
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
    expect(brokenRule(findModelConfigsProblem, text)).toBe(problem)
  })
})

describe('findTextMapProblem', () => {
  it('accepts an object of texts, and an empty text', () => {
    expect(brokenRule(findTextMapProblem, '{"a":"b"}')).toBeUndefined()
    expect(brokenRule(findTextMapProblem, '')).toBeUndefined()
  })

  it('names the entry that is not a text', () => {
    expect(brokenRule(findTextMapProblem, '{"a":"b","c":1}')).toBe('The value of "c" must be text')
  })
})

describe('findObjectProblem', () => {
  it('accepts objects only', () => {
    expect(brokenRule(findObjectProblem, '{"a":1}')).toBeUndefined()
    expect(brokenRule(findObjectProblem, '[1]')).toBe('Invalid JSON format')
  })
})
