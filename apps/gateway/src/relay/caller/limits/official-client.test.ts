// @module-tag slow
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type HeldUpstream, startHeldUpstream } from '@sluice/testkit/held-upstream'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let upstream: HeldUpstream
let world: GatewayWorld

beforeAll(async () => {
  upstream = await startHeldUpstream()
  world = await openGatewayWorld()
  await world.addChannel(upstream.url, ['held'])
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await upstream.close()
})

test('OpenAI’s client retries when it was told to, and is served', async () => {
  const key = await world.addToken(world.root, { tpm: 60_000 })
  const before = world.chat(key, { model: 'held' })
  await upstream.answerNext(61_000)
  await before
  const seen: { readonly status: number; readonly retryAfter: string | null; readonly at: number }[] = []
  const watched: typeof fetch = async (input, init) => {
    const reply = await fetch(input, init)
    seen.push({ status: reply.status, retryAfter: reply.headers.get('retry-after'), at: performance.now() })
    return reply
  }
  const client = new OpenAI({ apiKey: key, baseURL: `${world.url}/v1`, maxRetries: 1, fetch: watched })
  const answer = client.chat.completions.create({ model: 'held', messages: [{ role: 'user', content: 'Yes?' }] })
  await upstream.answerNext()
  expect((await answer).choices[0]?.message.content).toBe('Yes.')
  const [refused, answered] = seen
  expect(seen.map(({ status }) => status)).toEqual([429, 200])
  expect(Number(refused?.retryAfter)).toBeGreaterThan(0)
  expect((answered?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThan(Number(refused?.retryAfter) * 1_000 - 50)
})
