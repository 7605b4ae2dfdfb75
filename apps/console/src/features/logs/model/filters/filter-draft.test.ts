import { describe, expect, it } from 'vitest'
import { activeFilters, draftOf, filtersOf } from './filter-draft.ts'

const now = Date.UTC(2026, 10, 20, 12)
const none = {
  type: 0,
  model: '',
  token: '',
  username: '',
  channel: undefined,
  session: '',
  start: undefined,
  end: undefined,
} as const

describe('the filter form', () => {
  it('shows the default window while the address leaves it open, and leaves it open when the user did not touch it', () => {
    const draft = draftOf(none, now)
    expect(new Date(draft.start).getTime()).toBe(now - 168 * 3_600_000)
    expect(new Date(draft.end).getTime()).toBe(now + 3_600_000)
    expect(filtersOf(draft, none, now)).toEqual(none)
  })

  it('returns the values that it was given', () => {
    const filters = {
      type: 2,
      model: 'm',
      token: 't',
      username: 'u',
      channel: 3,
      session: 's',
      start: 1_700_000_000,
      end: 1_760_000_001,
    } as const
    expect(filtersOf(draftOf(filters, now), filters, now)).toEqual(filters)
  })

  it('reads times in the zone of the browser', () => {
    const draft = { ...draftOf(none, now), start: '2026-11-19T08:30' }
    expect(filtersOf(draft, none, now).start).toBe(new Date(2026, 10, 19, 8, 30).getTime() / 1_000)
  })

  it.each([
    ['an emptied time', { start: '' }, { start: undefined }],
    ['blanks around a name', { model: ' gpt-5 ' }, { model: 'gpt-5' }],
    ['an emptied channel', { channel: '' }, { channel: undefined }],
    ['channel zero', { channel: '0' }, { channel: undefined }],
    ['an unknown type', { type: '9' }, { type: 0 }],
  ])('takes %s', (_, typed, expected) => {
    const before = { ...none, start: 1_700_000_000, channel: 3 }
    expect(filtersOf({ ...draftOf(before, now), ...typed }, before, now)).toMatchObject(expected)
  })

  it.each([
    [none, 0],
    [{ ...none, start: 1 }, 1],
    [{ ...none, start: 1, end: 2 }, 1],
    [{ ...none, type: 2, model: 'm', channel: 1 } as const, 3],
  ])('counts the active filters of %j as %d', (filters, count) => {
    expect(activeFilters(filters)).toBe(count)
  })
})
