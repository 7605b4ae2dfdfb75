import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRetention, superfluous } from './retention.ts'

const made = (text: string) => ({ made: Date.parse(text) })
const retention = fc.record({ days: fc.nat(9), weeks: fc.nat(6), months: fc.nat(8) })
const moment = fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2026, 11, 31) })
const backups = fc.uniqueArray(moment, { maxLength: 60 }).map((times) => times.map((at) => ({ made: at })))

describe('which backups are kept', () => {
  it('the newest of each of the newest days, weeks and months, and no other', () => {
    const all = [
      '2026-11-24T20:00Z',
      '2026-11-24T08:00Z',
      '2026-11-23T20:00Z',
      '2026-11-22T20:00Z',
      '2026-11-15T20:00Z',
      '2026-11-14T20:00Z',
      '2026-10-31T20:00Z',
      '2026-10-30T20:00Z',
      '2026-09-01T20:00Z',
    ].map(made)
    const gone = superfluous(all, { days: 2, weeks: 3, months: 2 })
    expect(gone.map((each) => new Date(each.made).toISOString().slice(0, 13))).toEqual([
      '2026-11-24T08',
      '2026-11-14T20',
      '2026-10-30T20',
      '2026-09-01T20',
    ])
  })

  it('counts only days that have one, so an installation that was off for a year loses none', () => {
    const old = ['2025-03-03T03:00Z', '2025-03-02T03:00Z', '2025-03-01T03:00Z'].map(made)
    expect(superfluous([made('2026-11-24T03:00Z'), ...old], { days: 4, weeks: 0, months: 0 })).toEqual([])
  })

  it('always the newest one, and never more than were asked for', () => {
    fc.assert(
      fc.property(backups, retention, (all, keep) => {
        const gone = new Set(superfluous(all, keep))
        const kept = all.filter((each) => !gone.has(each))
        const newest = Math.max(...all.map((each) => each.made))
        expect(all.length === 0 || kept.some((each) => each.made === newest)).toBe(true)
        expect(kept.length).toBeLessThanOrEqual(Math.max(1, keep.days + keep.weeks + keep.months))
      }),
    )
  })

  it('does not depend on their order, and deleting twice deletes no more', () => {
    fc.assert(
      fc.property(backups, retention, (all, keep) => {
        const gone = superfluous(all, keep)
        expect(superfluous(all.toReversed(), keep)).toEqual(gone)
        const left = all.filter((each) => !gone.includes(each))
        expect(superfluous(left, keep)).toEqual([])
      }),
    )
  })

  it('keeps all of them when told so', () => {
    fc.assert(
      fc.property(backups, (all) => {
        expect(superfluous(all, 'all')).toEqual([])
      }),
    )
  })
})

describe('the text of a retention', () => {
  it.each([
    ['7d 4w 6m', { days: 7, weeks: 4, months: 6 }],
    ['6m,7d', { days: 7, weeks: 0, months: 6 }],
    [' all ', 'all'],
  ])('%s', (text, read) => expect(readRetention(text)).toEqual(read))

  it.each(['', '7', '7days', '0d', '7d 4x', '-1d', '7d all'])('%s is refused', (text) =>
    expect(readRetention(text)).toBeUndefined(),
  )
})
