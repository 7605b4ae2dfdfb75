import { expect, test } from 'vitest'
import { sheetColumns, sheetRow, sheetRows } from './chart-sheet.ts'

const days = ['2026-11-19', '2026-11-20'].map((iso) => ({ iso, short: iso, long: iso }))
const series = [
  { name: 'a', values: [0.1, 2], colour: 0 },
  { name: 'b', values: [0.2], colour: 1 },
]

test('a stack has a last column that adds up the others', () => {
  const sheet = { days, series, total: 'Total' }
  expect(sheetColumns(sheet)).toEqual(['a', 'b', 'Total'])
  expect(sheetRow(sheet, 1)).toEqual([2, 0, 2])
})

test('a file has a row per day, with numbers rounded free of binary fractions', () => {
  expect(sheetRows({ days, series, total: 'Total' }, 'Day')).toEqual([
    ['Day', 'a', 'b', 'Total'],
    ['2026-11-19', 0.1, 0.2, 0.3],
    ['2026-11-20', 2, 0, 2],
  ])
})

test('a line has its one column', () => {
  expect(sheetRows({ days, series: series.slice(0, 1) }, 'Day')[1]).toEqual(['2026-11-19', 0.1])
})
