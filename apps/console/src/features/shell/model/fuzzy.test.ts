import { expect, test } from 'vitest'
import { rank, ranked } from './fuzzy.ts'

const order = (query: string, texts: readonly string[]) => ranked(query, texts, (text) => [text])

test('a text that begins with the query comes before one that has it at a word, inside, or scattered', () => {
  expect(order('tok', ['stoker', 'top of rank', 'New token', 'Tokens'])).toEqual([
    'Tokens',
    'New token',
    'stoker',
    'top of rank',
  ])
})

test('letters in order match a text, out of order they do not', () => {
  expect(rank('crtk', 'Create token')).toBeDefined()
  expect(rank('ktrc', 'Create token')).toBeUndefined()
})

test('letters scattered over a long text do not match', () => {
  expect(rank('ae', `a${'x'.repeat(20)}e`)).toBeUndefined()
})

test('an empty query keeps everything in its order', () => {
  expect(order(' ', ['b', 'a'])).toEqual(['b', 'a'])
})

test('an entry is found by any of its texts', () => {
  expect(ranked('tokens', [{ label: '令牌', id: 'tokens' }], ({ label, id }) => [label, id])).toHaveLength(1)
})
