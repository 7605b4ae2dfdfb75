import { login, logout } from '@sluice/contract/routes/session'
import { getToken, listTokens, updateToken } from '@sluice/contract/routes/tokens'
import { describe, expect, it } from 'vitest'
import { requestInit, requestUrl } from './request.ts'

const now = 1_760_000_000_000

describe('request', () => {
  it('puts the time into the address of a GET and leaves empty filters out', { tags: 'A7.1' }, () => {
    const url = requestUrl(listTokens, { query: { p: '0', size: '10', sort: '' } }, now)
    expect(url).toBe(`/api/token/?p=0&size=10&_t=${now}`)
  })

  it('forbids caches to answer a GET', { tags: 'A7.1' }, () => {
    const { headers, cache } = requestInit(listTokens, {}, 'en')
    expect(headers).toMatchObject({ 'Cache-Control': 'no-cache', Pragma: 'no-cache' })
    expect(cache).toBe('no-store')
  })

  it('marks the request as sent by a script, with a header that no link or picture can send', () => {
    expect(requestInit(logout, {}, 'en').headers).toMatchObject({ 'X-Requested-With': 'XMLHttpRequest' })
  })

  it('fills in path parameters, encoded', () => {
    expect(requestUrl(getToken, { params: { id: 7 } }, now)).toBe(`/api/token/7?_t=${now}`)
    expect(requestUrl(getToken, { params: { id: '../user' } }, now)).toBe(`/api/token/..%2Fuser?_t=${now}`)
  })

  it('adds no time to writes', () => {
    expect(requestUrl(updateToken, { query: { status_only: '1' } }, now)).toBe('/api/token/?status_only=1')
  })

  it('sends a body as JSON, and cookies only to its own origin', { tags: 'A7.1' }, () => {
    const init = requestInit(login, { body: { username: 'root', password: 'x' } }, 'en')
    expect(init.body).toBe('{"username":"root","password":"x"}')
    expect(init.headers).toMatchObject({ 'Content-Type': 'application/json' })
    expect(init.credentials).toBe('same-origin')
  })

  it('requests messages in the language of the console, whatever the browser prefers', () => {
    expect(requestInit(listTokens, {}, 'zh-CN').headers).toMatchObject({ 'Accept-Language': 'zh-CN' })
  })
})
