import { expect, test } from 'vitest'
import { noticeExcerpt } from './notice-strip.tsx'

test.each([
  ['Maintenance on Sunday.', { line: 'Maintenance on Sunday.', hasMore: false }],
  ['# Maintenance\n\nOn **Sunday**.', { line: 'Maintenance', hasMore: true }],
  ['See [the page](https://a.test) for `more`', { line: 'See the page for more', hasMore: true }],
  ['<h1>Hello</h1><script>x</script>', { line: 'Hello x', hasMore: true }],
  ['https://status.test/now', { line: '', hasMore: true }],
  ['word '.repeat(40), { line: `${'word '.repeat(28).trim()}…`, hasMore: true }],
])('a notice in one line: %j', (text, excerpt) => {
  expect(noticeExcerpt(text)).toEqual(excerpt)
})
