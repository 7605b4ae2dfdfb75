import { describe, expect, it } from 'vitest'
import { Fields } from './fields.ts'
import { digestOf, takenFrom } from './taken.ts'

describe('what becomes of a row', () => {
  it('is decided by the first field at fault', () => {
    const fields = new Fields({ n: 'x' })
    const n = fields.integer('n', 0, 1)
    expect(takenFrom(fields, { n })).toEqual({
      outcome: 'left_out',
      fault: { field: 'n', problem: 'is not a whole number' },
    })
  })

  it('has the same digest as long as no field changes, also with amounts beyond exact numbers', () => {
    expect(digestOf({ a: 1n, b: 'x' })).toBe(digestOf({ a: 1n, b: 'x' }))
    expect(digestOf({ a: 9_007_199_254_740_993n })).not.toBe(digestOf({ a: 9_007_199_254_740_992n }))
  })
})
