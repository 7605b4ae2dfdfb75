import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConsoleFiles } from './console-files.ts'
import { targetOf } from './route.ts'
import { serveConsole } from './serve-console.ts'

let directory = ''
let server: Server
let port = 0
let challengeOn = false

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-console-'))
  await mkdir(join(directory, 'assets'))
  await mkdir(join(directory, '.vite'))
  await Promise.all([
    writeFile(join(directory, 'index.html'), '<!doctype html>page'),
    writeFile(join(directory, 'assets/app-abcd_123.js'), 'plain'),
    writeFile(join(directory, 'assets/app-abcd_123.js.br'), 'brotli'),
    writeFile(join(directory, 'assets/app-abcd_123.js.gz'), 'gzipped'),
    writeFile(join(directory, '.vite/manifest.json'), '{}'),
  ])
  const files = await loadConsoleFiles(directory)
  server = createServer((incoming, reply) =>
    serveConsole(files, incoming, reply, targetOf(incoming.url ?? '').path, 'the-id', {
      challengeOn: () => challengeOn,
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})

afterAll(async () => {
  server.close()
  await rm(directory, { recursive: true })
})

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** `fetch` would decompress and normalise; this does neither. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    request({ port, path, method, headers, host: '127.0.0.1' }, (reply) => {
      let body = ''
      reply.on('data', (chunk: Buffer) => (body += chunk.toString()))
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body }))
    })
      .on('error', reject)
      .end()
  })
}

test('the best encoding that the browser accepts is sent', async () => {
  const path = '/assets/app-abcd_123.js'
  expect(await ask(path, { 'accept-encoding': 'gzip, deflate, br' })).toMatchObject({ body: 'brotli' })
  expect(await ask(path, { 'accept-encoding': 'gzip, br;q=0' })).toMatchObject({ body: 'gzipped' })
  const plain = await ask(path)
  expect(plain).toMatchObject({ status: 200, body: 'plain' })
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.headers['vary']).toBe('Accept-Encoding')
})

test('hashed assets are cached forever, the page is requested again each time', async () => {
  expect((await ask('/assets/app-abcd_123.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const page = await ask('/')
  expect(page.headers['cache-control']).toBe('no-cache')
  const again = await ask('/', { 'if-none-match': String(page.headers['etag']) })
  expect(again).toMatchObject({ status: 304, body: '' })
})

test('routes of the console get its page; a missing asset stays missing', async () => {
  expect(await ask('/channels/edit/7')).toMatchObject({ status: 200, body: '<!doctype html>page' })
  expect((await ask('/assets/old-abcd_124.js')).status).toBe(404)
})

test('nothing outside the build is reachable', async () => {
  for (const path of [
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/.vite/manifest.json',
    '/assets/../index.html.br',
  ]) {
    expect((await ask(path)).body, path).not.toMatch(/root:|^\{\}/)
  }
})

test('only GET and HEAD are served', async () => {
  expect(await ask('/', {}, 'HEAD')).toMatchObject({ status: 200, body: '' })
  const reply = await ask('/somewhere', {}, 'POST')
  expect(reply.status).toBe(404)
  expect(JSON.parse(reply.body)).toMatchObject({ error: { code: 'unknown_path' } })
})

test('pages may run no script but ours and may not be framed', { tags: 'S14' }, async () => {
  for (const path of ['/', '/assets/app-abcd_123.js']) {
    const { headers } = await ask(path)
    const policy = String(headers['content-security-policy'])
    for (const rule of ["default-src 'none'", "script-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      expect(policy.split('; ')).toContain(rule)
    }
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|\*/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('same-origin')
  }
})

test(
  'pages may frame other hosts and show their pictures over https only, and send forms to no other host',
  { tags: 'S14' },
  async () => {
    const policy = String((await ask('/')).headers['content-security-policy']).split('; ')
    expect(policy).toContain('frame-src https:')
    // The page may show its own data (blob:), but nothing may run from there.
    expect(policy).toContain("img-src 'self' data: blob: https:")
    expect(policy).toContain("worker-src 'self'")
    expect(policy.filter((rule) => rule.includes('blob:'))).toHaveLength(1)
    expect(policy).toContain("connect-src 'self'")
    expect(policy).toContain("form-action 'self'")
  },
)

test(
  'scripts of the bot challenge may run on the page while the challenge is on, and no others',
  { tags: 'S14' },
  async () => {
    const before = await ask('/login')
    challengeOn = true
    const known = { 'if-none-match': String(before.headers['etag']) }
    const page = await ask('/login', known)
    expect(page.status).toBe(200)
    const scripts = String(page.headers['content-security-policy']).match(/script-src [^;]*/)
    expect(scripts?.[0]).toBe("script-src 'self' https://challenges.cloudflare.com")
    expect((await ask('/login', { 'if-none-match': String(page.headers['etag']) })).status).toBe(304)
    expect(String((await ask('/assets/app-abcd_123.js')).headers['content-security-policy'])).not.toContain(
      'cloudflare',
    )
    challengeOn = false
    const after = await ask('/login', { 'if-none-match': String(page.headers['etag']) })
    expect(after).toMatchObject({ status: 200 })
    expect(String(after.headers['content-security-policy'])).not.toContain('cloudflare')
  },
)

test('below a path the page asks for its files there, compressed or not, and the files stay as they are', async () => {
  const below = await mkdtemp(join(tmpdir(), 'sluice-console-'))
  const html =
    '<link rel="icon" href="/favicon.svg" /><script src="/theme.js"></script><a href="//host/x" data-src="/x">src="/y"</a>'
  await Promise.all([
    writeFile(join(below, 'index.html'), html),
    writeFile(join(below, 'index.html.br'), brotliCompressSync(html)),
    writeFile(join(below, 'theme.js'), 'load("/x")'),
  ])
  const files = await loadConsoleFiles(below, '/tools/ai')
  const page = files.get('/index.html')
  const expected = html.replace('"/favicon', '"/tools/ai/favicon').replace('"/theme', '"/tools/ai/theme')
  expect(page?.plain.toString()).toBe(expected)
  expect(brotliDecompressSync(page?.br ?? '').toString()).toBe(expected)
  expect(gunzipSync(page?.gzip ?? '').toString()).toBe(expected)
  expect(files.get('/theme.js')?.plain.toString()).toBe('load("/x")')
  const atRoot = await loadConsoleFiles(below)
  expect(atRoot.get('/index.html')).toMatchObject({ plain: Buffer.from(html), br: brotliCompressSync(html) })
  expect(atRoot.get('/index.html')?.etag).not.toBe(page?.etag)
  await rm(below, { recursive: true })
})

test('without a build there are no files, and the API still works', async () => {
  expect((await loadConsoleFiles(join(directory, 'absent'))).size).toBe(0)
})

test.each([
  ['a key', { authorization: 'Bearer sk-1' }],
  ['the key of Anthropic', { 'x-api-key': 'sk-1', accept: '*/*' }],
  ['the key of Azure', { 'api-key': 'k' }],
  ['that it reads JSON', { accept: 'application/json, */*' }],
  ['that it is an SDK', { 'x-stainless-lang': 'python' }],
])('a program that sends %s gets an error that there is no API, not a page', async (_, headers) => {
  for (const [path, method] of [
    ['/models', 'GET'],
    ['/chat/completions', 'POST'],
    ['/models/gpt-4o', 'HEAD'],
  ] as const) {
    const reply = await ask(path, headers, method)
    expect(reply).toMatchObject({ status: 404, headers: { 'content-type': 'application/json; charset=utf-8' } })
    if (method !== 'HEAD') expect(JSON.parse(reply.body)).toMatchObject({ error: { code: 'outside_of_api' } })
  }
})

test('a browser that opens a page gets it, even behind a proxy that requires a password', async () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const requested = [
    await ask('/models', { accept, authorization: 'Basic eA==' }),
    await ask('/models', { accept: '*/*' }),
  ]
  for (const reply of requested) expect(reply).toMatchObject({ status: 200, body: '<!doctype html>page' })
  expect(await ask('/', { accept: 'application/json' })).toMatchObject({ status: 200 })
})
