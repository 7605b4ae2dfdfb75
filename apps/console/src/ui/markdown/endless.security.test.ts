import { describe, expect, it } from 'vitest'
import { createBlockReader } from './blocks.ts'

/** As long as a long answer. A rule that looks back from every character would take longer than a test may. */
const LENGTH = 120_000
const endless = (sign: string) => sign.repeat(Math.ceil(LENGTH / sign.length))

describe('answers that are written to hold up the page', { tags: 'S27' }, () => {
  it.each([
    ['emphasis that crosses', endless('*a_')],
    ['formulas without an end', endless(String.raw`\(`)],
    ['empty formulas line by line', endless('$$\n')],
    ['amounts with blanks between them', `$1${endless(' ')}{$`],
    ['quotes in quotes', endless('>')],
    ['lists in quotes', endless('> - ')],
    ['lists in lists', `${endless('- ')}a`],
    ['beginnings of link targets', endless('[\n')],
    ['paragraphs without an end', endless('a b\n\n')],
  ])('%s are read quickly', (_, text) => {
    const blocks = createBlockReader({ maths: true }).read(text)
    expect(blocks.length).toBeGreaterThan(0)
  })

  it('keeps the words of markup that it does not process', () => {
    const text = `${'*a_'.repeat(300)} the end`
    expect(JSON.stringify(createBlockReader().read(text))).toContain(text)
  })
})
