import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let upstream: RawUpstream
let world: GatewayWorld
let key = ''

function answerTo(request: string): object {
  if (request.includes('/v1/messages')) {
    const usage = { input_tokens: 10, output_tokens: 5, server_tool_use: { web_search_requests: 3 } }
    return {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      usage,
    }
  }
  if (request.includes('/v1/responses')) {
    const output = [
      { type: 'file_search_call', id: 'fs_1' },
      { type: 'file_search_call', id: 'fs_2' },
    ]
    return { id: 'resp_1', status: 'completed', output, usage: { input_tokens: 10, output_tokens: 5 } }
  }
  return {
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5 },
  }
}

const channel = (model: string, type: number, tooling: object) =>
  world.addChannel(upstream.url, [model], {
    type,
    model_configs: JSON.stringify({ [model]: { ratio: 1 } }),
    config: JSON.stringify({ tooling }),
  })

beforeAll(async () => {
  upstream = await startRawUpstream((socket, request) => {
    const text = JSON.stringify(answerTo(request))
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n`
    socket.write(`${head}\r\n${text}`)
  })
  world = await openGatewayWorld()
  await channel('claude', 14, { whitelist: ['web_search'], pricing: { web_search: { quota_per_call: 700 } } })
  await channel('gemini', 24, { whitelist: ['code_execution'] })
  await channel('gpt', 1, { whitelist: ['file_search'], pricing: { file_search: { usd_per_call: 0.01 } } })
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await upstream.close()
})

const post = (path: string, body: object) =>
  fetch(world.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, 'x-goog-api-key': key },
    body: JSON.stringify(body),
  })
const messages = [{ role: 'user', content: 'Hi' }]
const contents = [{ parts: [{ text: 'Hi' }] }]

test.each([
  [
    '/v1/messages',
    { model: 'claude', max_tokens: 9, messages, tools: [{ type: 'code_execution_20250825' }] },
    'tools[0]',
  ],
  ['/v1/messages', { model: 'claude', max_tokens: 9, messages, mcp_servers: [{ url: 'https://x' }] }, 'mcp_servers'],
  [
    '/v1beta/models/gemini:generateContent',
    { contents, tools: [{ code_execution: {} }, { googleSearch: {} }] },
    'tools[1]',
  ],
  ['/v1/chat/completions', { model: 'gpt', messages, web_search_options: {} }, 'web_search_options'],
  ['/v1/chat/completions', { model: 'claude', messages, tools: [{ type: 'code_interpreter' }] }, 'tools[0]'],
  ['/v1/responses', { model: 'gpt', input: 'Hi', tools: [{ type: 'web_search' }] }, 'tools[0]'],
])(
  '%s: a tool that is not on its channel’s whitelist is refused by its field: %j',
  { tags: 'S42' },
  async (path, body, field) => {
    const before = upstream.requests.length
    const reply = await post(path, body)
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining(`${field} requests `)])
    expect(upstream.requests).toHaveLength(before)
  },
)

test.each([
  [
    'messages',
    '/v1/messages',
    { model: 'claude', max_tokens: 9, messages, tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    15 + 3 * 700,
  ],
  ['responses', '/v1/responses', { model: 'gpt', input: 'Hi', tools: [{ type: 'file_search' }] }, 15 + 2 * 5_000],
  [
    'chat',
    '/v1/chat/completions',
    { model: 'gpt', messages, tools: [{ type: 'function', function: { name: 'f' } }] },
    15,
  ],
])('%s: calls of a tool are charged at the channel’s price for it', { tags: 'S42' }, async (_, path, body, quota) => {
  const reply = await post(path, body)
  expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)])
  const [row] = await world.rows(
    `select amount from transfer where kind = 'consume' order by at_ms desc, request_id desc limit 1`,
  )
  expect(row).toEqual({ amount: BigInt(quota) * 1_000n })
})
