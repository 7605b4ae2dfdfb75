import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, startSite } from '@sluice/testkit/http-site'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

/** Agents' conversations, sent in the form that strict providers accept. */
let site: Site
let world: GatewayWorld
let key = ''

const ANTHROPIC = 14
const GEMINI = 24
const DEEPSEEK = 36
const CLAUDE = {
  type: 'message',
  role: 'assistant',
  stop_reason: 'end_turn',
  usage: { input_tokens: 9, output_tokens: 1 },
}
const CALL = { content: { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] }, finishReason: 'STOP' }

beforeAll(async () => {
  site = await startSite(({ path }) => {
    if (/messages/.test(path)) return { body: { id: 'msg_1', ...CLAUDE, content: [{ type: 'text', text: 'Hi' }] } }
    if (/generateContent/.test(path)) {
      return { body: { candidates: [CALL], usageMetadata: { promptTokenCount: 9, totalTokenCount: 10 } } }
    }
    const choice = { index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }
    return { body: { id: 'c', choices: [choice], usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 } } }
  })
  world = await openGatewayWorld()
  await world.addChannel(site.url, ['chat'])
  await world.addChannel(site.url, ['claude'], { type: ANTHROPIC })
  await world.addChannel(site.url, ['gemini-2.5-flash'], { type: GEMINI })
  await world.addChannel(site.url, ['deepseek-chat'], { type: DEEPSEEK })
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await site.close()
})

async function ask(path: string, body: object) {
  const reply = await fetch(`${world.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await reply.text()
  expect(reply.status, text).toBe(200)
  return { text, lost: reply.headers.get('x-sluice-losses'), ...site.seen.at(-1) }
}

const LINE = 'x-anthropic-billing-header: cc_version=2.1.177.01c; cc_entrypoint=cli; cch='

test.each([
  ['chat', /chat\/completions$/, false],
  ['gemini-2.5-flash', /generateContent/, false],
  ['deepseek-chat', /^\/anthropic\/v1\/messages$/, false],
  ['claude', /v1\/messages$/, true],
])('the line by which Claude Code is billed, in a request for %s', async (model, address, isKept) => {
  const bodies: (string | undefined)[] = []
  for (const cch of ['36ee5;', '0aaa9;']) {
    const system = [
      { type: 'text', text: LINE + cch },
      { type: 'text', text: 'You are an agent.' },
    ]
    const sent = await ask('/v1/messages', {
      model,
      max_tokens: 20,
      system,
      messages: [{ role: 'user', content: 'Hi' }],
    })
    expect(sent.path).toMatch(address)
    expect(sent.lost ?? '').not.toContain('billing')
    expect(sent.body).toContain('You are an agent.')
    bodies.push(sent.body)
  }
  expect(bodies.map((body) => body?.includes(LINE))).toStrictEqual([isKept, isKept])
  expect(bodies[0] === bodies[1]).toBe(!isKept)
})

test('a hook’s message between a call and its result reaches a provider of chat behind the result', async () => {
  const said = (role: string, text: string) => ({ type: 'message', role, content: [{ type: 'input_text', text }] })
  const input = [
    said('user', 'Go'),
    { type: 'function_call', call_id: '1', name: 'f', arguments: '{}' },
    said('developer', 'hook'),
    { type: 'function_call_output', call_id: '1', output: 'done' },
  ]
  const { body, lost } = await ask('/v1/responses', { model: 'chat', input })
  const { messages } = JSON.parse(body ?? '') as { readonly messages: readonly { readonly role: string }[] }
  expect(messages.map(({ role }) => role)).toStrictEqual(['user', 'assistant', 'tool', 'system'])
  expect(lost).toBe('messages changed')
})

test('calls with one id, as some providers give them in each answer, are told apart for Claude', async () => {
  const round = (content: string) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'ls:0', type: 'function', function: { name: 'ls', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'ls:0', content },
  ]
  const messages = [{ role: 'user', content: 'Go' }, ...round('one'), ...round('two')]
  const { body } = await ask('/v1/chat/completions', { model: 'claude', messages })
  expect([...(body ?? '').matchAll(/"(?:tool_use_)?id":"(\w+)"/g)].map(([, id]) => id)).toStrictEqual([
    'ls_0',
    'ls_0',
    'ls_0_2',
    'ls_0_2',
  ])
})

test('calls that Gemini gives no id have another one in each answer', async () => {
  const body = { model: 'gemini-2.5-flash', messages: [{ role: 'user', content: 'Go' }] }
  const ids = []
  for (let answer = 0; answer < 2; answer++) {
    const { text } = await ask('/v1/chat/completions', body)
    ids.push(/"id":"(call_\w+)"/.exec(text)?.[1] ?? '')
  }
  expect(ids[0]).toMatch(/^call_[0-9a-f]{32}_0$/)
  expect(new Set(ids).size).toBe(2)
})
