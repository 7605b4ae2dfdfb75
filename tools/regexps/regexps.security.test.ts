import { resolve } from 'node:path'
import { analyse } from 'scslre'
import { describe, expect, test } from 'vitest'
import { type FoundRegexp, listRegexps } from './list-regexps.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** Allowed because their input is bounded, as noted. */
const BOUNDED: Readonly<Record<string, readonly string[]>> = {
  // The notice is root's own text, read in a visitor's browser; a line is cut to 140 characters.
  'apps/console/src/features/content/ui/notice-strip.tsx': [
    '<!--[^]*?-->|<[^>]*>',
    '\\s+\\S*$',
    '!?\\[([^\\]]*)\\]\\([^)]*\\)',
  ],
  // The digits of an amount.
  'apps/console/src/features/logs/model/receipt/receipt-text.ts': ['\\B(?=(\\d{3})+$)'],
  // A user's input in a search field on their own page.
  'apps/console/src/features/logs/model/filters/filter-terms.ts': [
    '(?:([a-z]+):)?(?:"([^"]*)"?|(\\S+))',
    '^(.*?)(?:(?<=^|\\s)([a-z]+):)?(?:"([^"]*)|((?<=^|\\s|:)[^\\s"]*))$',
  ],
}
/** Expressions composed of element names, alternatives of plain names, and the placeholders of a catalogue text. */
const MADE = [
  'apps/gateway/src/backup/s3/s3-replies.ts',
  'apps/gateway/src/backup/s3/s3-replies.ts',
  'apps/gateway/src/relay/endpoints/endpoints.ts',
  'packages/contract/src/refusal-in-chinese.ts',
]

const isSlow = ({ source, flags }: Pick<FoundRegexp, 'source' | 'flags'>) =>
  analyse({ source, flags }, { maxReports: 1 }).reports.length > 0

describe('regular expressions', () => {
  const { literals, made } = listRegexps(ROOT)

  test(
    'none takes time that grows with the square of its input, except those whose input is bounded',
    { tags: 'S44' },
    () => {
      const slow: Record<string, string[]> = {}
      for (const each of literals) if (isSlow(each)) (slow[each.file] ??= []).push(each.source)
      expect(slow).toEqual(BOUNDED)
    },
  )

  test(
    'all of them are seen: literals are found in the sources, and none is made from texts elsewhere',
    { tags: 'S44' },
    () => {
      expect(literals.length).toBeGreaterThan(400)
      expect(literals).toContainEqual({ file: 'packages/ledger/src/decimal-text.ts', source: '(?<!0)0+$', flags: '' })
      expect(made).toEqual(MADE)
    },
  )

  test.each([/\s*,\s*/, /\/+$/, /^(a+)+$/, /^[^@]+@[^@]+\.[^@]+$/])(
    '%s would be found',
    { tags: 'S44' },
    ({ source, flags }) => {
      expect(isSlow({ source, flags })).toBe(true)
    },
  )
})
