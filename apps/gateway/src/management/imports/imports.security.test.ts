import { readdir } from 'node:fs/promises'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterEach, beforeEach, expect, it } from 'vitest'

let bench: ManagementBench
let root: TestCaller
beforeEach(async () => {
  bench = await openManagementBench()
  root = await bench.addCaller('root', 100)
  bench.importing = { start: async () => 1, stop: async () => {} }
})
afterEach(() => bench.close())

async function upload(headers: Record<string, string>) {
  const reply = await bench.fetch(
    new Request('http://localhost:3000/api/import/upload', {
      method: 'POST',
      headers: { host: 'localhost:3000', ...headers },
      body: Buffer.from('SQLite format 3\0'),
    }),
  )
  return { status: reply.status, ...((await reply.json()) as object) }
}

const files = () => readdir(bench.uploadDirectory).catch(() => [])
const binary = { 'content-type': 'application/octet-stream' }

it('nobody but root uploads, starts, stops or reads an import', { tags: 'S10' }, async () => {
  const admin = await bench.addCaller('admin', 10)
  expect(await upload(binary)).toMatchObject({ status: 401 })
  expect(await upload({ ...binary, cookie: admin.cookie })).toMatchObject({ status: 403 })
  const body = { source: { from: 'address', address: 'mysql://a@b/c' }, mode: 'import' }
  expect(await bench.ask('POST', '/api/import/', { as: admin, body })).toMatchObject({ status: 403 })
  expect(await bench.ask('POST', '/api/import/stop', { as: admin })).toMatchObject({ status: 403 })
  expect(await bench.ask('GET', '/api/import/', { as: admin })).toMatchObject({ status: 403 })
  expect(await files()).toEqual([])
})

it("another site's page cannot have a file uploaded, whatever it is called", { tags: 'S34' }, async () => {
  const { cookie } = root
  for (const foreign of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]) {
    expect(await upload({ ...binary, cookie, ...foreign })).toMatchObject({ success: false, code: 'cross_site' })
  }
  expect(await files()).toEqual([])
})

it(
  'a body that a form can send is no upload, even where the browser does not say whose form',
  { tags: 'S34' },
  async () => {
    const { cookie } = root
    for (const type of ['multipart/form-data; boundary=x', 'text/plain', 'application/x-www-form-urlencoded', '']) {
      const named = type === '' ? {} : { 'content-type': type }
      expect(await upload({ cookie, ...named })).toMatchObject({ status: 415, code: 'unsupported_content_type' })
    }
    expect(await files()).toEqual([])
    expect(await upload({ ...binary, cookie })).toMatchObject({ success: true })
  },
)

it('a compressed upload is refused, so that nothing unpacks without bound', { tags: 'S27' }, async () => {
  expect(await upload({ ...binary, cookie: root.cookie, 'content-encoding': 'gzip' })).toMatchObject({ status: 415 })
})

it('the audit log and refusals never hold the password of an address', { tags: 'S20' }, async () => {
  const password = 'correct-horse-battery'
  const ask = (address: string) =>
    bench.ask('POST', '/api/import/', { as: root, body: { source: { from: 'address', address }, mode: 'check' } })
  const fine = await ask(`mysql://oneapi:${password}@10.0.0.7:3306/oneapi`)
  const wrong = await ask(`http://oneapi:${password}@10.0.0.7/oneapi`)
  expect([fine.success, wrong.success]).toEqual([true, false])
  const audited = await bench.ask<readonly object[]>('GET', '/api/audit/', { as: root })
  expect(JSON.stringify(audited.data)).toContain('POST /api/import/')
  expect(JSON.stringify(audited.data)).toContain('(not recorded)')
  for (const text of [audited, wrong].map((reply) => JSON.stringify(reply))) expect(text).not.toContain(password)
})
