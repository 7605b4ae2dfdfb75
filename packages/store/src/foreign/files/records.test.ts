import { describe, expect, test } from 'vitest'
import { createCsvReader, type CsvField } from './csv-records.ts'
import { createJsonlReader, type JsonlRecord } from './jsonl-records.ts'

function csv(text: string): readonly (readonly CsvField[])[] {
  const records: (readonly CsvField[])[] = []
  const reader = createCsvReader((record) => records.push(record))
  reader.push(text)
  reader.end()
  return records
}

function jsonl(text: string): readonly JsonlRecord[] {
  const records: JsonlRecord[] = []
  const reader = createJsonlReader((record) => records.push(record))
  reader.push(text)
  reader.end()
  return records
}

describe('CSV', () => {
  test.each([
    ['an unquoted empty field and \\N are NULL, a quoted empty one is not', 'a,,\\N,""\n', [['a', null, null, '']]],
    ['a quoted \\N is a text', '"\\N",b\n', [['\\N', 'b']]],
    ['quotes hold commas, line breaks and doubled quotes', '"a,""b""\r\nc",d\r\n', [['a,"b"\r\nc', 'd']]],
    [
      'the last record needs no line break',
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'an empty last field is one',
      'a,\nb,',
      [
        ['a', null],
        ['b', null],
      ],
    ],
    [
      'empty lines are no records',
      'a,b\n\n\r\nc,d\n\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a carriage return inside a line is a character', 'a\rb,c\n', [['a\rb', 'c']]],
    ['spaces belong to the field', ' a , b\n', [[' a ', ' b']]],
  ])('%s', (_, text, records) => {
    expect(csv(text)).toEqual(records)
  })

  test.each([
    ['a,b\n"c,d\n', 2, 'a quote is never closed'],
    ['a,b\n"x\ny",z\nc"d,e\n', 4, 'a quote is in the middle of an unquoted field'],
    ['"a"b,c\n', 1, 'text follows the closing quote of a field'],
  ])('%j is refused with its line', (text, line, message) => {
    expect(() => csv(text)).toThrow(expect.objectContaining({ line, message }))
  })
})

describe('JSON lines', () => {
  test('integers keep their digits, booleans are numbers, and what has parts is its JSON', () => {
    const text = '{"id":9007199254740993,"on":true,"off":false,"none":null,"list":[1,{"a":9007199254740993}],"x":1.5}'
    expect(jsonl(`${text}\r\n\n`)).toEqual([
      [
        ['id', 9007199254740993n],
        ['on', 1],
        ['off', 0],
        ['none', null],
        ['list', '[1,{"a":9007199254740993}]'],
        ['x', 1.5],
      ],
    ])
  })

  test.each([
    ['{"a":1}\n{"key":"secret"\n', 2, 'the line is not valid JSON'],
    ['[1]\n', 1, 'the line is not a JSON object'],
  ])('%j is refused with its line and without its contents', (text, line, message) => {
    expect(() => jsonl(text)).toThrow(expect.objectContaining({ line, message }))
  })
})
