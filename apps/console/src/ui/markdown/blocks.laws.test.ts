import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBlockReader } from './blocks.ts'

const LINES = [
  'a', 'some words', '# Heading', '### Heading', '#', '- item', '  - inner', '    deep', '1. one', '* * *', '---', '===', '> quote', '>',
  '```ts', '```', '~~~', '    code', '| a | b |', '|---|---|', '| 1 | 2 |', '<div>', '</div>', '<!-- remark', '-->', '<pre>', '</pre>',
  '<?php', '?>', '<b x="1">', '[1]: https://a.test', '[1]:', '[1]: x "title', '"', "'", '[a', ']: x', '[see][1]', '[1]', '$$', 'x^2', '\\[',
  '\\]', '$a$ and $b$', '$5 and $10', '**bold', 'end**', '- [ ] task', '', '', '', ' ', '\t', '\r', '&amp;', '\\', '`', '(t', ')',
] // prettier-ignore

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...LINES).map((line) => `${line}\n`) },
  { weight: 2, arbitrary: fc.constantFrom(...LINES) },
  { weight: 1, arbitrary: fc.string({ maxLength: 5 }) },
)
const text = fc.array(piece, { maxLength: 24, size: 'max' }).map((pieces) => pieces.join(''))

const whole = (written: string, maths: boolean) => createBlockReader({ maths }).read(written)

describe('a text that grows', () => {
  it('has, wherever it is cut, the blocks that it would have as a whole', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(400), { maxLength: 12, size: 'max' }), fc.boolean(), (written, cuts, maths) => {
        const reader = createBlockReader({ maths })
        for (const cut of [...cuts.toSorted((a, b) => a - b), written.length]) {
          const part = written.slice(0, cut)
          expect(reader.read(part)).toEqual(whole(part, maths))
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('has them character by character', () => {
    fc.assert(
      fc.property(text, (written) => {
        const reader = createBlockReader({ maths: true })
        for (let end = 0; end <= written.length; end++) {
          const part = written.slice(0, end)
          expect(reader.read(part)).toEqual(whole(part, true))
        }
      }),
      { numRuns: 100 },
    )
  })
})
