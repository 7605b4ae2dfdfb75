import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, startSite } from '@sluice/testkit/http-site'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

/** What providers with their own variants of chat receive when a chat client's request is passed on. */
let site: Site
let world: GatewayWorld
let key = ''

const [OPENAI, ZHIPU, OPENROUTER, MISTRAL, DEEPSEEK, BAILIAN] = [1, 16, 20, 28, 36, 49]

const REPLY = {
  id: 'x',
  object: 'chat.completion',
  model: 'up',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Good day' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 },
}

beforeAll(async () => {
  site = await startSite(() => ({ body: REPLY }))
  world = await openGatewayWorld()
  const add = (type: number, model: string) => world.addChannel(site.url, [model], { type, key: 'id.secret' })
  for (const model of ['gpt-4o', 'o3', 'gpt-5.1', 'gpt-5.6-sol']) await add(OPENAI, model)
  await add(ZHIPU, 'glm-5.2')
  await add(OPENROUTER, 'router/x')
  await add(MISTRAL, 'mistral-x')
  await add(DEEPSEEK, 'deepseek-v4-pro')
  await add(BAILIAN, 'qwen-plus')
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await site.close()
})

async function ask(body: object) {
  const reply = await world.chat(key, body)
  expect(reply.status).toBe(200)
  expect(await reply.json()).toStrictEqual(REPLY)
  const sent = JSON.parse(site.seen.at(-1)?.body ?? '{}') as Readonly<Record<string, unknown>>
  return { sent, losses: reply.headers.get('x-sluice-losses') }
}
const ASK = { role: 'user', content: 'Say something.' }

describe('a chat client', () => {
  test('is passed on byte for byte where nothing needs to differ', async () => {
    const text = '{ "model":"deepseek-v4-pro", "messages": [{"role":"user","content":"Hi"}], "x_new": {"a":[1]} }'
    const reply = await fetch(`${world.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: text,
    })
    expect(reply.status).toBe(200)
    await reply.text()
    expect(site.seen.at(-1)?.body).toBe(text)
  })

  test.each([
    ['deepseek-v4-pro', { thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
    ['glm-5.2', { thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
    ['qwen-plus', { enable_thinking: true, thinking_budget: 16_384 }],
    ['router/x', { reasoning: { effort: 'high' } }],
  ])('requests thinking from %s in that vendor’s format', async (model, asked) => {
    const { sent } = await ask({ model, messages: [ASK], reasoning_effort: 'high', vendor_field: 1 })
    expect(sent).toStrictEqual({ model, messages: [ASK], vendor_field: 1, ...asked })
  })

  test.each([
    ['gpt-4o', {}, { temperature: 0.7, max_completion_tokens: 4_096 }, null],
    ['o3', {}, { max_completion_tokens: 4_096 }, 'temperature dropped'],
    ['gpt-5.1', {}, { temperature: 0.7, max_completion_tokens: 4_096 }, null],
    ['gpt-5.1', { reasoning_effort: 'high' }, { max_completion_tokens: 4_096 }, 'temperature dropped'],
    ['gpt-5.6-sol', {}, { max_completion_tokens: 4_096 }, 'temperature dropped'],
    ['gpt-5.6-sol', { reasoning_effort: 'none' }, { temperature: 0.7, max_completion_tokens: 4_096 }, null],
  ])(
    'can send %s both caps and a temperature: OpenAI receives what it takes',
    async (model, more, heard, translated) => {
      const caps = { max_tokens: 4_096, max_completion_tokens: 4_096 }
      const { sent, losses } = await ask({ model, messages: [ASK], temperature: 0.7, ...caps, ...more })
      expect(sent).toStrictEqual({ model, messages: [ASK], ...heard, ...more })
      expect(losses).toBe(translated)
    },
  )

  test('learns what the vendor did not receive', async () => {
    const { sent, losses } = await ask({
      model: 'mistral-x',
      messages: [{ role: 'developer', content: 'Be brief.' }, ASK],
      max_completion_tokens: 50,
      seed: 7,
      user: 'ann',
      store: true,
    })
    expect(sent).toStrictEqual({
      model: 'mistral-x',
      messages: [{ role: 'system', content: 'Be brief.' }, ASK],
      max_tokens: 50,
      random_seed: 7,
    })
    expect(losses).toBe('store dropped, user dropped')
  })

  test('can let Mistral go on with an answer, which it refuses silently of its own', async () => {
    const begun = { role: 'assistant', content: 'Good' }
    const { sent, losses } = await ask({ model: 'mistral-x', messages: [ASK, begun] })
    expect(sent).toStrictEqual({ model: 'mistral-x', messages: [ASK, { ...begun, prefix: true }] })
    expect(losses).toBe('messages changed')
  })
})
