import { updateOption } from '@sluice/contract/routes/options'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, startSite } from '@sluice/testkit/http-site'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

/** Files, containers, threads and stores at a provider are found by id alone, and all users share the channel's key (S50). */
let provider: Site
let world: GatewayWorld
let mine = ''
let others = ''
let made = 0
let before = 0

beforeAll(async () => {
  provider = await startSite(({ path }) => ({ body: replyOf(path) }))
  world = await openGatewayWorld()
  await world.addChannel(provider.url, ['claude'], { type: 14 })
  await world.addChannel(provider.url, ['gpt'], { type: 1, config: '{"api_format":"response"}' })
  await world.addChannel(provider.url, ['chat'], { type: 1 })
  await world.addChannel(provider.url, ['gemini'], { type: 24 })
  mine = await world.addToken(world.root)
  others = await world.addToken(await world.addUser('somebody', 10_000_000))
})
beforeEach(() => {
  before = provider.seen.length
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await provider.close()
})

const usage = { input_tokens: 5, output_tokens: 5, prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 }

function replyOf(path: string): object {
  const id = ++made
  if (path === '/v1/messages/count_tokens') return { input_tokens: 5 }
  if (path === '/v1/messages') {
    const file = { type: 'code_execution_output', file_id: `file_made_${id}` }
    const result = { type: 'code_execution_tool_result', tool_use_id: 't', content: { content: [file] } }
    return {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: 'claude',
      container: { id: `container_${id}`, expires_at: '2030-01-01T00:00:00Z' },
      content: [result, { type: 'text', text: 'Done.' }],
      stop_reason: 'end_turn',
      usage,
    }
  }
  if (path === '/v1/responses') {
    const call = { id: `ci_${id}`, type: 'code_interpreter_call', container_id: `cntr_${id}`, status: 'completed' }
    return { id: `resp_${id}`, object: 'response', status: 'completed', model: 'gpt', output: [call], usage }
  }
  if (path === '/v1/chat/completions') {
    const message = { role: 'assistant', content: 'Done.', audio: { id: `audio_${id}`, data: '', transcript: '' } }
    return {
      id: 'c',
      object: 'chat.completion',
      model: 'chat',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage,
    }
  }
  const candidates = [{ content: { role: 'model', parts: [{ text: 'Done.' }] }, finishReason: 'STOP' }]
  return { candidates, usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 5, totalTokenCount: 10 } }
}

interface ClientReply {
  readonly status: number
  readonly body: {
    readonly id: string
    readonly container: { readonly id: string }
    readonly output: readonly { readonly container_id: string }[]
    readonly choices: readonly { readonly message: { readonly audio: { readonly id: string } } }[]
    readonly error: { readonly code: string | number; readonly message: string; readonly details?: object }
  }
}

async function ask(key: string, path: string, body: object): Promise<ClientReply> {
  const reply = await fetch(world.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: reply.status, body: (await reply.json()) as ClientReply['body'] }
}

const user = (content: unknown) => ({ messages: [{ role: 'user', content }] })
const messages = (key: string, fields: object) =>
  ask(key, '/v1/messages', { model: 'claude', max_tokens: 50, ...user('x'), ...fields })
const image = (file_id: string) => user([{ type: 'image', source: { type: 'file', file_id } }])

test(
  'a thread continues for the user who began it; another is told that there is none, and can send the whole conversation',
  { tags: 'S50' },
  async () => {
    const { body } = await messages(mine, { thread: { type: 'create' } })
    const thread = { type: 'continue', previous_message_id: body.id }
    expect((await messages(mine, { thread })).status).toBe(200)
    expect(JSON.parse(provider.seen.at(-1)?.body ?? '')).toMatchObject({ thread })
    const requests = provider.seen.length
    const refused = await messages(others, { thread })
    expect(refused).toMatchObject({ status: 404, body: { error: { details: { error_code: 'thread_not_found' } } } })
    expect(provider.seen.length).toBe(requests)
  },
)

test('without a thread the id of a message leads nowhere', async () => {
  const { body } = await messages(mine, {})
  const thread = { type: 'continue', previous_message_id: body.id }
  expect((await messages(mine, { thread })).status).toBe(404)
})

test(
  'containers and the files that were made in them belong to the user whose answer they were made for',
  { tags: 'S50' },
  async () => {
    const { body } = await messages(mine, {})
    const file_id = body.container.id.replace('container', 'file_made')
    for (const fields of [
      { container: body.container.id },
      { container: { id: body.container.id } },
      user([{ type: 'container_upload', file_id }]),
    ]) {
      expect((await messages(mine, fields)).status).toBe(200)
      expect(await messages(others, fields)).toMatchObject({
        status: 400,
        body: { error: { code: 'object_not_kept' } },
      })
    }
    const { body: response } = await ask(mine, '/v1/responses', { model: 'gpt', input: 'x', store: false })
    const tools = [{ type: 'code_interpreter', container: response.output[0]?.container_id }]
    expect((await ask(mine, '/v1/responses', { model: 'gpt', input: 'x', tools })).status).toBe(200)
    expect((await ask(others, '/v1/responses', { model: 'gpt', input: 'x', tools })).status).toBe(400)
  },
)

test('a spoken answer can be referred to only by its own user', { tags: 'S50' }, async () => {
  const chat = { model: 'chat', modalities: ['text', 'audio'] }
  const { body } = await ask(mine, '/v1/chat/completions', { ...chat, ...user('x') })
  const history = { messages: [{ role: 'assistant', audio: { id: body.choices[0]?.message.audio.id } }] }
  expect((await ask(mine, '/v1/chat/completions', { ...chat, ...history })).status).toBe(200)
  expect((await ask(others, '/v1/chat/completions', { ...chat, ...history })).status).toBe(400)
})

const CHAT = '/v1/chat/completions'
const RESPONSES = '/v1/responses'
const GENERATE = '/v1beta/models/gemini:generateContent'
const EMBED = '/v1beta/models/gemini:embedContent'
const file = 'file-of-somebody'
const uri = 'https://generativelanguage.googleapis.com/v1beta/files/abc'
const parts = (part: object) => ({ contents: [{ role: 'user', parts: [part] }] })
const messagesBody = (fields: object) => ({ model: 'claude', max_tokens: 50, ...user('x'), ...fields })
const input = (part: object) => ({ model: 'gpt', input: [{ role: 'user', content: [part] }] })
const toolResult = (part: object) => user([{ type: 'tool_result', tool_use_id: 't', content: [part] }])

describe.each<[string, string, object]>([
  ['messages[0].content[0].source.file_id', '/v1/messages', messagesBody(image(file))],
  ['messages[0].content[0].source.file_id', '/v1/messages/count_tokens', { model: 'claude', ...image(file) }],
  ['messages[0].content[0].file_id', '/v1/messages', messagesBody(user([{ type: 'container_upload', file_id: file }]))],
  [
    'messages[0].content[0].content[0].source.file_id',
    '/v1/messages',
    messagesBody(toolResult({ type: 'image', source: { type: 'file', file_id: file } })),
  ],
  [
    'messages[0].content[0].source.url',
    '/v1/messages',
    messagesBody(user([{ type: 'image', source: { type: 'url', url: uri } }])),
  ],
  ['container', '/v1/messages', messagesBody({ container: 'container_x' })],
  ['container.id', '/v1/messages', messagesBody({ container: { id: 'container_x' } })],
  [
    'container.skills[0].skill_id',
    '/v1/messages',
    messagesBody({ container: { skills: [{ type: 'custom', skill_id: 'skill_x' }] } }),
  ],
  ['diagnostics.previous_message_id', '/v1/messages', messagesBody({ diagnostics: { previous_message_id: 'msg_x' } })],
  [
    'messages[0].content[0].file.file_id',
    CHAT,
    { model: 'chat', ...user([{ type: 'file', file: { file_id: file } }]) },
  ],
  [
    'messages[0].content[0].image_url.url',
    CHAT,
    { model: 'chat', ...user([{ type: 'image_url', image_url: { url: 'ms://abc' } }]) },
  ],
  ['messages[0].audio.id', CHAT, { model: 'chat', messages: [{ role: 'assistant', audio: { id: 'audio_x' } }] }],
  [
    'tools[0].retrieval.knowledge_id',
    CHAT,
    { model: 'chat', ...user('x'), tools: [{ type: 'retrieval', retrieval: { knowledge_id: 'k1' } }] },
  ],
  ['input[0].content[0].file_id', RESPONSES, input({ type: 'input_file', file_id: file })],
  ['input[0].content[0].image_url', RESPONSES, input({ type: 'input_image', image_url: 'gs://bucket/picture' })],
  [
    'tools[0].vector_store_ids[0]',
    RESPONSES,
    { model: 'gpt', input: 'x', tools: [{ type: 'file_search', vector_store_ids: ['vs_x'] }] },
  ],
  [
    'tools[0].container',
    RESPONSES,
    { model: 'gpt', input: 'x', tools: [{ type: 'code_interpreter', container: 'cntr_x' }] },
  ],
  [
    'tools[0].container.file_ids[0]',
    RESPONSES,
    { model: 'gpt', input: 'x', tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: [file] } }] },
  ],
  [
    'tools[0].environment.container_id',
    RESPONSES,
    { model: 'gpt', input: 'x', tools: [{ type: 'shell', environment: { container_id: 'cntr_x' } }] },
  ],
  ['prompt.id', RESPONSES, { model: 'gpt', input: 'x', prompt: { id: 'pmpt_x' } }],
  ['contents[0].parts[0].fileData.fileUri', GENERATE, parts({ fileData: { fileUri: uri } })],
  ['contents[0].parts[0].file_data.file_uri', GENERATE, parts({ file_data: { file_uri: 'files/abc' } })],
  ['contents[0].parts[0].fileData.fileUri', GENERATE, parts({ fileData: { fileUri: 'gs://bucket/abc' } })],
  ['cachedContent', GENERATE, { ...parts({ text: 'x' }), cachedContent: 'cachedContents/abc' }],
  [
    'tools[0].fileSearch.fileSearchStoreNames[0]',
    GENERATE,
    { ...parts({ text: 'x' }), tools: [{ fileSearch: { fileSearchStoreNames: ['fileSearchStores/a'] } }] },
  ],
  ['content.parts[0].fileData.fileUri', EMBED, { content: { parts: [{ fileData: { fileUri: uri } }] } }],
  [
    'generateContentRequest.cachedContent',
    '/v1beta/models/gemini:countTokens',
    { generateContentRequest: { model: 'models/gemini', ...parts({ text: 'x' }), cachedContent: 'cachedContents/a' } },
  ],
])('%s at %s', (field, path, body) => {
  test('is refused for an object that this user has not made, and no provider is called', { tags: 'S50' }, async () => {
    for (const text of [JSON.stringify(body), escaped(body)]) {
      const reply = await fetch(world.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${mine}`, 'content-type': 'application/json' },
        body: text,
      })
      const { error } = (await reply.json()) as ClientReply['body']
      expect([reply.status, error.message]).toEqual([400, expect.stringContaining(`${field}: "`)])
    }
    expect(provider.seen.length).toBe(before)
  })
})

/** Escapes the last letter of each key; to a JSON reader, the key is the same. */
function escaped(body: object): string {
  return JSON.stringify(body).replace(/([a-zA-Z])":/g, (_, letter: string) => {
    return `\\u00${letter.charCodeAt(0).toString(16)}":`
  })
}

test.each<[string, object]>([
  [
    '/v1/messages',
    messagesBody({
      tools: [{ name: 'f', input_schema: { type: 'object', properties: { file_id: { type: 'string' } } } }],
    }),
  ],
  [
    '/v1/messages',
    messagesBody({
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't', name: 'f', input: { file_id: file, url: 'ms://x' } }],
        },
      ],
    }),
  ],
  ['/v1/messages', messagesBody(toolResult({ type: 'code_execution_output', file_id: file }))],
  ['/v1/messages', messagesBody({ container: { skills: [{ type: 'anthropic', skill_id: 'pptx' }] }, thread: null })],
  [
    CHAT,
    {
      model: 'chat',
      ...user([
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
      ]),
    },
  ],
  [GENERATE, parts({ functionCall: { name: 'f', args: { fileUri: uri } } })],
  [GENERATE, parts({ fileData: { fileUri: 'https://www.youtube.com/watch?v=1' } })],
])('a value that only looks like the name of a stored object is forwarded: %s %#', async (path, body) => {
  expect((await ask(mine, path, body)).status).toBe(200)
  expect(provider.seen.length).toBe(before + 1)
})

test('what the operator shares is available to all, and an administrator who names the channel reaches its whole account', async () => {
  const [row] = await world.rows(`select id from channel where type = 14`)
  expect((await messages(`${mine}-${Number(row?.['id'])}`, image(file))).status).toBe(200)
  expect((await messages(others, image(file))).status).toBe(400)
  await world.root.call(updateOption, { body: { key: 'SharedObjects', value: `vs_1,${file}` } })
  expect((await messages(others, image(file))).status).toBe(200)
  expect((await messages(others, image('file-other'))).status).toBe(400)
})

test(
  'a name that is written twice is refused, because readers differ in which one they take',
  { tags: 'S50' },
  async () => {
    const reply = await fetch(`${world.url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${mine}`, 'content-type': 'application/json' },
      body: `{"model":"claude","max_tokens":9,"messages":[{"role":"user","content":[{"type":"container_upload","file_id":"a","file_id":"b"}]}]}`,
    })
    expect(await reply.json()).toMatchObject({ error: { code: 'duplicate_key' } })
  },
)
