import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, type SiteReply, type SiteRequest, startSite } from '@sluice/testkit/http-site'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const SUMMARY = 'The user wants a gate. It is built, but not painted.'
const USAGE = { input_tokens: 40, output_tokens: 12 }
const CLAUDE: SiteReply = {
  body: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [{ type: 'text', text: SUMMARY }],
    stop_reason: 'end_turn',
    usage: USAGE,
  },
}
const COMPACTED = {
  id: 'resp_native',
  object: 'response.compaction',
  created_at: 1,
  output: [{ id: 'cmp_1', type: 'compaction', encrypted_content: 'gAAAA-native' }],
  usage: { ...USAGE, total_tokens: 52 },
}
const chunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'chat', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`
const CHAT: SiteReply = {
  headers: { 'content-type': 'text/event-stream' },
  body: [
    chunk({ role: 'assistant', content: SUMMARY.slice(0, 20) }),
    chunk({ content: SUMMARY.slice(20) }),
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'chat', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
    'data: [DONE]\n\n',
  ].join(''),
}
const CALL = { type: 'function_call', call_id: 'call_1', name: 'build', arguments: '{"what":"gate"}' } as const
const HISTORY = [
  { type: 'message', role: 'user', content: 'Build a gate.' },
  CALL,
  { type: 'function_call_output', call_id: 'call_1', output: 'built' },
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Now paint it.' }] },
] as const
const TRIGGER = { type: 'compaction_trigger' } as const

describe('summaries of conversations', () => {
  let site: Site
  let world: GatewayWorld
  let mine: OpenAI
  let others: OpenAI
  let answer: (request: SiteRequest) => SiteReply = () => ({})

  beforeAll(async () => {
    site = await startSite((request) => answer(request))
    world = await openGatewayWorld()
    await world.addChannel(site.url, ['claude'], { type: 14 })
    await world.addChannel(site.url, ['chat'])
    await world.addChannel(site.url, ['openai'], { type: 1 })
    await world.addChannel(site.url, ['server'], { config: '{"api_format":"response"}' })
    const client = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${world.url}/v1`, maxRetries: 0 })
    mine = client(await world.addToken(world.root))
    others = client(await world.addToken(await world.addUser('somebody', 10_000_000)))
  })
  beforeEach(() => void (answer = () => CLAUDE))
  afterEach(() => world.verify())
  afterAll(async () => {
    await world.close()
    await site.close()
  })

  const sent = () => JSON.parse(site.seen.at(-1)?.body ?? '') as Record<string, unknown> & { messages: unknown[] }
  const lastLog = async () => (await world.rows('select * from log where type = 2 order by id desc limit 1'))[0]
  const compact = (client = mine, input: readonly object[] = HISTORY) =>
    client.responses.compact({ model: 'claude', instructions: 'You build.', input: input as never })
  const itemIn = ({ output }: { output: readonly object[] }) =>
    output.at(-1) as { id: string; type: 'compaction'; encrypted_content: string }

  test('are written by models whose providers do not compact, and charged like any answer', async () => {
    const compacted = await compact()
    expect(compacted).toMatchObject({
      object: 'response.compaction',
      output: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Build a gate.' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Now paint it.' }] },
        { type: 'compaction', id: expect.stringMatching(/^cmp_/) },
      ],
      usage: { input_tokens: 40, output_tokens: 12, total_tokens: 52 },
    })
    expect(JSON.stringify(compacted)).not.toContain(SUMMARY)
    // The earlier call stays a tool call, and Anthropic requires a tool of that name.
    expect(sent()).toMatchObject({ tools: [{ name: 'build' }], tool_choice: { type: 'none' } })
    expect(JSON.stringify(sent().messages)).toContain('Your context is about to be replaced')
    expect(await lastLog()).toMatchObject({ amount: 64_000n, model_name: 'claude' })
  })

  test.each(['claude', 'chat', 'server', 'openai'])('are read by the model %s when they come back', async (model) => {
    const item = itemIn(await compact())
    answer = () => ({ status: 400, body: { error: { message: 'enough', type: 'invalid_request_error' } } })
    const input = [item, { type: 'message', role: 'user', content: 'Go on.' }] as never
    await expect(mine.responses.create({ model, input })).rejects.toThrow('enough')
    expect(JSON.stringify(sent())).toContain(`describes:\\n\\n${SUMMARY}`)
    expect(JSON.stringify(sent())).not.toContain('encrypted_content":"sluice')
  })

  test('are part of the next one, and no message of the user', async () => {
    const item = itemIn(await compact())
    const again = await compact(mine, [item, { type: 'message', role: 'user', content: 'Go on.' }])
    expect(again.output).toHaveLength(2)
    expect(JSON.stringify(sent().messages[0])).toContain(SUMMARY)
  })

  test('of another user are as unknown as forged ones', { tags: ['S11', 'S31'] }, async () => {
    const item = itemIn(await compact(others))
    const calls = site.seen.length
    const [head, tail] = [item.encrypted_content.slice(0, -4), item.encrypted_content.slice(-4)]
    const forged = [
      head + (tail === 'AAAA' ? 'BBBB' : 'AAAA'),
      head.slice(0, 20),
      'sluice.compaction.1.',
      `${head}${tail}.`,
    ]
    for (const encrypted_content of [item.encrypted_content, ...forged]) {
      const input = [HISTORY[0], { ...item, encrypted_content }] as never
      const refused = { status: 400, code: 'invalid_body', param: 'input[1].encrypted_content' }
      await expect(mine.responses.create({ model: 'claude', input })).rejects.toMatchObject(refused)
      await expect(mine.responses.compact({ model: 'openai', input })).rejects.toMatchObject(refused)
    }
    expect(site.seen).toHaveLength(calls)
  })

  test('that a provider sealed go to it untouched, and nowhere else', async () => {
    const foreign = { type: 'compaction', encrypted_content: 'gAAAA-native' }
    const input = [foreign, { type: 'message', role: 'user', content: 'Go on.' }] as never
    for (const model of ['claude', 'chat']) {
      const calls = site.seen.length
      await expect(mine.responses.create({ model, input })).rejects.toMatchObject({
        status: 400,
        code: 'not_expressible',
        param: 'input[0].encrypted_content',
      })
      expect(site.seen).toHaveLength(calls)
    }
    answer = () => ({ status: 400, body: { error: { message: 'enough' } } })
    for (const model of ['openai', 'server']) {
      await expect(mine.responses.create({ model, input })).rejects.toThrow('enough')
      expect(sent()['input']).toEqual(input)
    }
    // Reasoning that was translated here forces the gateway to rewrite the request.
    const wrapped = { type: 'reasoning', summary: [], encrypted_content: 'sluice.1.anthropic-messages.-..c2ln' }
    await expect(mine.responses.create({ model: 'openai', input: [foreign, wrapped] as never })).rejects.toThrow()
    expect(sent()['input']).toContainEqual(foreign)
  })

  test('are left to a provider that compacts, and charged by its count', async () => {
    answer = () => ({ body: COMPACTED })
    const compacted = await mine.responses.compact({ model: 'openai', input: HISTORY as never })
    expect(compacted).toEqual(expect.objectContaining(COMPACTED))
    expect(site.seen.at(-1)?.path).toBe('/v1/responses/compact')
    expect(sent()).toEqual({ model: 'openai', input: HISTORY })
    expect(await lastLog()).toMatchObject({ amount: 64_000n })
  })

  test.each([
    ['server', HISTORY],
    [
      'openai',
      [...HISTORY, { type: 'reasoning', summary: [], encrypted_content: 'sluice.1.anthropic-messages.-..c2ln' }],
    ],
  ])(
    '%s: are written by the model where its provider does not compact, or not this conversation',
    async (model, input) => {
      answer = () => ({
        body: {
          id: 'resp_1',
          object: 'response',
          status: 'completed',
          output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: SUMMARY }] }],
          usage: USAGE,
        },
      })
      const item = itemIn(await mine.responses.compact({ model, input: input as never }))
      expect(site.seen.at(-1)?.path).toBe('/v1/responses')
      expect(item.encrypted_content).toMatch(/^sluice\.compaction\.1\./)
    },
  )

  test('that are empty are an error: the client keeps its conversation, and pays nothing', async () => {
    const before = await lastLog()
    answer = () => ({ body: { ...(CLAUDE.body as object), content: [{ type: 'text', text: ' \n' }] } })
    await expect(compact()).rejects.toMatchObject({ status: 502 })
    expect(await lastLog()).toEqual(before)
  })

  test.each([false, true])('requested by a trigger come as exactly one item (stream: %s)', async (stream) => {
    answer = ({ body }) => (body.includes('"stream":true') ? CHAT : CLAUDE)
    const body = { model: stream ? 'chat' : 'claude', input: [...HISTORY, TRIGGER] as never }
    if (!stream) {
      const { output, status } = await mine.responses.create(body)
      expect([status, output.map(({ type }) => type)]).toEqual(['completed', ['compaction']])
      return
    }
    const events = []
    for await (const event of await mine.responses.create({ ...body, stream: true })) events.push(event)
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.output_item.done',
      'response.completed',
    ])
    const last = events.at(-1)
    expect(last?.type === 'response.completed' && last.response.output.map(({ type }) => type)).toEqual(['compaction'])
    // The provider reported no usage, so the length of the sealed text is charged.
    const { completion_tokens, prompt_tokens } = (await lastLog()) ?? {}
    expect(Number(completion_tokens)).toBeGreaterThan(SUMMARY.length / 8)
    expect(Number(completion_tokens)).toBeLessThan(SUMMARY.length * 2)
    expect(Number(prompt_tokens)).toBeGreaterThan(20)
  })

  test('are not remembered as an answer to be continued', async () => {
    const { id } = await mine.responses.create({ model: 'claude', input: [...HISTORY, TRIGGER] as never })
    await expect(mine.responses.retrieve(id)).rejects.toMatchObject({ status: 404 })
  })

  test.each([
    [{ input: [TRIGGER, ...HISTORY] }, 'input[0].type'],
    [
      {
        input: Array.from({ length: 101 }, () => ({ type: 'compaction', encrypted_content: 'sluice.compaction.1.x' })),
      },
      'input',
    ],
    [{ input: HISTORY, stream: true }, 'stream'],
    [{ input: HISTORY, conversation: 'conv_1' }, 'conversation'],
  ])('%# bad input is refused by its field', async (body, param) => {
    await expect(mine.post('/responses/compact', { body: { model: 'claude', ...body } })).rejects.toMatchObject({
      status: 400,
      param,
    })
  })

  test('context management that the provider does not know is listed as lost', async () => {
    const managed = { context_management: [{ type: 'compaction', compact_threshold: 1_000 }] }
    const { response } = await mine.responses
      .create({ model: 'claude', input: 'Hi', ...managed } as never)
      .withResponse()
    expect(response.headers.get('x-sluice-losses')).toContain('context_management dropped')
  })
})
