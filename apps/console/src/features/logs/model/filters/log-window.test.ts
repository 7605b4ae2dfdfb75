import { describe, expect, it } from 'vitest'
import { clearingEnd, filterQueryOf, logWindow } from './log-window.ts'

const now = 1_760_000_000_500
const open = { start: undefined, end: undefined }

describe('the default window', () => {
  it('reaches from 168 hours ago to one hour ahead', () => {
    expect(logWindow({}, now)).toEqual({ start: 1_760_000_000 - 604_800, end: 1_760_000_000 + 3_600 })
  })

  it('fills only the side that is open', () => {
    expect(logWindow({ start: 5 }, now)).toEqual({ start: 5, end: 1_760_000_000 + 3_600 })
  })
})

describe('clearing logs', () => {
  it.each([
    ['the end that was chosen', 5, { end: 5, isNow: false }],
    ['now without one, though the default window reaches ahead', undefined, { end: 1_760_000_000, isNow: true }],
    ['now where the end lies ahead', 1_760_000_001, { end: 1_760_000_000, isNow: true }],
  ])('reaches to %s', (_, end, expected) => {
    expect(clearingEnd({ end }, now)).toEqual(expected)
  })
})

describe('the filters of a call', () => {
  const filters = { type: 2, model: 'gpt-5', token: 'ci', username: 'alice', channel: 3, session: '', ...open } as const

  it('carry everything for users who see all rows', () => {
    expect(filterQueryOf(filters, true, now)).toEqual({
      type: '2',
      model_name: 'gpt-5',
      token_name: 'ci',
      username: 'alice',
      channel: '3',
      start_timestamp: '1759395200',
      end_timestamp: '1760003600',
    })
  })

  it('carry neither user nor channel for the others', () => {
    expect(filterQueryOf(filters, false, now)).toMatchObject({ username: '', channel: '' })
  })
})
