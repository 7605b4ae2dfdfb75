import { expect, it } from 'vitest'
import { unknownColumns } from './unknown-columns.ts'

it('columns and tables that are not read are named, whatever their names', () => {
  const columns = new Map([
    ['users', new Set(['id', 'username', 'remark'])],
    ['options', new Set(['key', 'value'])],
    ['abilities', new Set(['model'])],
    ['constructor', new Set(['id'])],
    ['__proto__', new Set(['id'])],
  ])
  expect(unknownColumns({ columns })).toEqual([
    { table: 'users', columns: ['remark'] },
    { table: 'constructor', columns: [] },
    { table: '__proto__', columns: [] },
  ])
})
