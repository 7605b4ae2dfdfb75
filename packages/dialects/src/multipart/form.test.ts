import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formBoundary, formText, formType, scanForm } from './form.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const part = (name: string, content: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`

const typed = (charset: string) =>
  `--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: text/plain; ${charset}\r\n\r\n1\r\n--b--`

describe('the boundary', () => {
  test.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['Multipart/Form-Data; charset=utf-8; boundary="a b"', 'a b'],
    ['multipart/form-data;boundary=----WebKit; x=y', '----WebKit'],
    ['multipart/form-data', undefined],
    ['multipart/form-data; boundary=', undefined],
    ['multipart/mixed; boundary=abc', undefined],
    ['application/json', undefined],
    [undefined, undefined],
    [`multipart/form-data; boundary=${'x'.repeat(71)}`, undefined],
    ['multipart/form-data; boundary=é', undefined],
    ['multipart/form-data; boundary="a\tb"', undefined],
    ['multipart/form-data; boundary=*****', '*****'],
  ])('of %s is %s', (type, expected) => {
    expect(formBoundary(type)).toBe(expected)
  })
})

test('a content type is rebuilt from its boundary, and yields the same boundary', () => {
  for (const boundary of ['----WebKitFormBoundaryX', 'a b', 'x=y:z']) {
    expect(formBoundary(formType(boundary))).toBe(boundary)
  }
  expect(formType('abc')).toBe('multipart/form-data; boundary=abc')
})

test('fields and files are found wherever they are', () => {
  const body = bytes(`${part('model', 'whisper-1')}${part('file', 'a\r\nb--b', '; filename="x.wav"')}--b--\r\n`)
  const parts = scanForm(body, 'b')
  if ('fault' in parts) throw new Error(parts.fault)
  expect(parts.map(({ name, isFile }) => [name, isFile])).toEqual([
    ['model', false],
    ['file', true],
  ])
  expect(parts.map((each) => formText(body, each))).toEqual(['whisper-1', 'a\r\nb--b'])
})

test('names without quotes are read, as .NET writes them', () => {
  const field = (name: string, content: string) =>
    `--b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; ${name}\r\n\r\n${content}\r\n`
  const file = "name=file; filename=a.wav; filename*=utf-8''a.wav"
  const body = bytes(
    `${field('name=model', 'whisper-1')}${field(file, 'RIFF')}${field('name=timestamp_granularities[]', 'word')}--b--\r\n`,
  )
  const parts = scanForm(body, 'b')
  if ('fault' in parts) throw new Error(parts.fault)
  expect(parts.map((each) => [each.name, each.isFile, formText(body, each)])).toEqual([
    ['model', false, 'whisper-1'],
    ['file', true, 'RIFF'],
    ['timestamp_granularities[]', false, 'word'],
  ])
})

test('an empty content has an empty span', () => {
  const body = bytes(`${part('model', '')}--b--`)
  const parts = scanForm(body, 'b')
  expect('fault' in parts ? parts.fault : parts.map((each) => formText(body, each))).toEqual([''])
})

test.each([
  ['nothing', '', 'does not start'],
  ['other text first', `x${part('a', '1')}--b--`, 'does not start'],
  ['no end', part('a', '1'), 'closing boundary is missing'],
  ['a cut end', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1', 'closing boundary is missing'],
  ['no name', '--b\r\nContent-Type: text/plain\r\n\r\n1\r\n--b--', 'has no valid name'],
  [
    'a name that readers may see differently',
    `--b\r\nContent-Disposition: form-data; filename="x; name=y"; name="model"\r\n\r\n1\r\n--b--`,
    'has no valid name',
  ],
  [
    'a name that is not quoted and needs it',
    '--b\r\nContent-Disposition: form-data; name=mod el\r\n\r\n1\r\n--b--',
    'has no valid name',
  ],
  [
    'two names for one part',
    `--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="model"\r\n\r\n1\r\n--b--`,
    'more than one Content-Disposition',
  ],
  ['a name in another alphabet', `${part('ſtream', '1')}--b--`, 'has no valid name'],
  ['an encoded name', `${part('=?utf-8?Q?model?=', '1')}--b--`, 'has no valid name'],
  ['a percent-encoded name', `${part('%6dodel', '1')}--b--`, 'has no valid name'],
  [
    'a boundary behind a bare LF',
    `${part('file', 'x\n--b\nContent-Disposition: form-data; name="model"\n\ndear')}--b--`,
    'not CRLF',
  ],
  ['a boundary behind a bare CR', `${part('file', 'x\r--b\rname')}--b--`, 'not CRLF'],
  ['text behind its end', `${part('a', '1')}--b--\r\n${part('model', 'dear')}--b--`, 'after its end'],
  [
    'a folded head',
    '--b\r\nX: y\r\n Content-Disposition: form-data; name="model"\r\n\r\n1\r\n--b--',
    'folded or invalid header',
  ],
  [
    'a bare line break in a head',
    '--b\r\nContent-Disposition: form-data; name="a"\nX: y\r\n\r\n1\r\n--b--',
    'folded or invalid header',
  ],
  [
    'a base64 part',
    '--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64\r\n\r\n1\r\n--b--',
    'unsupported Content-Transfer-Encoding',
  ],
  ['a UTF-16 part', typed('charset=utf-16'), 'charset'],
  ['two charsets', typed('charset=utf-8; charset=utf-16'), 'charset'],
  ['a charset behind a space', typed('charset =utf-16'), 'charset'],
  ['a charset in RFC 5987', typed("charset*=utf-8''utf-16"), 'charset'],
  ['a charset for all', `${part('_charset_', 'utf-16')}--b--`, '_charset_'],
  ['text after a boundary', '--b x\r\n\r\n1\r\n--b--', 'unexpected byte'],
  ['too many parts', `${part('a', '1').repeat(65)}--b--`, 'more than 64 parts'],
])('a form with %s is a fault', (_, text, reason) => {
  const parts = scanForm(bytes(text), 'b')
  expect('fault' in parts ? parts.fault : 'none').toContain(reason)
})

test('any content without a boundary in it comes back whole', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 80 }), { minLength: 1, maxLength: 5 }), (contents) => {
      fc.pre(contents.every((content) => !new TextDecoder('latin1').decode(content).includes('--b')))
      const chunks = contents.flatMap((content, i) => [bytes(part(`f${i}`, '').slice(0, -2)), content, bytes('\r\n')])
      const body = new Uint8Array([...chunks, bytes('--b--\r\n')].flatMap((chunk) => [...chunk]))
      const parts = scanForm(body, 'b')
      if ('fault' in parts) throw new Error(parts.fault)
      expect(parts.map(({ content }) => [...body.subarray(content.start, content.end)])).toEqual(
        contents.map((each) => [...each]),
      )
    }),
  )
})

test('parts that were sent without an encoding, in the charset of older clients, are read', () => {
  const older =
    '--b\r\nContent-Disposition: form-data; name="model"\r\nContent-Type: text/plain; charset=ISO-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\nm\r\n--b--\r\n'
  expect(scanForm(bytes(older), 'b')).toMatchObject([{ name: 'model' }])
})

test('hostile bytes are a fault or a form, never a throw', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      (noise) => void scanForm(new Uint8Array([...bytes('--b\r\n'), ...noise]), 'b'),
    ),
  )
})

test('a file full of line ends and almost-boundaries is read once', () => {
  const looked = { bytes: 0 }
  for (const fill of ['\r', '\r\n', '\r\n--', '\r\n--boundar', 'y']) {
    const body = bytes(`${part('file', fill.repeat(20_000)).replaceAll('--b\r', '--boundary\r')}--boundary--`)
    const watched = new Proxy(body, {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) looked.bytes += 1
        const value: unknown = Reflect.get(target, key)
        return typeof value === 'function' ? counted(target, key, looked) : value
      },
    })
    looked.bytes = 0
    const parts = scanForm(watched, 'boundary')
    if ('fault' in parts) throw new Error(parts.fault)
    expect(parts[0]?.content.end).toBe(body.length - '\r\n--boundary--'.length)
    expect([fill, looked.bytes < 2 * body.length]).toEqual([fill, true])
  }
})

/** A native search is a call that costs more than a byte. */
function counted(target: Uint8Array, key: string | symbol, looked: { bytes: number }): unknown {
  const method: unknown = Reflect.get(target, key)
  return (...args: readonly unknown[]) => {
    if (key === 'indexOf') looked.bytes += 5
    return Reflect.apply(method as (...all: readonly unknown[]) => unknown, target, args)
  }
}
