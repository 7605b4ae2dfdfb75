import { expect, test } from 'vitest'
import { contentKind } from './rich-content.tsx'

test.each([
  ['', 'empty'],
  [' \n', 'empty'],
  ['https://status.example.com/page?x=1', 'page'],
  ['  HTTPS://example.com\n', 'page'],
  ['https://example.com is our page', 'markdown'],
  ['http://example.com', 'markdown'],
  ['javascript:alert(1)', 'markdown'],
  ['https://', 'markdown'],
  ['<h1>Hello</h1>', 'html'],
  ['\n<!-- x --><p>', 'html'],
  ['<!DOCTYPE html><p>', 'html'],
  ['<https://example.com>', 'markdown'],
  ['# Hello\n<b>x</b>', 'markdown'],
  ['5 < 6', 'markdown'],
] as const)('content %j is meant as %s', { tags: 'A7.4' }, (text, kind) => {
  expect(contentKind(text)).toBe(kind)
})
