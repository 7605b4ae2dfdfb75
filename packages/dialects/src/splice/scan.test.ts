import { describe, expect, test } from 'vitest'
import { DEPTH_LIMIT } from './json-walker.ts'
import { keySet } from './key-set.ts'
import { arrayElements, isScanFault, parseSpan, scanObject } from './scan.ts'

const KEYS = keySet('model', 'messages')
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('faults are described in words', () => {
  test.each([
    ['', 'it is empty'],
    [' \n ', 'it is empty'],
    ['{"model":"gpt-4o"', 'it ends too early'],
    ['{"model":"gpt', 'it ends too early'],
    ['{"model":gpt}', 'unexpected "g" at byte 9'],
    ['{"model":"a",}', 'unexpected "}" at byte 13'],
    ['{"model":"a"} x', 'unexpected "x" at byte 14'],
    ['{"model":"a\nb"}', 'unescaped control character in a string at byte 11'],
    ['{"a":"\\x"}', 'unexpected "x" at byte 7'],
    ['{"a":01}', 'unexpected "1" at byte 6'],
  ])('%j', (text, reason) => {
    expect(scanObject(encode(text), KEYS)).toStrictEqual({ fault: 'syntax', reason })
  })

  test('bytes that are not UTF-8', () => {
    expect(scanObject(Uint8Array.of(0x7b, 0x22, 0xc0, 0xa2, 0x22), KEYS)).toStrictEqual({
      fault: 'syntax',
      reason: 'invalid UTF-8 at byte 2',
    })
  })

  test('a list or a bare string is not an object', () => {
    expect(scanObject(encode('["model"]'), KEYS)).toStrictEqual({ fault: 'not_object' })
    expect(scanObject(encode('"model"'), KEYS)).toStrictEqual({ fault: 'not_object' })
  })
})

test('nesting is read to the limit and refused beyond it', () => {
  const nested = (levels: number): Uint8Array => encode(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
  expect(isScanFault(scanObject(nested(DEPTH_LIMIT), KEYS))).toBe(false)
  expect(scanObject(nested(DEPTH_LIMIT + 1), KEYS)).toMatchObject({
    reason: expect.stringContaining('nested deeper than 256 levels') as string,
  })
  expect(isScanFault(scanObject(encode('{"a":' + '['.repeat(1_000_000)), KEYS))).toBe(true)
})

test('spans hold the value without the white space around it', () => {
  const body = encode('{ "model" :  "gpt-4o" , "messages":[ 1 ] }')
  const scanned = scanObject(body, KEYS)
  if (isScanFault(scanned)) throw new Error('expected an object')
  expect(scanned.values.model).toStrictEqual({ start: 13, end: 21 })
  expect(scanned.object).toStrictEqual({ start: 0, end: body.length })
})

test('a key inside another object, or inside a string, is not a top-level key', () => {
  const scanned = scanObject(encode('{"a":{"model":"x"},"b":"\\"model\\":\\"y\\""}'), KEYS)
  expect(scanned).toMatchObject({ values: {} })
})

test('inline media is measured only under its own keys', () => {
  const data = 'A'.repeat(2_000)
  const parts = [
    { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
    { type: 'image_url', image_url: { url: `https://example.org/${data}` } },
    { type: 'input_audio', input_audio: { data, format: 'wav' } },
    { type: 'file', file: { file_data: data } },
    { type: 'text', text: `data:image/png;base64,${data}` },
  ]
  const scanned = scanObject(encode(JSON.stringify({ messages: [{ role: 'user', content: parts }] })), KEYS)
  expect(scanned).toMatchObject({ mediaCount: 3, mediaBytes: 3 * 2_002 + 22 })
})

test('elements of an array are found one by one', () => {
  const body = encode('{"messages":[ {"a":[1,2]} ,"x,]", 3 ]}')
  const scanned = scanObject(body, KEYS)
  if (isScanFault(scanned) || scanned.values.messages === undefined) throw new Error('expected messages')
  const elements = [...arrayElements(body, scanned.values.messages)].map((span) => parseSpan(body, span))
  expect(elements).toStrictEqual([{ a: [1, 2] }, 'x,]', 3])
})
