import { ROUTES } from '@sluice/contract/routes/all'
import { describe, expect, it } from 'vitest'
import { isCrossSite } from './same-site.ts'

const GUARDED = ROUTES.filter(({ spec }) => spec.method !== 'GET' || spec.stateChanging === true)
const READS = ROUTES.filter(({ spec }) => !GUARDED.some((route) => route.spec === spec))

const refused = (headers: Record<string, string>, route = GUARDED[0], serverAddress = ''): boolean => {
  if (route === undefined) throw new Error('no route')
  return isCrossSite(route.spec, new Headers({ host: 'sluice.example.org', ...headers }), serverAddress)
}

describe('S34 a request that another site caused', () => {
  it('is refused by every route that changes something', () => {
    expect(GUARDED.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['login', 'logout', 'testChannel', 'testAllChannels']),
    )
    for (const route of GUARDED) {
      expect([route.name, refused({ 'sec-fetch-site': 'cross-site' }, route)]).toEqual([route.name, true])
      expect([route.name, refused({ 'sec-fetch-site': 'same-site' }, route)]).toEqual([route.name, true])
      expect([route.name, refused({ origin: 'https://evil.example' }, route)]).toEqual([route.name, true])
      expect([route.name, refused({ origin: 'null' }, route)]).toEqual([route.name, true])
    }
  })

  it('is refused when its Origin only looks like ours', () => {
    for (const origin of [
      'https://sluice.example.org.evil.example',
      'https://evil.example/sluice.example.org',
      'https://sluice.example.org:8443',
      'https://xsluice.example.org',
    ]) {
      expect([origin, refused({ origin })]).toEqual([origin, true])
    }
  })

  it('S14 is refused to a link or a picture in a text that our own page shows', () => {
    const gets = GUARDED.filter(({ spec }) => spec.method === 'GET')
    expect(gets.map(({ name }) => name)).toEqual(expect.arrayContaining(['renewAccessToken', 'testAllChannels']))
    for (const route of gets) {
      for (const dest of ['document', 'image', 'iframe']) {
        const headers = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': dest }
        expect([route.name, dest, refused(headers, route)]).toEqual([route.name, dest, true])
      }
      expect(refused({ 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' }, route)).toBe(false)
    }
  })

  it('is refused as a navigation when the browser says nothing else', () => {
    const logout = GUARDED.find(({ name }) => name === 'logout')
    expect(refused({ accept: 'text/html,application/xhtml+xml' }, logout)).toBe(true)
    expect(refused({ accept: 'application/json' }, logout)).toBe(false)
  })
})

describe('a request of our own', () => {
  it('passes from the console, from the address bar, and from programs', () => {
    for (const route of GUARDED) {
      expect(refused({ 'sec-fetch-site': 'same-origin' }, route)).toBe(false)
      expect(refused({ 'sec-fetch-site': 'none' }, route)).toBe(false)
      expect(refused({ origin: 'https://sluice.example.org' }, route)).toBe(false)
      expect(refused({ origin: 'http://sluice.example.org' }, route)).toBe(false)
      expect(refused({}, route)).toBe(false)
    }
  })

  it('passes behind a proxy that changes Host, by the configured address', () => {
    const headers = { host: '127.0.0.1:3000', origin: 'https://sluice.example.org' }
    expect(refused(headers, GUARDED[0])).toBe(true)
    expect(refused(headers, GUARDED[0], 'https://sluice.example.org')).toBe(false)
  })

  it('is never asked where it came from when it only reads', () => {
    for (const route of READS) expect(refused({ 'sec-fetch-site': 'cross-site' }, route)).toBe(false)
  })
})
