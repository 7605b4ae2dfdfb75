import { describe, expect, it, afterEach } from 'vitest'
import { safeRedirectTarget, dropLinkToken, isOpenedByLink, takeLinkToken } from './redirect-target.ts'

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

function windowAt(address: string) {
  const { hash, pathname, search } = new URL(address)
  const location = { hash, pathname, search }
  const addresses: string[] = []
  const history = { state: { key: 'k' }, replaceState: (_: unknown, __: string, to: string) => addresses.push(to) }
  return { addresses, window: { location, history } as unknown as Pick<Window, 'location' | 'history'> }
}

afterEach(dropLinkToken)

it('the token is taken out of the address and held until it is dropped', { tags: 'S20' }, () => {
  const { window, addresses } = windowAt('http://localhost/login?a=b#once=to_k-en')
  expect(takeLinkToken(window)).toBe('to_k-en')
  expect(addresses).toEqual(['/login?a=b'])
  expect(takeLinkToken(windowAt('http://localhost/login').window)).toBe('to_k-en')
  expect(isOpenedByLink('')).toBe(true)
  dropLinkToken()
  expect(isOpenedByLink('')).toBe(false)
})

it('other fragments are left alone', () => {
  for (const hash of ['', '#', '#once=', '#twice=x', '#once=a b', `#once=${'x'.repeat(101)}`]) {
    const { window, addresses } = windowAt(`http://localhost/login${hash}`)
    expect(takeLinkToken(window)).toBe('')
    expect(addresses).toEqual([])
    expect(isOpenedByLink(hash)).toBe(false)
  }
})
