import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, type SiteReply, startSite } from '@sluice/testkit/http-site'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

/** Recorded requests of Codex to an OpenAI chat provider: MCP tools in namespaces, and reports from other agents. */
let site: Site
let world: GatewayWorld
let key = ''
let answer: (body: ChatBody) => SiteReply

interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly tools: readonly { readonly function: { readonly name: string } }[]
}

beforeAll(async () => {
  site = await startSite(({ body }) => answer(JSON.parse(body) as ChatBody))
  world = await openGatewayWorld()
  await world.addChannel(site.url, ['gpt-4.1'])
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await site.close()
})

const USAGE = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 }
const read = { type: 'function', name: 'read_file', strict: false, parameters: { type: 'object', properties: {} } }
const files = { type: 'namespace', name: 'mcp__files', description: 'Files.', tools: [read] }

const ask = (more: object) =>
  fetch(`${world.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4.1', store: false, tools: [files], ...more }),
  })

const sent = () => JSON.parse(site.seen.at(-1)?.body ?? '{}') as ChatBody

test('a function in a namespace is called in it, in a stream', async () => {
  answer = ({ tools }) => {
    const called = { name: tools[0]?.function.name, arguments: '{"path":"a"}' }
    const call = { index: 0, id: 'call_1', type: 'function', function: called }
    const chunks = [
      { id: 'x', choices: [{ index: 0, delta: { role: 'assistant', tool_calls: [call] }, finish_reason: null }] },
      { id: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      { id: 'x', choices: [], usage: USAGE },
    ]
    const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
    return { headers: { 'content-type': 'text/event-stream' }, body: `${events}data: [DONE]\n\n` }
  }
  const reply = await ask({ input: 'Read it.', stream: true })
  const item = '"call_id":"call_1","name":"read_file","namespace":"mcp__files","arguments":'
  // The item occurs when it begins, when it ends, and in the whole response.
  expect((await reply.text()).split(item)).toHaveLength(4)
  expect(sent().tools.map((tool) => tool.function.name)).toStrictEqual(['mcp__files__read_file'])
  expect(reply.headers.get('x-sluice-losses')).toContain('tools[mcp__files.read_file].name changed')
})

test('another agent’s report and a large screenshot reach the model', async () => {
  answer = () => ({
    body: {
      id: 'x',
      choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
      usage: USAGE,
    },
  })
  const picture = Buffer.from(new Uint8Array(90_000).fill(1)).toString('base64')
  const reply = await ask({
    input: [
      { type: 'message', role: 'user', content: 'Ask the helper.' },
      {
        type: 'agent_message',
        author: '/root/helper',
        recipient: '/root',
        content: [{ type: 'input_text', text: '4711' }],
      },
      { type: 'computer_call', call_id: 'c', action: { type: 'screenshot' }, pending_safety_checks: [] },
      {
        type: 'computer_call_output',
        call_id: 'c',
        output: { type: 'computer_screenshot', image_url: `data:image/png;base64,${picture}` },
      },
    ],
  })
  expect(reply.status).toBe(200)
  const { messages } = sent()
  expect(messages[1]).toMatchObject({ role: 'user', content: expect.stringContaining('4711') as string })
  const url = `data:image/png;base64,${picture}`
  expect(messages.at(-1)?.content).toStrictEqual([{ type: 'image_url', image_url: { url } }])
  for (const name of ['agent_message', 'computer_call', 'computer_call_output'])
    expect(reply.headers.get('x-sluice-losses')).toContain(`${name} `)
})
