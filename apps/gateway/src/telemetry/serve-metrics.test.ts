import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { type MetricsListener, createMetricsListener } from './serve-metrics.ts'

const TOKEN = 'a-token-of-some-length'
let server: Server | undefined
afterEach(() => server?.close())

async function listen(listener: MetricsListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}/metrics`
}
const ask = async (url: string) => await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } })

it('there are no metrics without a token, whoever asks', async () => {
  const url = await listen(createMetricsListener('', async () => 'secret'))
  for (const authorization of ['', 'Bearer', 'Bearer ', `Bearer ${TOKEN}`]) {
    const reply = await fetch(url, { headers: { authorization } })
    expect([reply.status, await reply.text()]).toEqual([404, 'not found\n'])
  }
})

it('scrapes at the same time read once', { tags: 'S28' }, async () => {
  let came = 0
  let reads = 0
  let release: (text: string) => void = () => {}
  const serve = createMetricsListener(TOKEN, () => {
    reads += 1
    return new Promise((resolve) => (release = resolve))
  })
  const url = await listen((request, reply) => {
    came += 1
    serve(request, reply)
  })
  const replies = Array.from({ length: 5 }, () => ask(url))
  await expect.poll(() => came).toBe(5)
  release('up 1\n')
  expect(await Promise.all(replies.map(async (reply) => await (await reply).text()))).toEqual(Array(5).fill('up 1\n'))
  expect(reads).toBe(1)
})

it('a read that fails is reported, and tried again by the next scrape', async () => {
  let reads = 0
  const url = await listen(
    createMetricsListener(TOKEN, async () => {
      reads += 1
      if (reads === 1) throw new Error('the database fell over')
      return 'up 1\n'
    }),
  )
  expect((await ask(url)).status).toBe(500)
  expect((await ask(url)).status).toBe(200)
})
