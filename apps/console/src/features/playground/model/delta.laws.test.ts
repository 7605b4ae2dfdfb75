import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Piece } from '../engine/playground.ts'
import { createThinkTags } from './delta.ts'

const joined = (pieces: readonly Piece[]) => {
  const of = (kind: Piece['kind']) => pieces.map((piece) => (piece.kind === kind ? piece.text : '')).join('')
  return [of('reasoning'), of('text')]
}
const read = (texts: readonly string[]) => {
  const tags = createThinkTags()
  return joined([...texts.flatMap((text) => tags.read(text)), ...tags.end()])
}

describe('thoughts in front of a reply', () => {
  it.each([
    ['<think>\nLet me see.\n</think>\n\nYes.', '\nLet me see.\n', 'Yes.'],
    [' \n<think></think>Yes.', '', 'Yes.'],
    ['<think>a < b </thin> c</think>Yes <think>no</think>', 'a < b </thin> c', 'Yes <think>no</think>'],
    ['<think>never closed </thi', 'never closed </thi', ''],
    ['Use <think> to think.', '', 'Use <think> to think.'],
    ['<thi', '', '<thi'],
    ['<thinking>x</thinking>', '', '<thinking>x</thinking>'],
    ['  plain', '', '  plain'],
    [`${' '.repeat(65)}<think>x</think>`, '', `${' '.repeat(65)}<think>x</think>`],
    ['', '', ''],
  ])('are told apart from its text: %j', (text, reasoning, answer) => {
    expect(read([text])).toEqual([reasoning, answer])
  })

  it('are the same wherever the text is split', () => {
    const parts = fc.constantFrom('<think>', '</think>', '<', '</', 'think', '>', ' ', '\n', 'a', '🚰', ' '.repeat(40))
    const texts = fc.array(parts, { maxLength: 12 }).map((each) => each.join(''))
    fc.assert(
      fc.property(texts, fc.array(fc.nat(40), { maxLength: 6 }), (text, cuts) => {
        const at = [0, ...cuts.filter((cut) => cut <= text.length).toSorted((a, b) => a - b), text.length]
        expect(read(at.slice(1).map((end, index) => text.slice(at[index], end)))).toEqual(read([text]))
      }),
      { numRuns: 500 },
    )
  })

  it('hold back no more than a tag and the whitespace before it', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 9 }), { maxLength: 20 }), (texts) => {
        const tags = createThinkTags()
        for (const text of ['<think>', ...texts]) tags.read(text)
        expect(
          tags
            .end()
            .map(({ text }) => text)
            .join('').length,
        ).toBeLessThan('</think>'.length)
      }),
    )
  })
})
