import { describe, expect, it } from 'vitest'
import { filterOptions } from './filter-options.ts'

const known = {
  model: [{ value: 'gpt-5' }, { value: 'o3' }],
  token: [{ value: 'my own' }],
  user: [{ value: 'gp' }],
}
const labels = (line: string, seesAll = true, found: readonly { value: string; hint?: string }[] = []) =>
  filterOptions(line, seesAll, known, found).map(({ label }) => label)

describe('options under the filter field', () => {
  it('are the keys that the visitor may use', () => {
    expect(labels('')).toEqual(['model:', 'token:', 'user:', 'channel:', 'type:', 'last:'])
    expect(labels('', false)).toEqual(['model:', 'token:', 'type:', 'last:'])
    expect(labels('t')).toContain('type:')
    expect(labels('user:', false)).toEqual([])
  })

  it('are the values of a key, those from the gateway after the local ones, each once', () => {
    expect(labels('type:con')).toEqual(['type:consume'])
    expect(labels('last:')).toHaveLength(6)
    expect(labels('model:')).toEqual(['model:gpt-5', 'model:o3'])
    expect(labels('model:gp', true, [{ value: 'gpt-5' }, { value: 'gpt-4' }])).toEqual(['model:gpt-5', 'model:gpt-4'])
    expect(labels('channel:main', true, [{ value: '7', hint: 'main' }])).toEqual(['channel:7'])
  })

  it('match a bare word against values', () => {
    expect(labels('gp')).toEqual(['model:gpt-5', 'user:gp'])
    expect(labels('gp', false)).toEqual(['model:gpt-5'])
  })

  it('keep what is before them, and quote what has spaces', () => {
    const [option] = filterOptions('type:consume token:my', true, known, [])
    expect(option).toMatchObject({ line: 'type:consume token:"my own"', complete: true })
    expect(filterOptions('type:consume mo', true, known, [])[0]).toMatchObject({
      line: 'type:consume model:',
      complete: false,
    })
  })
})
