import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type ManagementBench, openManagementBench } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, expect, it } from 'vitest'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

let bench: ManagementBench
beforeAll(async () => void (bench = await openManagementBench()))
afterAll(async () => {
  expect(bench.reported).toEqual([])
  await bench.close()
})

function used(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

async function signIn(body: ReadableStream | string, headers: Record<string, string> = {}) {
  const reply = await bench.fetch(
    new Request('http://localhost/api/user/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      ...(typeof body === 'string' ? {} : { duplex: 'half' }),
    }),
  )
  return { status: reply.status, json: (await reply.json()) as { code?: string } }
}

it('a form in pieces of one byte takes no more memory than is counted for it', { tags: 'S43' }, async () => {
  const pieces = 60_000
  let sent = 0
  let grown = 0
  const before = used()
  const body = new ReadableStream({
    pull: (stream) => {
      if (++sent < pieces) return stream.enqueue(new Uint8Array([0x20]))
      grown = used() - before
      stream.close()
    },
  })
  expect((await signIn(body)).json).toMatchObject({ code: 'invalid_json' })
  expect(grown).toBeLessThan(2_000_000)
})

it('forms of guests are small, and all those under way from one address are bounded', { tags: 'S43' }, async () => {
  const large = JSON.stringify({ username: 'x'.repeat(65_536), password: 'y' })
  expect(await signIn(large)).toMatchObject({ status: 413, json: { code: 'body_too_large' } })
  const stalled: ReadableStreamDefaultController[] = []
  const never = () => new ReadableStream({ start: (stream) => void stalled.push(stream) })
  const declared = { 'content-length': '65536' }
  const waiting = Array.from({ length: 256 }, () => signIn(never(), declared))
  await expect.poll(() => stalled).toHaveLength(256)
  expect(await signIn(never(), declared)).toMatchObject({ json: { code: 'rate_limited' } })
  expect(await signIn('{}', { 'x-test-address': '203.0.113.99' })).toMatchObject({ json: { code: 'invalid_body' } })
  for (const stream of stalled) stream.close()
  for (const { json } of await Promise.all(waiting)) expect(json.code).toBe('invalid_json')
  expect(await signIn('{}')).toMatchObject({ json: { code: 'invalid_body' } })
})
