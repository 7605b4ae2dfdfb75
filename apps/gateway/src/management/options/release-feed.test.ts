// @module-tag slow
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterEach, beforeEach, expect, it } from 'vitest'

let bench: ManagementBench
let root: TestCaller
let requests = 0
const closers: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  requests = 0
  bench = await openManagementBench()
  root = await bench.addCaller('root', 100)
})
afterEach(async () => {
  expect(bench.reported).toEqual([])
  await bench.close()
  for (const close of closers.splice(0)) await close()
})

async function feed(answer: RequestListener): Promise<void> {
  const server = createServer((request, reply) => {
    requests += 1
    answer(request, reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  bench.releaseFeed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/latest`
}
const json =
  (value: unknown): RequestListener =>
  (_, reply) =>
    void reply.end(JSON.stringify(value))
const look = () => bench.ask('GET', '/api/option/update', { as: root })

it('returns the newest release, and calls the feed once an hour, however many callers there are', async () => {
  await feed(json({ tag_name: 'v1.2.3', body: '# News', html_url: 'x' }))
  const expected = { success: true, data: { tag_name: 'v1.2.3', content: '# News' } }
  for (const reply of await Promise.all([look(), look(), look()])) expect(reply).toMatchObject(expected)
  expect(requests).toBe(1)
  bench.clock.now += 3_600_001
  expect(await look()).toMatchObject(expected)
  expect(requests).toBe(2)
})

it('reads a list of releases too, newest first', async () => {
  await feed(json([{ tag_name: 'v2', content: null, body: 'two' }, { tag_name: 'v1' }]))
  expect(await look()).toMatchObject({ data: { tag_name: 'v2', content: 'two' } })
})

it('says so when no feed is configured', async () => {
  expect(await look()).toMatchObject({
    status: 200,
    success: false,
    message: expect.stringContaining('SLUICE_RELEASE_FEED'),
  })
})

it.each<[string, RequestListener, string]>([
  ['it answered 404', (_, reply) => void reply.writeHead(404).end('{}'), 'it answered 404'],
  ['it is not JSON', (_, reply) => void reply.end('<html>'), 'its answer is not a release'],
  ['it is no release', json({ tag_name: 5 }), 'its answer is not a release'],
  ['it is endless', (_, reply) => void reply.end('x'.repeat(300_000)), ''],
  ['the line is cut', (_, reply) => void reply.destroy(), ''],
])('says why when %s, and tries again a minute later', async (_, answer, reason) => {
  await feed(answer)
  for (let i = 0; i < 2; i++) {
    const reply = await look()
    expect(reply).toMatchObject({ status: 200, success: false })
    expect(reply.message).toContain(`The release feed could not be read: ${reason}`)
  }
  expect(requests).toBe(1)
  bench.clock.now += 60_001
  await look()
  expect(requests).toBe(2)
})

it('is offline without harm', async () => {
  bench.releaseFeed = 'http://127.0.0.1:9/latest'
  expect(await look()).toMatchObject({ success: false, message: expect.stringContaining('could not be read') })
})
