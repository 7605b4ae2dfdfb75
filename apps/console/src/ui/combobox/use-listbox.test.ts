import { describe, expect, it } from 'vitest'
import { matchingOptions } from './use-listbox.ts'

const models = ['gpt-5', 'gpt-5-mini', 'my-gpt-5', 'claude-opus', 'text-embedding-3']

describe('matching options', () => {
  it.each([
    ['', models],
    ['gpt', ['gpt-5', 'gpt-5-mini', 'my-gpt-5']],
    ['GPT mini', ['gpt-5-mini']],
    ['5', ['gpt-5', 'gpt-5-mini', 'my-gpt-5']],
    ['my', ['my-gpt-5']],
    ['llama', []],
  ])('%j finds %j', (text, found) => {
    expect(matchingOptions(models, text)).toEqual(found)
  })

  it('puts what starts with the text first', () => {
    expect(matchingOptions(['my-gpt', 'gpt'], 'gpt')).toEqual(['gpt', 'my-gpt'])
  })

  it('never draws more than a hundred', () => {
    const many = Array.from({ length: 500 }, (_, index) => `model-${index}`)
    expect(matchingOptions(many, '')).toHaveLength(100)
    expect(matchingOptions(many, 'model')).toHaveLength(100)
  })
})
