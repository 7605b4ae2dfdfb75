import { describe, expect, it } from 'vitest'
import { csvText } from './csv.ts'

describe('CSV', () => {
  it.each([
    ['plain text', 'gpt-5', 'gpt-5'],
    ['a comma', 'a,b', '"a,b"'],
    ['quotes, doubled', 'say "hi"', '"say ""hi"""'],
    ['a line break', 'a\nb', '"a\nb"'],
    ['nothing', '', ''],
    ['a number', 12.5, '12.5'],
    ['a negative number, which is no formula', -3, '-3'],
  ])('writes %s', (_, cell, written) => {
    expect(csvText([[cell]])).toBe(`${written}\r\n`)
  })

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\r=1', '"\'\r\'=1"'],
    ['\n=1', '"\'\n\'=1"'],
    ['name;=1+1', "name;'=1+1"],
    ['name\t@SUM(A1)', "name\t'@SUM(A1)"],
    ['a,b\r\n＝1;+2', '"a,b\r\n\'＝1;\'+2"'],
    ['＝1+1', "'＝1+1"],
    ['=HYPERLINK("http://evil.example","x")', '"\'=HYPERLINK(""http://evil.example"",""x"")"'],
  ])('keeps spreadsheets from running %j', { tags: 'S35' }, (cell, written) => {
    expect(csvText([[cell]])).toBe(`${written}\r\n`)
  })

  it('leaves such characters alone inside a text', () => {
    expect(csvText([['a=b@c']])).toBe('a=b@c\r\n')
  })

  it('ends every row with CRLF', () => {
    expect(
      csvText([
        ['a', 1],
        ['b', 2],
      ]),
    ).toBe('a,1\r\nb,2\r\n')
  })
})
