import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import { describe, expect, it } from 'vitest'
import { Fields, objectIn, textFault, wholeNumber } from './fields.ts'

const faultOf = (row: ForeignRow, read: (fields: Fields) => unknown): string | undefined => {
  const fields = new Fields(row)
  read(fields)
  return fields.fault === undefined ? undefined : `${fields.fault.field} ${fields.fault.problem}`
}

describe('a field of a foreign row', () => {
  it('reads as empty, zero or false when it is NULL or its column is missing', () => {
    const fields = new Fields({ name: null })
    expect([fields.text('name', 5), fields.text('other', 5), fields.integer('n', 0, 9, 4)]).toEqual(['', '', 4])
    expect([fields.flag('f'), fields.deleted('d'), fields.seconds('s')]).toEqual([false, false, 0])
    expect(fields.fault).toBeUndefined()
  })

  it.each<[string, ForeignRow, string]>([
    [
      'text in another encoding',
      { f: { unreadable: 'is not valid text in its encoding' } },
      'f is not valid text in its encoding',
    ],
    ['bytes', { f: new Uint8Array([1]) }, 'f is binary'],
    ['a truth value', { f: true }, 'f is not text'],
    ['a NUL', { f: 'a\0b' }, 'f contains a NUL character'],
    ['half a character', { f: '\uD800' }, 'f is not well-formed text'],
    ['a megabyte', { f: 'x'.repeat(1_048_576) }, 'f is longer than 10 characters'],
  ])('is refused as a text when it is %s', (_, row, problem) => {
    expect(faultOf(row, (fields) => fields.text('f', 10))).toBe(problem)
  })

  it('loses the padding of a fixed-length column, and nothing else', () => {
    expect(new Fields({ f: ' ab   ' }).text('f', 10)).toBe(' ab')
    expect(new Fields({ f: `${' '.repeat(200_000)}x` }).text('f', 300_000)).toHaveLength(200_001)
  })

  it.each<[string, ForeignRow[string], string]>([
    ['a text that is not a number', '12 points', 'f is not a whole number'],
    ['a fraction', 0.5, 'f is not a whole number'],
    ['bytes', new Uint8Array([49]), 'f is not a whole number'],
    ['a truth value', true, 'f is not a whole number'],
    ['more than a number can hold exactly', 9_223_372_036_854_775_807n, 'f is not a whole number'],
    ['infinite', Number.POSITIVE_INFINITY, 'f is not a whole number'],
    ['too small', -1, 'f is not between 0 and 9'],
    ['NULL', null, 'f is NULL'],
  ])('is refused as a whole number when it is %s', (_, value, problem) => {
    expect(faultOf({ f: value }, (fields) => fields.integer('f', 0, 9))).toBe(problem)
  })

  it('is a whole number as a number, a bigint or digits', () => {
    expect([5, 5n, '5', ' +5 ', '-5', 5.0].map(wholeNumber)).toEqual([5, 5, 5, 5, -5, 5])
  })

  it('is true or false in the forms of every engine', () => {
    const flags = [true, 1, 1n, '1', 't', 'true', 'TRUE', false, 0, '0', 'f', 'false', '']
    expect(flags.map((f) => new Fields({ f }).flag('f'))).toEqual([
      ...Array<boolean>(7).fill(true),
      ...Array<boolean>(6).fill(false),
    ])
    expect(faultOf({ f: 'perhaps' }, (fields) => fields.flag('f'))).toBe('f is not true or false')
    expect(faultOf({ f: new Uint8Array([1]) }, (fields) => fields.flag('f'))).toBe('f is not true or false')
  })

  it('is a time in seconds or milliseconds, and none before 1970', () => {
    expect([1_763_640_000, 1_763_640_000_123, -5].map((f) => new Fields({ f }).seconds('f'))).toEqual([
      1_763_640_000, 1_763_640_000, 0,
    ])
  })

  it('marks a deletion only as a date, and the year 0 is none', () => {
    expect(new Fields({ f: '2026-11-24 15:14:04.83048013+00:00' }).deleted('f')).toBe(true)
    expect(new Fields({ f: 1_763_640_000 }).deleted('f')).toBe(true)
    for (const f of ['0000-00-00 00:00:00', 'yesterday', '0001-01-01 00:00:00', new Uint8Array([1])]) {
      expect(faultOf({ f }, (fields) => fields.deleted('f'))).toBe('f is not a date')
    }
  })

  it('holds bytes as they are, or in base64', () => {
    expect([...new Fields({ f: new Uint8Array([1, 2]) }).bytes('f', 4)]).toEqual([1, 2])
    expect([...new Fields({ f: 'AQI=' }).bytes('f', 4)]).toEqual([1, 2])
    expect(faultOf({ f: new Uint8Array(5) }, (fields) => fields.bytes('f', 4))).toBe('f is longer than 4 bytes')
  })

  it('holds a JSON object in text or bytes; blank means an empty one', () => {
    const bytes = new TextEncoder().encode('{"a":1}')
    expect([bytes, '{"a":1}', null, ' ', 'null'].map((f) => new Fields({ f }).object('f', 100))).toEqual([
      { a: 1 },
      { a: 1 },
      {},
      {},
      {},
    ])
    expect(['[1]', '{', '7', '{"a":1}x'].map(objectIn)).toEqual([undefined, undefined, undefined, undefined])
  })

  it('keeps the first fault, and never the value', () => {
    const fields = new Fields({ a: 'secret\0', b: 'secret' })
    fields.text('a', 10)
    fields.integer('b', 0, 1)
    expect(fields.fault).toEqual({ field: 'a', problem: 'contains a NUL character' })
    expect(JSON.stringify(fields.fault)).not.toContain('secret')
  })
})

describe('a text out of JSON', () => {
  it('is at fault where PostgreSQL could not hold it', () => {
    expect(['fine', 'a\0', '\uDC00'].map(textFault)).toEqual([
      undefined,
      'contains a NUL character',
      'is not well-formed text',
    ])
  })
})
