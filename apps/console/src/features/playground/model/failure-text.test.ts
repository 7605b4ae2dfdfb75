import { describe, expect, it } from 'vitest'
import { en } from '../texts/failures-texts.ts'
import { errorTextOf, failureText, MOST_CHARACTERS, refusalText } from './failure-text.ts'

const refusal = (body: unknown) => refusalText(418, 'Teapot', typeof body === 'string' ? body : JSON.stringify(body))

describe('the text of a refused call', () => {
  it.each([
    ['error.message', { error: { message: 'inside' }, message: 'beside', detail: 'last' }, 'inside'],
    ['a string error', { error: 'as text', message: 'beside', detail: 'last' }, 'as text'],
    ['message', { error: { code: 7 }, message: 'beside', detail: 'last' }, 'beside'],
    ['detail', { error: '', detail: 'last' }, 'last'],
  ])('is taken from %s', { tags: 'C8.8' }, (_, body, text) => {
    expect(refusal(body)).toBe(text)
  })

  it(
    'is the status with the body when no field gives a message, or the raw body when that is not JSON',
    { tags: 'C8.8' },
    () => {
      expect(refusal({ detail: [{ msg: 'field required' }] })).toBe('HTTP 418: {"detail":[{"msg":"field required"}]}')
      expect(refusal('null')).toBe('HTTP 418: null')
      expect(refusal('upstream connect error\n')).toBe('upstream connect error')
    },
  )

  it('is the status alone when there is no body', { tags: 'C8.8' }, () => {
    expect(refusal('')).toBe('HTTP 418: Teapot')
    expect(refusalText(502, '', ' ')).toBe('HTTP 502')
  })
})

describe('the text of a failure', () => {
  it('is the reported text, shortened when it is very long', () => {
    expect(failureText({ kind: 'told', text: 'No quota.' }, 'send', en)).toBe('No quota.')
    const long = failureText({ kind: 'told', text: 'x'.repeat(70_000) }, 'send', en)
    expect(long).toHaveLength(2_000)
    expect(long.endsWith('x…')).toBe(true)
  })

  it('names an error event without a text, and an answer without a body', { tags: 'C8.9' }, () => {
    expect(failureText({ kind: 'told', text: '' }, 'send', en)).toBe('Stream error')
    expect(failureText({ kind: 'noBody' }, 'send', en)).toBe('No response body')
  })

  it('falls back to what was attempted when no answer arrived', { tags: 'C8.10' }, () => {
    expect(failureText({ kind: 'unsent' }, 'send', en)).toBe('Failed to send message')
    expect(failureText({ kind: 'unsent' }, 'regenerate', en)).toBe('Failed to regenerate message')
  })

  it('names the limit that ended a reply', () => {
    expect(failureText({ kind: 'silent' }, 'send', en)).toContain(' 5 minutes')
    expect(failureText({ kind: 'tooLong' }, 'send', en)).toContain(MOST_CHARACTERS.toLocaleString('en'))
    const broken = (['broken', 'cut', 'unreadable'] as const).map((kind) => failureText({ kind }, 'send', en))
    expect(broken).toEqual([en.broken, en.cut, en.unreadable])
  })
})

describe('the text of an error', () => {
  it.each([
    [undefined],
    [null],
    ['text'],
    [[]],
    [{}],
    [{ error: {} }],
    [{ error: { message: 5 } }],
    [{ message: ' ' }],
  ])('is empty for %j', (said) => {
    expect(errorTextOf(said)).toBe('')
  })
})
