import { tencentSignature } from '@sluice/providers/credentials/tencent-key'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, type SiteReply, startSite } from '@sluice/testkit/http-site'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'

const MODEL = 'hunyuan-turbo'
const USAGE = { PromptTokens: 11, CompletionTokens: 2, TotalTokens: 13 }

let hunyuan: Site
let world: GatewayWorld
let key = ''

beforeAll(async () => {
  hunyuan = await startSite(({ body }): SiteReply => {
    const { Stream } = JSON.parse(body) as { Stream?: boolean }
    if (Stream !== true) {
      const choice = { Index: 0, Message: { Role: 'assistant', Content: 'Hello' }, FinishReason: 'stop' }
      return { body: { Response: { Id: 'r1', Choices: [choice], Usage: USAGE } } }
    }
    const frames = [
      { Id: 'r2', Choices: [{ Index: 0, Delta: { Role: 'assistant', Content: 'Hel' } }] },
      { Id: 'r2', Choices: [{ Index: 0, Delta: { Content: 'lo' }, FinishReason: 'stop' }], Usage: USAGE },
    ]
    const text = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')
    return { headers: { 'content-type': 'text/event-stream' }, body: text }
  })
  world = await openGatewayWorld()
  await world.addChannel(hunyuan.url, [MODEL], { type: 23, key: '1250000000|AKID|secret' })
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await hunyuan.close()
})

const messages = [{ role: 'user', content: 'Hello' }]

it('signs the very bytes that it sends, and answers in the client’s spelling', async () => {
  const reply = await world.chat(key, { model: MODEL, messages })
  expect(await reply.json()).toMatchObject({
    choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 11, completion_tokens: 2 },
  })
  const request = hunyuan.seen.at(-1)
  if (request === undefined) throw new Error('nobody asked')
  expect(JSON.parse(request.body)).toEqual({ Model: MODEL, Messages: [{ Role: 'user', Content: 'Hello' }] })
  const said = { 'x-tc-action': 'ChatCompletions', 'x-tc-version': '2023-09-01', 'x-tc-region': 'ap-guangzhou' }
  expect(request.headers).toMatchObject(said)
  const headers = ['content-type', 'application/json', 'x-tc-action', 'ChatCompletions']
  const call = { host: new URL(hunyuan.url).host, service: 'hunyuan', headers, body: request.body }
  const seconds = Number(request.headers['x-tc-timestamp'])
  expect(request.headers.authorization).toBe(tencentSignature(call, { id: 'AKID', secret: 'secret' }, seconds))
})

it('streams to a client of another dialect', async () => {
  const reply = await fetch(`${world.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, max_tokens: 50, messages, stream: true }),
  })
  expect(reply.headers.get('x-sluice-losses')).toBe('max_tokens dropped')
  const text = await reply.text()
  expect(text).toContain('"text":"Hel"')
  expect(text).toContain('event: message_stop')
})
