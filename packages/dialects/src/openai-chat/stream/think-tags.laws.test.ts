import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ThinkTags } from './think-tags.ts'

function split(pieces: readonly string[]): { readonly reasoning: string; readonly text: string } {
  const tags = new ThinkTags()
  const said = [...pieces.flatMap((piece) => tags.push(piece)), ...tags.end()]
  const of = (kind: string) => said.filter((part) => part.kind === kind).map(({ delta }) => delta)
  expect(said.every(({ delta }) => delta !== '')).toBe(true)
  return { reasoning: of('reasoning').join(''), text: of('text').join('') }
}

const tagged = fc
  .array(fc.constantFrom('<think>', '</think>', '<', '/', 'think', '>', ' ', '\n', 'word'), { maxLength: 12 })
  .map((words) => words.join(''))

test('the same text says the same, however it is cut', () => {
  fc.assert(
    fc.property(tagged, fc.array(fc.nat()), (text, places) => {
      const ends = [...places.map((place) => place % (text.length + 1)), text.length].toSorted((a, b) => a - b)
      const pieces = ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end)).filter((piece) => piece !== '')
      expect(split(pieces)).toStrictEqual(split(text === '' ? [] : [text]))
    }),
    { numRuns: 1_000 },
  )
})

test('an answer that does not begin with the tag is left as it is', () => {
  fc.assert(
    fc.property(tagged, (text) => {
      fc.pre(!text.trimStart().startsWith('<think>') && text !== '')
      expect(split([text])).toStrictEqual({ reasoning: '', text })
    }),
  )
})

test('thoughts and answer come out as they were put in', () => {
  const word = fc.stringMatching(/^[a-z<>/ ]{0,20}$/).filter((text) => !text.includes('</think>'))
  fc.assert(
    fc.property(word, word, (thought, answer) => {
      fc.pre(!`${thought}</think>`.slice(0, -8).includes('</think>'))
      expect(split([`<think>${thought}</think>\n\n${answer}`])).toStrictEqual({
        reasoning: thought,
        text: answer.trimStart(),
      })
    }),
  )
})

test('blanks without an end are not kept', () => {
  const tags = new ThinkTags()
  const said = Array.from({ length: 100 }, () => tags.push('\n')).flat()
  expect(said.map(({ delta }) => delta).join('')).toBe('\n'.repeat(100))
})
