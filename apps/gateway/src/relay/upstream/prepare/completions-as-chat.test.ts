import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, type SiteReply, startSite } from '@sluice/testkit/http-site'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

/** Legacy text completions at a provider that only supports chat. */
let site: Site
let world: GatewayWorld
let key = ''
let answer: SiteReply

const ZHIPU = 16

beforeAll(async () => {
  site = await startSite(() => answer)
  world = await openGatewayWorld()
  await world.addChannel(site.url, ['glm-x'], { type: ZHIPU, key: 'id.secret' })
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await site.close()
})

const complete = (body: object) =>
  fetch(`${world.url}/v1/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'glm-x', prompt: 'Once', max_tokens: 9, ...body }),
  })
const USAGE = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 }
const lastLog = async () => (await world.rows('select * from log where type = 2 order by id desc limit 1'))[0]

test('the prompt becomes a user’s message, the answer its completion', async () => {
  const message = { role: 'assistant', content: ' upon a time', reasoning_content: 'A story.' }
  answer = { body: { id: 'x', model: 'up', choices: [{ index: 0, message, finish_reason: 'length' }], usage: USAGE } }
  const reply = await complete({})
  expect(await reply.json()).toMatchObject({
    object: 'text_completion',
    model: 'glm-x',
    choices: [{ text: ' upon a time', index: 0, finish_reason: 'length' }],
    usage: USAGE,
  })
  expect(site.seen.at(-1)?.path).toMatch(/\/chat\/completions$/)
  expect(JSON.parse(site.seen.at(-1)?.body ?? '')).toStrictEqual({
    model: 'glm-x',
    messages: [{ role: 'user', content: 'Once' }],
    max_tokens: 9,
  })
  expect(await lastLog()).toMatchObject({ prompt_tokens: 20, completion_tokens: 5, ended: 'complete' })
})

test('streams', async () => {
  const chunks = [
    { id: 'x', model: 'up', choices: [{ index: 0, delta: { role: 'assistant', content: ' upon' } }] },
    { id: 'x', model: 'up', choices: [{ index: 0, delta: { content: ' a time' }, finish_reason: 'stop' }] },
    { id: 'x', model: 'up', choices: [], usage: USAGE },
  ]
  const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
  answer = { headers: { 'content-type': 'text/event-stream' }, body: `${events}data: [DONE]\n\n` }
  const text = await (await complete({ stream: true })).text()
  const said = text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)) as unknown)
  expect(said).toMatchObject([
    { object: 'text_completion', choices: [{ text: ' upon', finish_reason: null }] },
    { choices: [{ text: ' a time', finish_reason: null }] },
    { choices: [{ text: '', finish_reason: 'stop' }] },
  ])
  expect(text).toMatch(/data: \[DONE\]\n\n$/)
  expect(await lastLog()).toMatchObject({ prompt_tokens: 20, completion_tokens: 5, ended: 'complete' })
})

test('what only completion models can do is refused by its name', async () => {
  const reply = await complete({ suffix: 'the end' })
  expect([reply.status, await reply.json()]).toMatchObject([400, { error: { param: 'suffix' } }])
})
