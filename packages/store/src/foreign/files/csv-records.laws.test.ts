import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCsvReader, type CsvField } from './csv-records.ts'

const field = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '\\N', 'a', ' ', '\0'), maxLength: 8 }),
  fc.constant(null),
)
const table = fc
  .integer({ min: 2, max: 5 })
  .chain((width) => fc.array(fc.array(field, { minLength: width, maxLength: width }), { maxLength: 6 }))
const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 6 })

function written(value: CsvField): string {
  return value === null ? '' : `"${value.replaceAll('"', '""')}"`
}

function read(text: string, places: readonly number[]): readonly (readonly CsvField[])[] {
  const records: (readonly CsvField[])[] = []
  const reader = createCsvReader((record) => records.push(record))
  const sorted = [0, ...places.map((place) => Math.min(place, text.length)), text.length].sort((a, b) => a - b)
  for (const [at, from] of sorted.entries()) reader.push(text.slice(from, sorted[at + 1]))
  reader.end()
  return records
}

test('a table that is written as CSV is read back equal, in pieces of any size', () => {
  fc.assert(
    fc.property(table, fc.constantFrom('\n', '\r\n'), fc.boolean(), cuts, (rows, lineBreak, endsWithBreak, places) => {
      const lines = rows.map((row) => row.map(written).join(','))
      const text = lines.join(lineBreak) + (endsWithBreak && lines.length > 0 ? lineBreak : '')
      expect(read(text, places)).toEqual(rows)
    }),
  )
})

test('any text is read or refused, and read the same way in pieces of any size', () => {
  const outcome = (text: string, places: readonly number[]): unknown => {
    try {
      return read(text, places)
    } catch (error) {
      return String(error)
    }
  }
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', 'a'), maxLength: 30 }),
      cuts,
      (text, places) => {
        expect(outcome(text, places)).toEqual(outcome(text, []))
      },
    ),
  )
})
