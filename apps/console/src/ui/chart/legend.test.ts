import { describe, expect, it } from 'vitest'
import { isolated, toggled } from './legend.tsx'

const keys = ['a', 'b', 'c']
const set = (...hidden: string[]) => new Set(hidden)

describe('legend', () => {
  it('hides and shows one series', () => {
    expect(toggled(set(), 'a')).toEqual(set('a'))
    expect(toggled(set('a', 'b'), 'a')).toEqual(set('b'))
  })

  it.each([
    ['shows one alone', set(), set('a', 'c')],
    ['shows one alone that was hidden', set('b'), set('a', 'c')],
    ['shows all again when it stands alone', set('a', 'c'), set()],
  ])('%s', (_, before, after) => {
    expect(isolated(before, 'b', keys)).toEqual(after)
  })
})
