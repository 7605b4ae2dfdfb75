import { defineRoute } from '@sluice/contract/route'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { type Binding, bind, bindUpdate } from './bind.ts'
import { mount } from './mount.ts'

const list = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/thing/',
  access: 'public',
  summary: '',
  data: v.array(v.string()),
  paged: true,
})
const one = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/thing/:id',
  access: 'public',
  summary: '',
  data: v.number(),
})
const special = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/thing/special',
  access: 'public',
  summary: '',
  data: v.string(),
})
const save = defineRoute({
  method: 'PUT',
  path: '/api/thing/',
  access: 'public',
  summary: '',
  query: v.object({
    status_only: v.optional(
      v.pipe(
        v.string(),
        v.transform((text) => text === '1'),
      ),
      '',
    ),
  }),
  body: v.object({
    name: v.pipe(v.string(), v.minLength(2, 'is too short')),
    tags: v.optional(v.array(v.string()), []),
  }),
  statusBody: v.object({ status: v.picklist([1, 2]) }),
  data: v.unknown(),
})
const broken = defineRoute({ method: 'DELETE', path: '/api/thing/:id', access: 'public', summary: '' })
const tried = defineRoute({
  method: 'POST',
  path: '/api/thing/try',
  access: 'public',
  summary: '',
  extra: v.object({ time: v.number() }),
})

const reported: unknown[] = []
const bindings: readonly Binding[] = [
  bind(one, async ({ id }) => ({ data: id })),
  bind(list, async () => ({ data: ['a'], total: 7 })),
  bind(special, async () => ({ data: 'special' })),
  bindUpdate(save, {
    full: async ({ body }) => ({ data: { full: body } }),
    statusOnly: async ({ body }) => ({ data: { status: body } }),
  }),
  bind(broken, async () => {
    throw new Error('SQLITE_ERROR: no such table: secret_table')
  }),
  bind(tried, async () => ({ success: false, message: 'it did not work', extra: { time: 1.5 } })),
]
const app = mount(bindings, {
  identify: async () => ({ code: 'not_logged_in' }),
  holderOfKey: async () => ({ code: 'missing_key' }),
  record: (_spec, _call, run) => run(),
  network: () => '203.0.113.7',
  guests: { take: () => undefined, made: () => {} },
  serverAddress: () => '',
  settled: async () => {},
  report: (error) => reported.push(error),
  document: { openapi: '3.1.0' },
})

const ask = async (
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) => {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const init = { method, headers: { ...type, ...headers }, ...(body === undefined ? {} : { body }) }
  const reply = await app.fetch(new Request(`http://localhost${path}`, init))
  return { status: reply.status, headers: reply.headers, json: (await reply.json()) as Record<string, unknown> }
}

describe('a bound route', () => {
  it('answers in the envelope, with and without the trailing slash', async () => {
    for (const path of ['/api/thing', '/api/thing/', '/api/thing/?_=1700000000']) {
      const { status, json, headers } = await ask('GET', path)
      expect([status, json]).toEqual([200, { success: true, message: '', data: ['a'], total: 7 }])
      expect(headers.get('cache-control')).toBe('no-store')
    }
    expect((await ask('GET', '/api/thing/12')).json).toMatchObject({ data: 12 })
    expect((await ask('GET', '/api/thing/12/')).json).toMatchObject({ data: 12 })
  })

  it('is found before a pattern that would swallow it', async () => {
    expect((await ask('GET', '/api/thing/special')).json).toMatchObject({ data: 'special' })
  })

  it('puts extra fields next to data, and can fail with them', async () => {
    const { status, json } = await ask('POST', '/api/thing/try')
    expect([status, json]).toEqual([200, { success: false, message: 'it did not work', time: 1.5 }])
  })

  it('uses the status body when the query says so, and only then', async () => {
    expect((await ask('PUT', '/api/thing/?status_only=1', '{"status":2,"name":""}')).json).toMatchObject({
      data: { status: { status: 2 } },
    })
    expect((await ask('PUT', '/api/thing/', '{"status":2}')).json).toMatchObject({
      success: false,
      code: 'invalid_body',
      message: 'name: is required.',
    })
  })

  it('ignores fields it does not know', async () => {
    expect((await ask('PUT', '/api/thing/', '{"name":"ab","role":100}')).json).toMatchObject({
      data: { full: { name: 'ab', tags: [] } },
    })
  })
})

describe('bad input', () => {
  const put = (body: string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>) =>
    ask('PUT', '/api/thing/', body, headers)

  it('is refused with the field and its rule, as HTTP 200', async () => {
    const cases: readonly (readonly [string, string])[] = [
      ['{"name":"a"}', 'name: is too short.'],
      ['{"name":5}', 'name: expected string, got 5.'],
      ['{"name":"ab","tags":["x",1]}', 'tags.1: expected string, got 1.'],
      ['[]', 'name: is required.'],
      ['null', 'body: expected Object, got null.'],
    ]
    for (const [body, message] of cases) {
      const { status, json } = await put(body)
      expect([status, json]).toEqual([200, { success: false, code: 'invalid_body', message }])
    }
  })

  it('is refused in Chinese to a client that names that language first, with the same code', async () => {
    const say = async (languages: string) =>
      (await ask('PUT', '/api/thing/', '{}', { 'accept-language': languages })).json
    expect(await say('zh-CN')).toMatchObject({ message: 'name：为必填项。', code: 'invalid_body' })
    expect(await say('zh-TW,zh;q=0.9,en;q=0.8')).toMatchObject({ message: 'name：为必填项。' })
    for (const languages of ['', '*', 'en-GB,zh;q=0.5', 'zhx']) {
      expect(await say(languages), languages).toMatchObject({ message: 'name: is required.' })
    }
  })

  it('is HTTP 400 when it is not JSON, without repeating the body', async () => {
    const { status, json } = await put('{"name":"my secret"')
    expect([status, json['code']]).toEqual([400, 'invalid_json'])
    expect(json['message']).toMatch(/^The request body is not valid JSON: .+\.$/)
    expect(json['message']).not.toContain('secret')
    expect((await put(new Uint8Array([0x22, 0xff, 0x22]))).json['message']).toContain('it is not UTF-8')
    expect((await put('{"name":"a\\u0000b"}')).json['message']).toContain('NUL')
    expect((await put('{"name":"a","__proto__":{}}')).json['message']).toContain('the key "__proto__" is not allowed')
    expect((await put('{"name":{"constructor":1}}')).json['message']).toContain('the key "constructor" is not allowed')
    expect((await ask('PUT', '/api/thing/?status_only=%00', '{}')).json).toMatchObject({ code: 'invalid_body' })
  })

  it('is HTTP 415 when its type is not JSON, or when it is compressed', async () => {
    expect((await put('{}', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await put('{}', { 'content-type': 'application/jsonp' })).status).toBe(415)
    expect((await put('{"name":"ab"}', { 'content-type': 'Application/JSON; charset=utf-8' })).status).toBe(200)
    expect((await put('{}', { 'content-encoding': 'gzip' })).status).toBe(415)
  })

  it('is HTTP 413 above 64 KiB from a guest, announced or not', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(65_536) })
    expect((await put(large)).status).toBe(413)
    let sent = 0
    const endless = new ReadableStream({
      pull: (controller) => {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(0x20))
      },
    })
    const request = new Request('http://localhost/api/thing/', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: endless,
      duplex: 'half',
    })
    expect((await app.fetch(request)).status).toBe(413)
    expect(sent).toBeLessThan(1_000_000)
  })

  it('does not query a column with an id beyond its range', async () => {
    expect((await ask('GET', '/api/thing/2147483648')).json).toMatchObject({ success: false, code: 'not_found' })
    expect((await ask('GET', `/api/thing/${'9'.repeat(400)}`)).json).toMatchObject({ code: 'not_found' })
  })
})

describe('everything else', () => {
  it('is 404 for unknown paths and 405 with the methods for known ones', async () => {
    expect(await ask('GET', '/api/nothing')).toMatchObject({ status: 404, json: { code: 'unknown_path' } })
    expect(await ask('GET', '/api/thing/abc')).toMatchObject({ status: 404 })
    const wrong = await ask('DELETE', '/api/thing')
    expect(wrong).toMatchObject({ status: 405, json: { success: false, code: 'method_not_allowed' } })
    expect(wrong.headers.get('allow')).toBe('GET, PUT')
  })

  it('serves the API document', async () => {
    expect((await ask('GET', '/api/openapi.json')).json).toEqual({ openapi: '3.1.0' })
  })

  it('reports a bug and tells the caller nothing about it', async () => {
    const { status, json } = await ask('DELETE', '/api/thing/1')
    expect([status, json['code']]).toEqual([500, 'internal'])
    expect(JSON.stringify(json)).not.toContain('secret_table')
    expect(reported).toHaveLength(1)
  })
})
