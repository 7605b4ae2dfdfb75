import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { login, logout } from '@sluice/contract/routes/session'
import { createToken, getToken, listTokens, searchTokens } from '@sluice/contract/routes/tokens'
import { afterEach, describe, expect, it } from 'vitest'
import { createClient, isSessionLoss } from './client.ts'

const running: Array<() => void> = []
afterEach(() => {
  for (const stop of running.splice(0)) stop()
})

const CALL_PATIENCE_MS = 60_000

/** Uses a real socket that answers every request with one status and body. */
async function clientFor(status: number, body: string | undefined, patience = CALL_PATIENCE_MS) {
  const server = createServer((_, response) => {
    if (body !== undefined) response.writeHead(status, { 'Content-Type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  running.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const seen = { lost: 0, broken: [] as string[], allowed: [] as number[] }
  const call = createClient({
    fetch: (url, init) => fetch(`http://127.0.0.1:${port}${url}`, init),
    now: () => 0,
    locale: () => 'en',
    timeout: (milliseconds) => {
      seen.allowed.push(milliseconds)
      return AbortSignal.timeout(patience)
    },
    onSessionLost: () => seen.lost++,
    onBrokenReply: (text) => seen.broken.push(text),
  })
  return { call, seen }
}

const credentials = { username: 'a', password: 'b' }

describe('client', () => {
  it('returns validated data and the total', { tags: ['A7.2', 'B7.1'] }, async () => {
    const { call } = await clientFor(200, '{"success":true,"message":"","data":[],"total":3}')
    expect(await call(listTokens, {})).toMatchObject({ ok: true, data: [], total: 3 })
  })

  it('answers success without data for routes that have none', async () => {
    const { call } = await clientFor(200, '{"success":true,"message":""}')
    expect(await call(logout, {})).toMatchObject({ ok: true, data: undefined })
  })

  it('keeps message, code and data of a refusal', { tags: 'B7.1' }, async () => {
    const { call, seen } = await clientFor(
      200,
      '{"success":false,"message":"totp_required","code":"refused","data":{"totp_required":true}}',
    )
    const reply = await call(login, { body: credentials })
    expect(reply).toMatchObject({ ok: false, kind: 'refused', message: 'totp_required', data: { totp_required: true } })
    expect(seen.lost).toBe(0)
  })

  it.each([401, 403])('treats status %d as the end of the session', async (status) => {
    const { call, seen } = await clientFor(status, '{"success":false,"message":"x"}')
    expect(await call(listTokens, {})).toMatchObject({ ok: false, kind: 'session' })
    expect(seen.lost).toBe(1)
  })

  it('treats the texts of the family as the end of the session', async () => {
    const { call, seen } = await clientFor(200, '{"success":false,"message":"access token is invalid"}')
    expect(await call(listTokens, {})).toMatchObject({ ok: false, kind: 'session' })
    expect(seen.lost).toBe(1)
  })

  it('shows what it can of data that breaks the contract', async () => {
    const { call, seen } = await clientFor(
      200,
      '{"success":true,"message":null,"data":[{"id":"1"},{"id":"one"}],"total":"2"}',
    )
    expect(await call(listTokens, {})).toMatchObject({ ok: true, data: [{ id: 1, name: '', budgets: [] }], total: 2 })
    expect(seen.broken).toEqual([])
  })

  it('reports which route sent an empty reply', async () => {
    const { call, seen } = await clientFor(200, '{"success":true,"message":"","data":"soon"}')
    expect(await call(getToken, { params: { id: 1 } })).toMatchObject({ ok: false, kind: 'reply' })
    expect(seen.broken).toEqual(['GET /api/token/:id: the reply holds nothing that can be shown'])
  })

  it('treats a change that was only confirmed as done', async () => {
    const { call } = await clientFor(200, '{"success":true,"message":""}')
    expect(await call(createToken, { body: { name: 'a' } })).toMatchObject({ ok: true, data: undefined })
  })

  it.each([
    ['no total', '{"success":true,"data":[{"id":1},{"id":2}]}'],
    ['no total and no data', '{"success":true,"message":""}'],
  ])('counts the listed rows when there is %s', { tags: 'A7.16' }, async (_, body) => {
    const { call } = await clientFor(200, body)
    const reply = await call(searchTokens, { query: { keyword: 'a' } })
    expect(reply).toMatchObject({ ok: true, total: reply.ok ? reply.data.length : -1 })
  })

  it('counts the pages before a page without a total', async () => {
    const { call } = await clientFor(200, '{"success":true,"data":[{"id":1}]}')
    expect(await call(listTokens, { query: { p: '2', size: '10' } })).toMatchObject({ total: 21 })
  })

  it('uses the status if a reply does not say whether it succeeded', async () => {
    const fine = await clientFor(200, '{"data":[{"id":1}]}')
    expect(await fine.call(listTokens, {})).toMatchObject({ ok: true, total: 1 })
    const failing = await clientFor(500, '{"data":[]}')
    expect(await failing.call(listTokens, {})).toMatchObject({ ok: false, kind: 'refused', status: 500 })
  })

  it('reads a page that is not JSON as a broken reply, and as a refusal when its status says so', async () => {
    const fine = await clientFor(200, '<html>')
    expect(await fine.call(listTokens, {})).toMatchObject({ ok: false, kind: 'reply' })
    const failing = await clientFor(502, '<html>')
    expect(await failing.call(listTokens, {})).toMatchObject({ ok: false, kind: 'refused', status: 502 })
  })

  it('reports an unreachable gateway', async () => {
    const { call } = await clientFor(200, '{}')
    for (const stop of running.splice(0)) stop()
    expect(await call(listTokens, {})).toMatchObject({ ok: false, kind: 'network', status: 0 })
  })

  it('gives up after ten seconds and reports a timeout', { tags: 'A9.1' }, async () => {
    const { call, seen } = await clientFor(200, undefined, 20)
    expect(await call(listTokens, {})).toMatchObject({ ok: false, kind: 'timeout' })
    expect(seen.allowed).toEqual([10_000])
  })

  it('ends quietly when it is aborted', async () => {
    const { call } = await clientFor(200, undefined)
    const abort = new AbortController()
    const reply = call(listTokens, { signal: abort.signal })
    abort.abort()
    expect(await reply).toMatchObject({ ok: false, kind: 'aborted' })
  })
})

const fine = { success: true, message: '' }
const refused = (message: string) => ({ success: false, message })

describe('session loss', { tags: 'A6.6' }, () => {
  it.each([
    ['an unauthorised status', '/api/token/', 401, fine, true],
    ['a forbidden status', '/api/channel/', 403, refused('x'), true],
    ['an invalid access token', '/api/token/', 200, refused('the access token is invalid'), true],
    ['a missing sign-in', '/api/token/', 200, refused('not logged in'), true],
    ['a missing permission', '/api/x', 200, refused('No permission to perform this operation, too low'), true],
    ['an ordinary refusal', '/api/token/', 200, refused('Token name is required'), false],
    ['a success that quotes the words', '/api/about', 200, { success: true, message: 'not logged in' }, false],
    ['the price list, which visitors may read', '/api/models/display', 401, refused('not logged in'), false],
  ] as const)('%s', (_, path, status, envelope, expected) => {
    expect(isSessionLoss(path, status, envelope)).toBe(expected)
  })
})
