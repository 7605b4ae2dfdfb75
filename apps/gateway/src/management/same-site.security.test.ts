import { changesSomething } from '@sluice/contract/route'
import { ROUTES } from '@sluice/contract/routes/all'
import { describe, expect, it } from 'vitest'
import { isCrossSite } from './same-site.ts'

const GUARDED = ROUTES.filter(({ spec }) => spec.method !== 'GET' || changesSomething(spec))
const CHANGING_GETS = GUARDED.filter(({ spec }) => spec.method === 'GET')
const READS = ROUTES.filter(({ spec }) => !GUARDED.some((route) => route.spec === spec))

const refused = (headers: Record<string, string>, route = GUARDED[0], serverAddress = ''): boolean => {
  if (route === undefined) throw new Error('no route')
  return isCrossSite(route.spec, new Headers({ host: 'sluice.example.org', ...headers }), serverAddress)
}

describe('a request that another site caused', { tags: 'S34' }, () => {
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
})

describe('a GET that changes something', { tags: 'S39' }, () => {
  /** Headers that browsers add to a request that no script of our page made. */
  const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const passes = (headers: Record<string, string>) =>
    CHANGING_GETS.filter((route) => !refused(headers, route)).map(({ name }) => name)
  const ALL = CHANGING_GETS.map(({ name }) => name)

  it('is any that opens an account, ends a session, sends mail, spends or calls another server', () => {
    expect(ALL.toSorted()).toEqual([
      'bindEmail',
      'bindWeChat',
      'examine',
      'fetchModelsOfChannel',
      'invitationCode',
      'logout',
      'oauthGitHub',
      'oauthLark',
      'oauthOidc',
      'oauthState',
      'oauthWeChat',
      'renewAccessToken',
      'requestPasswordReset',
      'sendVerificationCode',
      'testAllChannels',
      'testChannel',
      'totpSetup',
      'updateAllBalances',
      'updateChannelBalance',
    ])
  })

  it('is refused to a link, a picture, a frame or a saved link, wherever it was', () => {
    for (const site of ['none', 'same-origin', 'same-site', 'cross-site']) {
      for (const [dest, mode] of [
        ['document', 'navigate'],
        ['image', 'no-cors'],
        ['iframe', 'navigate'],
        ['script', 'no-cors'],
        // A saved link, and a prefetch.
        ['empty', 'no-cors'],
      ] as const) {
        const headers = { 'sec-fetch-site': site, 'sec-fetch-dest': dest, 'sec-fetch-mode': mode }
        expect([headers, passes(headers)]).toEqual([headers, []])
        expect(passes({ ...headers, 'x-requested-with': 'XMLHttpRequest' })).toEqual([])
      }
      // A part of the headers that browsers send is not enough.
      expect(passes({ 'sec-fetch-site': site })).toEqual([])
    }
  })

  it('is refused to a browser that does not say where it calls from, unless a script of our page calls', () => {
    const picture = { 'user-agent': BROWSER, accept: 'image/avif,image/webp,*/*;q=0.8' }
    const simple = { 'user-agent': BROWSER, accept: 'application/json' }
    // A script on another host of the same site can set all these without permission.
    const forced = { ...simple, 'cache-control': 'no-cache', pragma: 'no-cache', 'accept-language': 'en' }
    for (const headers of [
      { accept: 'text/html,application/xhtml+xml' },
      { accept: picture.accept },
      picture,
      simple,
      forced,
      { ...simple, referer: 'http://sluice.example.org/about' },
    ]) {
      expect([headers, passes(headers)]).toEqual([headers, []])
    }
    expect(passes({ ...simple, 'x-requested-with': 'XMLHttpRequest' })).toEqual(ALL)
    expect(passes({ ...simple, 'x-requested-with': 'XMLHttpRequest', origin: 'http://evil.example' })).toEqual([])
  })

  it('passes from scripts of our pages and from programs, even with cookies', () => {
    const cookie = 'session=x'
    const ours = { 'user-agent': BROWSER, 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', cookie }
    expect(passes({ ...ours, 'sec-fetch-site': 'same-origin' })).toEqual(ALL)
    for (const agent of ['curl/8.5.0', 'python-requests/2.32', 'Go-http-client/1.1', 'axios/1.7', '']) {
      expect([agent, passes({ 'user-agent': agent, accept: '*/*', cookie })]).toEqual([agent, ALL])
    }
    // The headers that Node's own fetch adds.
    expect(passes({ 'user-agent': 'node', 'sec-fetch-mode': 'cors', accept: '*/*', cookie })).toEqual(ALL)
  })
})

describe('a request of our own', () => {
  it('passes from the console and from programs', () => {
    const scripted = { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }
    for (const route of GUARDED) {
      expect(refused({ 'sec-fetch-site': 'same-origin', ...scripted }, route)).toBe(false)
      expect(refused({ 'sec-fetch-site': 'none', ...scripted }, route)).toBe(false)
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
