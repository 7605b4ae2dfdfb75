import { createCsvReader, type CsvField } from '@sluice/store/foreign/files/csv-records'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvText } from './exported-table.ts'

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '\\N', 'a', ' '), maxLength: 8 }),
)
const cell = fc.oneof(text, fc.maxSafeInteger(), fc.bigInt(), fc.constant(null))
const table = fc
  .integer({ min: 2, max: 5 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }))

test('what is written is read back by an import as it was, NULL apart from an empty text', () => {
  fc.assert(
    fc.property(table, (rows) => {
      const read: (readonly CsvField[])[] = []
      const reader = createCsvReader((record) => read.push(record))
      reader.push(csvText(rows))
      reader.end()
      expect(read).toEqual(rows.map((row) => row.map((each) => (each === null ? null : String(each)))))
    }),
  )
})
