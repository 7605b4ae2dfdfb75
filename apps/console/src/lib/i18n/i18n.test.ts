import { describe, expect, it } from 'vitest'
import { initialLocale } from './i18n.ts'

describe('language of a first visit', () => {
  it.each([
    ['the stored choice wins', 'zh-CN', ['en-GB'], 'zh-CN'],
    ['an unknown stored choice is ignored', 'tlh', ['zh-TW', 'en'], 'zh-CN'],
    ['the first offered browser language counts', null, ['de', 'en-US', 'zh-CN'], 'en'],
    ['nothing offered falls back to English', null, ['de', 'fr'], 'en'],
    ['no languages at all', null, [], 'en'],
  ] as const)('%s', (_, stored, preferred, expected) => {
    expect(initialLocale(stored, preferred)).toBe(expected)
  })
})
