import { expect, test } from 'vitest'
import { isSameBlock, markdownBlocks, type MarkdownBlock } from './blocks.ts'

const changed = (before: readonly MarkdownBlock[], after: readonly MarkdownBlock[]) =>
  after.filter(({ key, ...block }, index) => {
    const was = before[index]
    return was === undefined || !isSameBlock(was, { key, ...block })
  }).length

test('a text that grows changes only its last block', () => {
  const text = '# A\n\nFirst paragraph.\n\n- one\n- two\n\n```\ncode\n```\n\nThe last'
  const before = markdownBlocks(text)
  expect(before).toHaveLength(5)
  expect(changed(before, markdownBlocks(`${text} paragraph`))).toBe(1)
  expect(changed(before, markdownBlocks(`${text}\n\nAnother`))).toBe(1)
  expect(changed(before, markdownBlocks(text))).toBe(0)
})

test('a link that finds its target later is drawn anew', () => {
  const text = 'See [this][1].\n\nMore.'
  expect(changed(markdownBlocks(text), markdownBlocks(`${text}\n\n[1]: https://a.test`))).toBe(1)
})
