import { expect, it } from 'vitest'
import { commentSentences, literalSentences, pageSentences } from './sentences.ts'

it('reads the sentences of comments, with the lines of one comment joined', () => {
  const source = `/**
 * The first sentence is
 * two lines long. \`Second\` is a sentence, too.
 */
const a = 1 // not a name: a remark
// oxlint-disable-next-line no-empty
`
  expect(commentSentences(source)).toEqual([
    'The first sentence is two lines long.',
    '`Second` is a sentence, too.',
    'not a name: a remark',
  ])
})

it('reads the texts of a source, without queries and names', () => {
  const source = `const texts = ['This token has expired.', 'token_id', \`At most \${most} of them are kept.\`, 'select id from token where id = 1']`
  expect(literalSentences(source)).toEqual(['This token has expired.', 'At most … of them are kept.'])
})

it('reads paragraphs, items and cells of a page, without headings and code', () => {
  const page = `# A heading that is left out

A [link](x.md) in a
paragraph is read.

- An item of a list

| Left cell of it | \`code\` |
|---|---|

\`\`\`sh
this is not read
\`\`\`
`
  expect(pageSentences(page)).toEqual(['A link in a paragraph is read.', 'An item of a list', 'Left cell of it'])
})
