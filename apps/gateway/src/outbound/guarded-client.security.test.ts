import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createAddressGuard } from './address-guard.ts'
import { openGuardedClient } from './guarded-client.ts'
import type { GuardedRequest } from './guarded-fetch.ts'

interface Site {
  readonly url: string
  readonly port: number
  readonly seen: IncomingMessage[]
}

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function site(answer: (request: IncomingMessage, reply: ServerResponse) => void): Promise<Site> {
  const seen: IncomingMessage[] = []
  const server = createServer((request, reply) => {
    seen.push(request)
    answer(request, reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, seen }
}

const hello = () => site((_, reply) => reply.end('hello'))
const leadsTo = (location: string) => site((_, reply) => reply.writeHead(302, { location }).end('moved'))

/** A new client whose resolver gives each name its next address. */
function client(policy: 'allow' | 'deny', names: Readonly<Record<string, readonly string[]>> = {}) {
  let resolved = 0
  const resolve = (host: string, _options: object, callback: (error: Error | null, found: object[]) => void) => {
    const found = names[host]
    const address = found?.[Math.min(resolved++, found.length - 1)]
    if (address === undefined) callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])
    else callback(null, [{ address, family: address.includes(':') ? 6 : 4 }])
  }
  const guarded = openGuardedClient(createAddressGuard(policy, resolve as never))
  closers.push(() => guarded.close())
  const get = (url: string, more: Partial<GuardedRequest> = {}) =>
    guarded.fetch({ method: 'GET', url, signal: AbortSignal.timeout(10_000), ...more })
  return { get, resolved: () => resolved }
}

const SPELLINGS = [
  ['http://169.254.169.254/latest/meta-data', 'dotted'],
  ['http://2852039166/', 'decimal'],
  ['http://0xa9fea9fe/', 'hexadecimal'],
  ['http://0251.0376.0251.0376/', 'octal'],
  ['http://0xa9.0xfe.169.254/', 'mixed'],
  ['http://169.254.43518/', 'three parts'],
  ['http://169.254.169.254./', 'trailing dot'],
  ['http://１６９.254.169.254/', 'full-width digits'],
  ['http://169。254。169。254/', 'ideographic full stops'],
  ['http://[::ffff:169.254.169.254]/', 'IPv6 mapped'],
  ['http://[::ffff:a9fe:a9fe]/', 'IPv6 mapped, hexadecimal'],
  ['http://[64:ff9b::a9fe:a9fe]/', 'NAT64'],
  ['http://[2002:a9fe:a9fe::]/', '6to4'],
  ['http://[fd00:ec2::254]/', 'metadata over IPv6'],
  ['http://[fe80::1]/', 'link-local IPv6'],
  ['http://100.100.100.200/', 'another cloud'],
  ['http://metadata.test/', 'a name'],
  ['http://METADATA.TEST/', 'a name in capitals'],
] as const

test.each(SPELLINGS)('%s (%s) is refused even where private addresses are allowed', { tags: 'S4' }, async (url) => {
  const { get } = client('allow', { 'metadata.test': ['169.254.169.254'] })
  expect(await get(url)).toMatchObject({ ok: false, fault: 'refused' })
})

test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://0.0.0.0/',
  'http://0/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
  'http://198.18.0.1/',
  'http://[fc00::1]/',
  'http://inside.test/',
  'http://inside.test./',
])('%s is refused where private addresses are denied', { tags: 'S3' }, async (url) => {
  const { get } = client('deny', { 'inside.test': ['10.0.0.1'], 'inside.test.': ['10.0.0.1'] })
  expect(await get(url)).toMatchObject({ ok: false, fault: 'refused' })
})

test.each([
  'file:///etc/passwd',
  'ftp://example.com/',
  'gopher://example.com/',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'http://user:secret@example.com/',
  'http://',
  'example.com',
  '//example.com/',
  '',
])('%j is not an address for this client', { tags: 'S3' }, async (url) => {
  expect(await client('allow').get(url)).toMatchObject({ ok: false, fault: 'address' })
})

test('a name is resolved once: what was checked is what is connected to', { tags: 'S4' }, async () => {
  const target = await hello()
  // A second look-up would find the metadata service.
  const { get, resolved } = client('allow', { 'moving.test': ['127.0.0.1', '169.254.169.254'] })
  const outcome = await get(`http://moving.test:${target.port}/`)
  expect(outcome).toMatchObject({ ok: true, status: 200 })
  expect(resolved()).toBe(1)
})

test('each redirect is checked again', { tags: 'S4' }, async () => {
  const { get } = client('allow', { 'trap.test': ['169.254.169.254'] })
  for (const location of ['http://169.254.169.254/', 'http://0xa9fea9fe/', 'http://trap.test/']) {
    const start = await leadsTo(location)
    expect(await get(start.url, { redirects: 5 })).toMatchObject({ ok: false, fault: 'refused' })
  }
  const file = await leadsTo('file:///etc/passwd')
  expect(await get(file.url, { redirects: 5 })).toMatchObject({ ok: false, fault: 'redirect' })
})

test('redirects are refused unless requested, and are bounded', { tags: 'S4' }, async () => {
  const target = await hello()
  const start = await leadsTo(target.url)
  const { get } = client('allow')
  expect(await get(start.url)).toMatchObject({ ok: false, fault: 'redirect' })
  expect(await get(start.url, { redirects: 1 })).toMatchObject({ ok: true, status: 200 })

  const ring = await site((_, reply) => reply.writeHead(302, { location: '/' }).end())
  expect(await get(ring.url, { redirects: 1_000 })).toMatchObject({ ok: false, fault: 'redirect' })
  expect(ring.seen).toHaveLength(6)
})

test('a request with a body is never sent on', { tags: 'S4' }, async () => {
  const target = await hello()
  const start = await leadsTo(target.url)
  const { get } = client('allow')
  const outcome = await get(start.url, { method: 'POST', body: 'code=1', redirects: 5 })
  expect(outcome).toMatchObject({ ok: false, fault: 'redirect' })
  expect(target.seen).toHaveLength(0)
})

test('a secret goes to the intended origin only', { tags: 'S5' }, async () => {
  const target = await hello()
  const start = await leadsTo(`${target.url}/next`)
  const { get } = client('allow')
  const secretHeaders = { authorization: 'Bearer canary' }
  expect(await get(start.url, { redirects: 1, secretHeaders, headers: { accept: 'text/plain' } })).toMatchObject({
    ok: true,
  })
  expect(start.seen[0]?.headers.authorization).toBe('Bearer canary')
  expect(target.seen[0]?.headers).toMatchObject({ accept: 'text/plain' })
  expect(target.seen[0]?.headers.authorization).toBeUndefined()
})

test('cookies are not stored between calls', { tags: 'S5' }, async () => {
  const target = await site((_, reply) => reply.setHeader('set-cookie', 'a=1').end('hello'))
  const { get } = client('allow')
  await get(target.url)
  await get(target.url)
  expect(target.seen).toHaveLength(2)
  for (const { headers } of target.seen) expect(headers.cookie).toBeUndefined()
})

test('a fault names neither the address nor the secret', { tags: 'S20' }, async () => {
  const { get } = client('deny')
  const outcome = await get('http://127.0.0.1/', { secretHeaders: { authorization: 'Bearer canary' } })
  expect(JSON.stringify(outcome)).not.toMatch(/canary|127/)
})

test('an endless answer is cut at its limit', { tags: 'S27' }, async () => {
  const target = await site((_, reply) => {
    const more = () => void (reply.destroyed || reply.write(Buffer.alloc(65_536), more))
    more()
  })
  const { get } = client('allow')
  expect(await get(target.url, { maxBytes: 100_000 })).toMatchObject({ ok: false, fault: 'too_large' })
})

test('a silent or slow server is left after its time', { tags: 'S27' }, async () => {
  const silent = await site(() => {})
  const slow = await site((_, reply) => {
    const timer = setInterval(() => reply.write('.'), 20)
    reply.on('close', () => clearInterval(timer))
  })
  const { get } = client('allow')
  for (const { url } of [silent, slow]) {
    expect(await get(url, { timeoutMs: 200 })).toMatchObject({ ok: false, fault: 'timeout' })
  }
})

test('a compressed answer is not decompressed', { tags: 'S27' }, async () => {
  const target = await site((_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end('bomb'))
  const { get } = client('allow')
  expect(await get(target.url)).toMatchObject({ ok: false, fault: 'broken' })
  expect(target.seen[0]?.headers['accept-encoding']).toBe('identity')
})
