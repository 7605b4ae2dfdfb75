import { gunzipSync } from 'node:zlib'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterEach, expect, test } from 'vitest'

let bench: ManagementBench
let root: TestCaller

async function open(publicRateLimit = 0): Promise<void> {
  bench = await openManagementBench('sqlite', { publicRateLimit })
  root = await bench.addCaller('root', 100)
  await add('first')
}
afterEach(async () => {
  expect(bench.reported).toEqual([])
  await bench.close()
})

const add = (name: string) => {
  const models = Array.from({ length: 400 }, (_, at) => `${name}-${at}`)
  const prices = JSON.stringify(Object.fromEntries(models.map((model) => [model, { ratio: 1, completion_ratio: 2 }])))
  const channel = { name, type: 1, key: 'sk-x', group: 'default', models: models.join(','), model_configs: prices }
  return bench.ask('POST', '/api/channel/', { as: root, body: channel })
}
const get = (path: string, headers: Record<string, string> = {}) =>
  bench.fetch(new Request(`http://localhost:3000${path}`, { headers }))

const LISTS = ['/api/models/display', '/api/pricing', '/api/ratio_config', '/api/openapi.json']

test.each(LISTS)(
  '%s is not sent again to who has it, and compressed to who reads that',
  { tags: 'S27' },
  async (path) => {
    await open()
    const first = await get(path)
    const etag = first.headers.get('etag') ?? ''
    const text = await first.text()
    expect([first.status, text.length > 10_000]).toEqual([200, true])
    const second = await get(path, { 'if-none-match': `"other", ${etag}` })
    expect([second.status, await second.text(), second.headers.get('etag')]).toEqual([304, '', etag])
    const small = await get(path, { 'accept-encoding': 'gzip, br' })
    expect([small.headers.get('content-encoding'), small.headers.get('etag')]).toEqual(['gzip', etag])
    const bytes = Buffer.from(await small.arrayBuffer())
    expect(bytes.length).toBeLessThan(text.length / 3)
    expect(gunzipSync(bytes).toString()).toBe(text)
    const refused = await get(path, { 'accept-encoding': 'gzip;q=0' })
    expect(refused.headers.get('content-encoding')).toBeNull()
  },
)

test('a list changes as soon as channels or groups do', async () => {
  await open()
  const etagOf = async (as?: TestCaller) => {
    const { headers } = await get('/api/models/display', as ? { cookie: as.cookie } : {})
    expect(headers.get('vary')).toContain('Cookie')
    return headers.get('etag')
  }
  const first = await etagOf()
  expect(await etagOf()).toBe(first)
  await add('second')
  expect(await etagOf()).not.toBe(first)
  const own = await etagOf(root)
  await bench.ask('PUT', '/api/option/', { as: root, body: { key: 'GroupRatio', value: '{"default":3,"vip":1}' } })
  expect(await etagOf(root)).not.toBe(own)
})

test(
  'a network may ask for public pages so many times in a minute, and for fewer that are made for it alone',
  { tags: ['S27', 'S28'] },
  async () => {
    await open(20)
    for (let at = 0; at < 20; at++) expect((await bench.ask('GET', '/api/status')).success).toBe(true)
    for (const path of ['/api/status', '/api/models/display', '/api/openapi.json', '/api/oauth/state']) {
      const reply = await bench.ask('GET', path)
      expect(reply).toMatchObject({ success: false, status: 429, code: 'rate_limited' })
      expect(reply.message).toContain('20 requests per minute from one address without an account')
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    const elsewhere = { headers: { 'x-test-address': '203.0.113.9' } }
    expect((await bench.ask('GET', '/api/status', elsewhere)).success).toBe(true)
    expect((await bench.ask('GET', '/api/user/self', { as: root })).success).toBe(true)
    // Searches are not cached: 400 models are more than 64 KiB.
    let served = 0
    while (
      (await bench.ask('GET', `/api/models/display?keyword=${'first'.slice(0, 1 + (served % 5))}`, elsewhere)).success
    )
      served++
    expect(served).toBeLessThan(12)
    expect(served).toBeGreaterThan(0)
  },
)
