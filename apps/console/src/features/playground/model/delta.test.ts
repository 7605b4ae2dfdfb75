import { describe, expect, it } from 'vitest'
import { readDelta } from './delta.ts'

const inDelta = (delta: unknown, more: object = {}) => readDelta({ choices: [{ index: 0, delta, ...more }] })
const text = (said: string) => ({ kind: 'text', text: said })
const reasoning = (said: string) => ({ kind: 'reasoning', text: said })

describe('the delta of a stream', () => {
  it('holds text as a string or as a list of text and thinking parts', { tags: 'C7.17' }, () => {
    expect(inDelta({ content: 'Hello' }).pieces).toEqual([text('Hello')])
    const parts = [
      { type: 'thinking', thinking: 'Let me see.' },
      { type: 'text', text: 'Yes' },
      {
        type: 'thinking',
        thinking: [
          { type: 'text', text: 'Or ' },
          { type: 'text', text: 'not?' },
        ],
      },
      { type: 'image', url: 'https://example.com/x.png' },
    ]
    expect(inDelta({ content: parts }).pieces).toEqual([reasoning('Let me see.'), text('Yes'), reasoning('Or not?')])
  })

  it.each(['reasoning', 'reasoning_content', 'thinking'])('holds reasoning as %s', { tags: 'C7.17' }, (name) => {
    expect(inDelta({ [name]: 'Because' }).pieces).toEqual([reasoning('Because')])
    expect(inDelta({ [name]: null, content: 'So' }).pieces).toEqual([text('So')])
  })

  it('gives the same reasoning once, under however many names it arrives', () => {
    const twice = { reasoning: 'Because', reasoning_content: 'Because', content: 'So' }
    expect(inDelta(twice).pieces).toEqual([reasoning('Because'), text('So')])
  })

  it('shows a refusal as text', () => {
    expect(inDelta({ refusal: 'I will not.' }).pieces).toEqual([text('I will not.')])
  })

  it('gives the reason why the model ended', () => {
    expect(inDelta({}, { finish_reason: 'length' })).toEqual({ pieces: [], error: undefined, finish: 'length' })
    expect(readDelta({ choices: [{ finish_reason: 'stop' }] }).finish).toBe('stop')
    expect(inDelta({ content: 'x' }, { finish_reason: null }).finish).toBeUndefined()
  })

  it.each([
    ['an event', { type: 'error', error: 'It broke.' }],
    ['an event with a message', { error: { message: 'It broke.', code: 'x' } }],
    ['a delta', { choices: [{ delta: { type: 'error', error: 'It broke.' } }] }],
    ['a part', { choices: [{ delta: { content: [{ type: 'error', error: 'It broke.' }] } }] }],
    ['a part with a message', { choices: [{ delta: { content: [{ type: 'error', message: 'It broke.' }] } }] }],
  ])('reports the error text of %s of type error', { tags: 'C7.17' }, (_, event) => {
    expect(readDelta(event).error).toBe('It broke.')
  })

  it('reports an error without a text as such', () => {
    expect(readDelta({ type: 'error' }).error).toBe('')
    expect(readDelta({ error: { code: 500 } }).error).toBe('')
  })

  it.each([
    null,
    [],
    'text',
    7,
    {},
    { choices: [] },
    { choices: null },
    { choices: [null] },
    { usage: {}, error: null },
  ])('ignores %j', (event) => {
    expect(readDelta(event)).toEqual({ pieces: [], error: undefined, finish: undefined })
  })

  it('keeps what arrives together with an error', () => {
    const { pieces, error } = inDelta({
      content: [
        { type: 'text', text: 'So far' },
        { type: 'error', error: 'Broke' },
      ],
    })
    expect([pieces, error]).toEqual([[text('So far')], 'Broke'])
  })
})
