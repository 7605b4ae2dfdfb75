import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, type SiteReply, startSite } from '@sluice/testkit/http-site'
import { type ResponsesUpstream, startResponsesUpstream } from '@sluice/testkit/responses-upstream'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

/** A coding agent that speaks Responses and calls tools in a loop, with an Anthropic Messages provider and with others. */
let claude: Site
let upstream: ResponsesUpstream
let world: GatewayWorld
let client: OpenAI
let turn = 0

const ANTHROPIC = 14
const SIGNATURE = 'EqQBCkYIBRgCKkAsigned'
const TURNS = 4

beforeAll(async () => {
  claude = await startSite(({ body }) => reply((JSON.parse(body) as { stream?: boolean }).stream === true))
  upstream = await startResponsesUpstream()
  world = await openGatewayWorld()
  await world.addChannel(claude.url, ['claude-sonnet-4-5'], { type: ANTHROPIC, key: 'sk-ant-key' })
  await world.addChannel(upstream.url, ['gpt'], { config: '{"api_format":"response"}' })
  client = new OpenAI({ apiKey: await world.addToken(world.root), baseURL: `${world.url}/v1`, maxRetries: 0 })
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await claude.close()
  await upstream.close()
})

/** Thinks, says something, and makes two tool calls at once. */
function reply(streamed: boolean): SiteReply {
  turn += 1
  const call = (name: string) => ({
    type: 'tool_use',
    id: `toolu_${turn}_${name}`,
    name: 'read',
    input: { file: name },
  })
  const content = [
    { type: 'thinking', thinking: `Step ${turn}.`, signature: `${SIGNATURE}${turn}` },
    { type: 'text', text: `Reading for step ${turn}.` },
    call('a'),
    call('b'),
  ]
  const message = {
    id: `msg_${turn}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content,
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 20, output_tokens: 5 },
  }
  if (!streamed) return { body: message }
  const blocks = content.flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: emptied(block) },
    ...deltasOf(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ])
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ]
  return {
    headers: { 'content-type': 'text/event-stream' },
    body: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  }
}

interface Block {
  readonly type: string
  readonly thinking?: string
  readonly signature?: string
  readonly text?: string
  readonly input?: object
}

function emptied(block: Block): object {
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' }
  return block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} }
}

function deltasOf({ type, thinking, signature, text, input }: Block): readonly object[] {
  if (type === 'text') return [{ type: 'text_delta', text }]
  if (type === 'tool_use') return [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }]
  return [
    { type: 'thinking_delta', thinking },
    { type: 'signature_delta', signature },
  ]
}

const TOOLS = [
  { type: 'function', name: 'read', parameters: { type: 'object', properties: {} }, strict: false },
] as const
type Item = OpenAI.Responses.ResponseInputItem

/** One turn of the agent: the input so far, then the model's answer as the client's library assembles it. */
async function answerTo(
  model: string,
  input: readonly Item[],
): Promise<readonly OpenAI.Responses.ResponseOutputItem[]> {
  const stream = client.responses.stream({
    model,
    input: [...input],
    tools: [...TOOLS],
    store: false,
    include: ['reasoning.encrypted_content'],
    reasoning: { effort: 'medium' },
    max_output_tokens: 20_000,
  })
  return (await stream.finalResponse()).output
}

const sentToClaude = () => {
  const { messages } = JSON.parse(claude.seen.at(-1)?.body ?? '{}') as {
    messages: { role: string; content: Block[] }[]
  }
  return messages
}

async function runAgent(turns: number): Promise<Item[]> {
  const input: Item[] = [{ role: 'user', content: 'Fix the build.' }]
  for (let i = 0; i < turns; i++) {
    const output = await answerTo('claude-sonnet-4-5', input)
    expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call', 'function_call'])
    const calls = output.filter((item) => item.type === 'function_call')
    const said = output.filter((item) => item.type === 'reasoning' || item.type === 'message')
    const results = calls.map(({ call_id, arguments: args }) => ({
      type: 'function_call_output' as const,
      call_id,
      output: `read ${args}`,
    }))
    input.push(...said, ...calls, ...results)
  }
  return input
}

test('in a long loop each turn comes back signed, with its calls and all of their results', async () => {
  turn = 0
  await runAgent(TURNS)
  const messages = sentToClaude()
  const turns = Array.from({ length: TURNS - 1 }, () => ['assistant', 'user'])
  expect(messages.map(({ role }) => role)).toEqual(['user', ...turns.flat()])
  for (let i = 1; i < TURNS; i++) {
    expect(messages[i * 2 - 1]?.content).toMatchObject([
      { type: 'thinking', thinking: `Step ${i}.`, signature: `${SIGNATURE}${i}` },
      { type: 'text', text: `Reading for step ${i}.` },
      { type: 'tool_use', id: `toolu_${i}_a`, input: { file: 'a' } },
      { type: 'tool_use', id: `toolu_${i}_b`, input: { file: 'b' } },
    ])
    expect(messages[i * 2]?.content).toMatchObject([
      { type: 'tool_result', tool_use_id: `toolu_${i}_a` },
      { type: 'tool_result', tool_use_id: `toolu_${i}_b` },
    ])
  }
})

test('a provider of Responses that takes over is not shown signatures that are not its own', async () => {
  turn = 0
  const input = await runAgent(1)
  await answerTo('gpt', input)
  const sent = upstream.calls.at(-1)?.json
  expect(JSON.stringify(sent)).not.toContain('sluice.1.')
  expect(sent).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
  const items = sent?.['input'] as readonly { readonly type: string }[]
  expect(items.map(({ type }) => type)).toEqual([
    'message',
    'message',
    'function_call',
    'function_call',
    'function_call_output',
    'function_call_output',
  ])
})
