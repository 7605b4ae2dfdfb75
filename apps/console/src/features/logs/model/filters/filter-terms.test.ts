import { LOG_TYPE } from '@sluice/contract/log'
import { describe, expect, it } from 'vitest'
import { chipsOf, parseTerms, termText, typedLast, withoutChip, withTerm } from './filter-terms.ts'
import type { LogFilters } from './log-window.ts'

const NONE: LogFilters = {
  type: LOG_TYPE.all,
  model: '',
  token: '',
  username: '',
  channel: undefined,
  session: '',
  start: undefined,
  end: undefined,
}
const NOW = 1_800_000_000_000

describe('a typed filter', () => {
  it.each([
    ['model:gpt-5', { model: 'gpt-5' }],
    ['token:ci', { token: 'ci' }],
    ['user:ann', { username: 'ann' }],
    ['channel:7', { channel: 7 }],
    ['channel:#7', { channel: 7 }],
    ['type:Consume', { type: LOG_TYPE.consume }],
    ['last:6h', { start: NOW / 1_000 - 6 * 3_600, end: undefined }],
    ['last:30d', { start: NOW / 1_000 - 30 * 86_400, end: undefined }],
  ])('%s sets its condition', (text, expected) => {
    const [term] = parseTerms(text).terms
    expect(term && withTerm(NONE, term, NOW)).toEqual({ ...NONE, ...expected })
  })

  it.each(['model:', 'channel:main', 'channel:0', 'type:none', 'last:1y', 'last:0h', 'last:'])(
    '%s means nothing',
    (text) => {
      const [term] = parseTerms(text).terms
      expect(term && withTerm(NONE, term, NOW)).toBeUndefined()
    },
  )

  it('is in a line with others, in quotes where it has spaces; other words are not filters', () => {
    expect(parseTerms('model:gpt-5 token:"my own" timeout http://x user:ann')).toEqual({
      terms: [
        { key: 'model', value: 'gpt-5' },
        { key: 'token', value: 'my own' },
        { key: 'user', value: 'ann' },
      ],
      words: 'timeout http://x',
    })
    expect(parseTerms('token:"open end')).toEqual({ terms: [{ key: 'token', value: 'open end' }], words: '' })
    expect(parseTerms('')).toEqual({ terms: [], words: '' })
  })

  it('keeps colons of its value', () => {
    expect(parseTerms('model:llama3:8b')).toEqual({ terms: [{ key: 'model', value: 'llama3:8b' }], words: '' })
    expect(typedLast('model:llama3:8')).toEqual({ key: 'model', value: 'llama3:8', before: '' })
  })

  it('is told apart from the beginning of one while it is typed', () => {
    expect(typedLast('')).toEqual({ key: undefined, value: '', before: '' })
    expect(typedLast('mo')).toEqual({ key: undefined, value: 'mo', before: '' })
    expect(typedLast('model:')).toEqual({ key: 'model', value: '', before: '' })
    expect(typedLast('type:consume mod')).toEqual({ key: undefined, value: 'mod', before: 'type:consume ' })
    expect(typedLast('type:consume token:"my o')).toEqual({ key: 'token', value: 'my o', before: 'type:consume ' })
    expect(typedLast('http://x')).toEqual({ key: undefined, value: 'http://x', before: '' })
  })

  it('is written as it is read', () => {
    for (const term of [
      { key: 'token', value: 'my own' },
      { key: 'model', value: 'a:b' },
    ] as const) {
      expect(parseTerms(termText(term)).terms).toEqual([term])
    }
  })
})

describe('chips', () => {
  const all: LogFilters = {
    type: LOG_TYPE.topup,
    model: 'm',
    token: 't',
    username: 'u',
    channel: 3,
    session: 's',
    start: 1,
    end: undefined,
  }

  it('name what differs from the default', () => {
    expect(chipsOf(NONE, true, 'w')).toEqual([])
    expect(chipsOf(all, true, 'w').map(({ key, value }) => `${key} ${value}`)).toEqual([
      'type topup',
      'model m',
      'token t',
      'user u',
      'channel 3',
      'session s',
      'time w',
    ])
  })

  it('leave out what the visitor may not filter by', () => {
    expect(chipsOf(all, false, 'w').map(({ key }) => key)).toEqual(['type', 'model', 'token', 'session', 'time'])
  })

  it('remove their condition when they are removed', () => {
    expect(chipsOf(all, true, 'w').reduce((filters, { key }) => withoutChip(filters, key), all)).toEqual(NONE)
  })
})
