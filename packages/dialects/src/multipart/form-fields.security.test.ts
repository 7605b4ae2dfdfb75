import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBodyRefusal } from '../body-refusal.ts'
import { readTranscriptionRequest } from '../openai-audio/transcription-request.ts'
import { readImageForm } from '../openai-images/edit-request.ts'

interface Part {
  readonly name: string
  readonly content: string
  readonly more?: string
}

const BOUNDARY = 'bound'
const written = (parts: readonly Part[], eol = '\r\n') => {
  const texts = parts.map(
    ({ name, content, more = '' }) =>
      `--${BOUNDARY}${eol}Content-Disposition: form-data; name="${name}"${more}${eol}${eol}${content}${eol}`,
  )
  return `${texts.join('')}--${BOUNDARY}--${eol}`
}
const bytes = (text: string) => new TextEncoder().encode(text)

const EDIT: readonly Part[] = [
  { name: 'model', content: 'cheap' },
  { name: 'prompt', content: 'a cat' },
  { name: 'image', content: 'PNG', more: '; filename="a.png"' },
  { name: 'n', content: '1' },
  { name: 'size', content: '256x256' },
  { name: 'quality', content: 'low' },
]
const SOUND: readonly Part[] = [
  { name: 'model', content: 'cheap' },
  { name: 'file', content: 'RIFF', more: '; filename="a.wav"' },
  { name: 'stream', content: 'false' },
]
const edit = (text: string) => readImageForm(bytes(text), BOUNDARY, true)
const sound = (text: string) => readTranscriptionRequest(bytes(text), BOUNDARY)

/**
 * A lenient reader: any line break, names in any case, brackets as a list, percent and quoted-printable escapes decoded, the last
 * duplicate wins, unknown syntax is skipped.
 */
function readLeniently(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const chunk of text.split(/(?:^|\r\n|\n|\r)--bound(?:--)?[^\S\r\n]*(?=\r|\n|$)/)) {
    const [, head = '', content = ''] = /^(?:\r\n|\n|\r)([\s\S]*?)(?:\r\n\r\n|\n\n|\r\r)([\s\S]*)$/.exec(chunk) ?? []
    const name = /name\*?\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(head)
    if (name === null || /filename/i.test(head)) continue
    const plain = (name[1] ?? name[2] ?? '').replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(parseInt(hex, 16)),
    )
    const isEncoded = /base64/i.test(head)
    found.set(plain.toLowerCase().replace(/\[.*$/, '').replaceAll('.', '_'), isEncoded ? atob(content) : content)
  }
  return found
}

const spelt = (name: string) =>
  fc
    .tuple(
      ...name
        .split('')
        .map((letter) => fc.constantFrom(letter, letter.toUpperCase(), `%${letter.charCodeAt(0).toString(16)}`)),
    )
    .chain((letters) => fc.constantFrom('', '[]', '[0]').map((end) => letters.join('') + end))

const eol = fc.constantFrom('\r\n', '\n', '\r')
const twin = fc
  .constantFrom('model', 'n', 'size', 'quality')
  .chain((name) => spelt(name).map((each) => ({ name, each })))

test.each([
  ['edits', edit, EDIT, { model: 'dear', n: '9', size: '4096x4096', quality: 'high' }],
  ['transcriptions', sound, SOUND, { model: 'dear' }],
] as const)(
  'a form of %s says the same to a lenient reader, or is refused',
  { tags: 'S40' },
  (_, read, parts, others) => {
    const attack = fc.tuple(twin, fc.nat(parts.length), eol, fc.constantFrom('part', 'inside', 'behind', 'encoded'))
    fc.assert(
      fc.property(attack, ([{ name, each }, at, breaks, kind]) => {
        const value = (others as Readonly<Record<string, string>>)[name]
        fc.pre(value !== undefined && each !== name)
        const more = kind === 'encoded' ? `${breaks}Content-Transfer-Encoding: base64` : ''
        const evil: Part = { name: each, content: kind === 'encoded' ? btoa(value) : value, more }
        const inside = `x${breaks}${written([evil], breaks)}`
        const text =
          kind === 'inside'
            ? written(parts.map((part) => (part.more === undefined ? part : { ...part, content: inside })))
            : kind === 'behind'
              ? written(parts) + written([evil], breaks)
              : written(parts.toSpliced(at, 0, evil))
        const request = read(text)
        if (isBodyRefusal(request)) return
        const seen = readLeniently(text)
        for (const field of Object.keys(others)) {
          const own = parts.find((part) => part.name === field)?.content
          expect([field, seen.get(field)]).toEqual([field, own])
        }
      }),
      { numRuns: 500 },
    )
  },
)

test('the same forms without it are read', () => {
  expect(edit(written(EDIT))).toMatchObject({ model: 'cheap', n: 1, size: '256x256', quality: 'low', given: 1 })
  expect(sound(written([...SOUND, { name: 'timestamp_granularities[]', content: 'word' }]))).toMatchObject({
    model: 'cheap',
  })
  const several = [...EDIT, { name: 'image[]', content: 'x', more: '; filename="b.png"' }]
  expect(edit(written(several))).toMatchObject({ given: 2 })
})

test.each([
  [{ name: 'Model', content: 'dear' }, 'model', 'must not be spelled "Model"'],
  [{ name: 'n[]', content: '9' }, 'n', 'must not be spelled "n[]"'],
  [{ name: 'image[0]', content: 'x' }, 'image', 'must not be spelled "image[0]"'],
])('a part %j is refused by the name of its field', { tags: 'S40' }, (part, field, rule) => {
  expect(edit(written([...EDIT, part]))).toMatchObject({ field, params: { rule: expect.stringContaining(rule) } })
})

test.each(['size', 'quality'])(
  'a %s that a provider might read as another word is refused',
  { tags: 'S42' },
  (name) => {
    for (const content of [' high', 'high ', '1024x1024\n', 'hi gh', 'hígh']) {
      const parts = EDIT.map((part) => (part.name === name ? { ...part, content } : part))
      expect([content, edit(written(parts))]).toMatchObject([content, { code: 'invalid_body', field: name }])
    }
  },
)

test.each(['10', '010', '11', '1e1', ' 9', '9.0', '-1', '٩', '', '99999999999999999999'])(
  'the number of pictures %j is read as a number or refused',
  { tags: 'S42' },
  (content) => {
    const parts = EDIT.map((part) => (part.name === 'n' ? { ...part, content } : part))
    const request = edit(written(parts))
    if (isBodyRefusal(request)) expect(request.field).toBe('n')
    else expect(request.n).toBe(10)
  },
)

test('a field that was sent as a file is refused: readers keep the two apart', { tags: 'S40' }, () => {
  const parts = SOUND.map((part) => (part.name === 'model' ? { ...part, more: '; filename="x"' } : part))
  expect(sound(written(parts))).toMatchObject({ code: 'invalid_body', field: 'model' })
})

test('hostile bytes behind a true head are a refusal or a form, never a throw', { tags: 'S27' }, () => {
  const noise = fc.array(
    fc.oneof(
      fc.constantFrom(
        '\r\n',
        '--bound',
        '\r\n--bound',
        '--',
        '\r\n\r\n',
        'Content-Disposition: form-data; name="',
        'n"',
        'model"',
        ';',
        ':',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
    ),
    { maxLength: 30 },
  )
  fc.assert(
    fc.property(noise, (pieces) => void [edit, sound].map((read) => read(`--bound\r\n${pieces.join('')}`))),
    { numRuns: 1_000 },
  )
})
