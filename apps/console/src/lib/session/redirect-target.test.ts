import { describe, expect, it } from 'vitest'
import { safeRedirectTarget } from './redirect-target.ts'

describe('redirect target', { tags: 'S34' }, () => {
  it.each(['/tokens', '/tokens?p=2&sort=name', '/', '/logs#top', '/a//b'])('accepts the path %j', (target) => {
    expect(safeRedirectTarget(target)).toBe(target)
  })

  it.each([
    ['/ai/tokens?p=2', '/ai/tokens?p=2'],
    ['/tokens', '/tokens'],
    ['/ai/', '/ai/'],
    ['/aix//b', '/aix//b'],
    ['/ai//evil.example', undefined],
    ['/ai/\\evil.example', undefined],
    ['/ai/\t/evil.example', undefined],
    ['//ai/tokens', undefined],
    ['ai/tokens', undefined],
  ])('below a path %j leads to %j', (target, expected) => {
    expect(safeRedirectTarget(target, '/ai')).toBe(expected)
  })

  it.each([
    ['a foreign host', '//evil.example'],
    ['a backslash host', '/\\evil.example'],
    ['a backslash further in', '/tokens\\..\\x'],
    ['a tab that parsers drop', '/\t/evil.example'],
    ['a newline', '/tokens\n'],
    ['a full address', 'https://evil.example'],
    ['a script', 'javascript:alert(1)'],
    ['a relative path', 'tokens'],
    ['nothing', ''],
    ['no text', 7],
    ['an absent value', undefined],
  ])('refuses %s', (_, target) => {
    expect(safeRedirectTarget(target)).toBeUndefined()
  })
})
