import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, type SiteReply, startSite } from '@sluice/testkit/http-site'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

/** Recorded requests of Claude Code to an OpenAI chat provider: what OpenAI refuses is sent in a form that it accepts. */
let site: Site
let world: GatewayWorld
let key = ''
let answer: (body: Readonly<Record<string, unknown>>) => SiteReply

const TOOL = 'mcp__5b72495d-5e79-4584-8012-2bb5911c8de1__slack_search_public_and_private'

beforeAll(async () => {
  site = await startSite(({ body }) => answer(JSON.parse(body) as Record<string, unknown>))
  world = await openGatewayWorld()
  await world.addChannel(site.url, ['gpt-4.1'])
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await site.close()
})

const marked = (text: string) => ({ type: 'text', text, cache_control: { type: 'ephemeral' } })
const REQUEST = {
  model: 'gpt-4.1',
  max_tokens: 32_000,
  system: [{ type: 'text', text: 'You are Claude Code.' }, marked('Long instructions.')],
  messages: [
    { role: 'user', content: [marked('<system-reminder>\nToday.\n</system-reminder>'), marked('Look in Slack.')] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'toolu_01', name: TOOL, input: { query: 'x' }, caller: { type: 'direct' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_01', content: 'nothing', is_error: true }] },
  ],
  tools: [{ name: TOOL, description: 'Search', input_schema: { type: 'object', properties: {} } }],
  metadata: { user_id: JSON.stringify({ device_id: 'd'.repeat(64), account_uuid: '', session_id: 's'.repeat(36) }) },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
}

const called = (body: Readonly<Record<string, unknown>>) => {
  const [tool] = body['tools'] as readonly { readonly function: { readonly name: string } }[]
  return { id: 'call_2', type: 'function', function: { name: tool?.function.name, arguments: '' } }
}
const USAGE = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 }

const ask = (more: object) =>
  fetch(`${world.url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify({ ...REQUEST, ...more }),
  })

function sentTool(): string {
  const body = JSON.parse(site.seen.at(-1)?.body ?? '{}') as {
    readonly user: string
    readonly tools: readonly { readonly function: { readonly name: string } }[]
    readonly messages: readonly unknown[]
  }
  const name = body.tools[0]?.function.name ?? ''
  expect([name.length, body.user.length]).toStrictEqual([64, 64])
  expect(body.messages.at(-2)).toMatchObject({ tool_calls: [{ function: { name } }] })
  expect(body.messages.at(-1)).toStrictEqual({ role: 'tool', tool_call_id: 'toolu_01', content: 'Error: nothing' })
  return name
}

test('a tool with a long name is called by it, in a whole answer', async () => {
  answer = (body) => ({
    body: {
      id: 'x',
      object: 'chat.completion',
      model: 'up',
      choices: [{ index: 0, message: { role: 'assistant', tool_calls: [called(body)] }, finish_reason: 'tool_calls' }],
      usage: USAGE,
    },
  })
  const reply = await ask({})
  expect(await reply.json()).toMatchObject({
    content: [{ type: 'tool_use', id: 'call_2', name: TOOL, input: {} }],
    stop_reason: 'tool_use',
  })
  expect(sentTool()).not.toBe(TOOL)
  const losses = reply.headers.get('x-sluice-losses')
  for (const lost of ['user changed', 'cache_control dropped', 'context_management dropped', `tools[${TOOL}].name`]) {
    expect(losses).toContain(lost)
  }
})

test('and in a stream', async () => {
  answer = (body) => {
    const call = { index: 0, ...called(body) }
    const chunks = [
      { id: 'x', choices: [{ index: 0, delta: { role: 'assistant', tool_calls: [call] }, finish_reason: null }] },
      { id: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      { id: 'x', choices: [], usage: USAGE },
    ]
    const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
    return { headers: { 'content-type': 'text/event-stream' }, body: `${events}data: [DONE]\n\n` }
  }
  const reply = await ask({ stream: true })
  expect(await reply.text()).toContain(
    `"content_block":{"type":"tool_use","id":"call_2","name":"${TOOL}","input":{},"caller":`,
  )
  sentTool()
})
