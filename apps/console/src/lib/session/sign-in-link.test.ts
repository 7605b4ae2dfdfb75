import { afterEach, expect, it } from 'vitest'
import { dropLinkToken, isOpenedByLink, takeLinkToken } from './sign-in-link.ts'

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
