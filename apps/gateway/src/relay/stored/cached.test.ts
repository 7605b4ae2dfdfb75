import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, type SiteReply, startSite } from '@sluice/testkit/http-site'
import { type ResponsesUpstream, startResponsesUpstream } from '@sluice/testkit/responses-upstream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

/** Responses clients with providers of other dialects, which store nothing: the gateway caches for them. */
let site: Site
let native: ResponsesUpstream
let world: GatewayWorld
let mine = ''
let others = ''

const MODEL = 'claude-sonnet-4-5'
const USAGE = { input_tokens: 20, output_tokens: 5 }
const CONTENT = [
  { type: 'thinking', thinking: 'Look outside.', signature: 'c2lnbmF0dXJl' },
  { type: 'text', text: 'I shall look.' },
  { type: 'tool_use', id: 'toolu_1', name: 'look', input: { where: 'out' } },
]
const MESSAGE = { id: 'msg_01', type: 'message', role: 'assistant', model: MODEL, content: CONTENT, usage: USAGE }
const ANSWER = { ...MESSAGE, stop_reason: 'tool_use', stop_sequence: null }
const [THINKING, TEXT, CALL] = CONTENT

beforeAll(async () => {
  site = await startSite(({ body }) => (body.includes('"stream":true') ? STREAM : { body: ANSWER }))
  native = await startResponsesUpstream()
  world = await openGatewayWorld({ SLUICE_BODY_LIMIT: '20000' })
  await world.addChannel(site.url, [MODEL], { type: 14, key: 'sk-ant-key' })
  await world.addChannel(native.url, ['gpt'], { config: '{"api_format":"response"}' })
  mine = await world.addToken(world.root)
  others = await world.addToken(await world.addUser('somebody', 10_000_000))
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await site.close()
  await native.close()
})

const EVENTS = [
  { type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { ...THINKING, thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Look outside.' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2lnbmF0dXJl' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'I shall look.' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'content_block_start', index: 2, content_block: { ...CALL, input: {} } },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"where":"out"}' } },
  { type: 'content_block_stop', index: 2 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
]
const STREAM: SiteReply = {
  headers: { 'content-type': 'text/event-stream' },
  body: EVENTS.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
}

interface Made {
  readonly id: string
  readonly output: readonly { readonly id: string; readonly type: string }[]
}

const call = (key: string, method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  fetch(`${world.url}/v1/responses${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify({ model: MODEL, ...body }) }),
  })

async function make(fields: object): Promise<Made> {
  const reply = await call(mine, 'POST', '', fields)
  expect(reply.status).toBe(200)
  const text = await reply.text()
  if (!('stream' in fields)) return JSON.parse(text) as Made
  const [, last = ''] = /event: response\.completed\ndata: (.*)\n/.exec(text) ?? []
  return (JSON.parse(last) as { response: Made }).response
}

const errorOf = async (reply: Response) => {
  const { error } = (await reply.json()) as { error: { code: string; param: string | null } }
  return [reply.status, error.code, error.param]
}
const translated = () => JSON.parse(site.seen.at(-1)?.body ?? '{}') as Readonly<Record<string, unknown>>
const RESULT = { type: 'function_call_output', call_id: 'toolu_1', output: 'rain' }
const TRANSLATED = [
  { role: 'user', content: [{ type: 'text', text: 'How is the weather?' }] },
  { role: 'assistant', content: [THINKING, TEXT, CALL] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
]
const references = ({ output }: Made) => output.map(({ id }) => ({ type: 'item_reference', id }))

test.each([{}, { stream: true }])(
  'a translated response is continued as if it had been sent whole: %j',
  async (how) => {
    const first = await make({ input: 'How is the weather?', instructions: 'Be brief.', ...how })
    const second = await make({ input: [RESULT], previous_response_id: first.id, ...how })
    expect(translated()).toMatchObject({ messages: TRANSLATED })
    expect(translated()['system']).toBeUndefined()
    await make({ previous_response_id: second.id, input: 'And now?', ...how })
    expect(translated()['messages']).toMatchObject([
      ...TRANSLATED,
      // The provider used the same id again, and the client sent no result for the call.
      { role: 'assistant', content: [THINKING, TEXT, { ...CALL, id: 'toolu_1_2' }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1_2' }, { text: 'And now?' }] },
    ])
  },
)

test.each([{}, { stream: true }])('references to its items are the items themselves: %j', async (how) => {
  const first = await make({ input: 'How is the weather?', ...how })
  const input = [{ role: 'user', content: 'How is the weather?' }, ...references(first), RESULT]
  const second = await make({ input, ...how })
  expect(translated()).toMatchObject({ messages: TRANSLATED })
  // The recalled items are cached again, together with the new response.
  await make({ previous_response_id: second.id, input: 'And now?' })
  expect(translated()['messages']).toMatchObject([...TRANSLATED, { role: 'assistant' }, { role: 'user' }])
})

test('reasoning that is gone is left out, and listed; a strict caller is refused, and so is anything else that is gone', async () => {
  const gone = { type: 'item_reference', id: `rs_${'0'.repeat(32)}_0` }
  const input = [{ role: 'user', content: 'Hi' }, gone]
  const reply = await call(mine, 'POST', '', { input })
  expect(reply.headers.get('x-sluice-losses')).toBe('input[].reasoning dropped')
  expect(translated()['messages']).toHaveLength(1)
  const strict = await call(mine, 'POST', '', { input }, { 'x-sluice-strict': 'true' })
  expect((await errorOf(strict))[1]).toBe('losses_refused')
  const message = await call(mine, 'POST', '', { input: [gone, { ...gone, id: `msg_${'0'.repeat(32)}_0` }] })
  expect(await errorOf(message)).toEqual([400, 'response_not_kept', 'input[1].id'])
})

test('a conversation with one provider continues at another that speaks Responses, which then stores what follows', async () => {
  const first = await make({ input: 'How is the weather?' })
  const second = await make({ model: 'gpt', input: 'And there?', previous_response_id: first.id })
  expect(native.calls.at(-1)?.json['input']).toMatchObject([
    { role: 'user' },
    { role: 'assistant' },
    { type: 'function_call', call_id: 'toolu_1' },
    { role: 'user' },
  ])
  expect(second.output.length).toBeGreaterThan(0)
})

test('when something is cached and stored at once, the storing provider gets everything except the reasoning of others', async () => {
  const cached = await make({ input: 'How is the weather?' })
  const stored = await make({ model: 'gpt', input: 'And there?' })
  const input = [...references(cached), RESULT, ...references(stored), { role: 'user', content: 'Well?' }]
  const reply = await call(mine, 'POST', '', { model: 'gpt', input })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('x-sluice-losses')).toBe('input[].reasoning dropped')
  const [, message, made] = cached.output
  expect(native.calls.at(-1)?.json['input']).toMatchObject([
    { type: 'message', id: message?.id },
    { type: 'function_call', id: made?.id },
    ...input.slice(3),
  ])
})

test('a response is shown and deleted by id; there is nothing to cancel or to list', async () => {
  const first = await make({ input: 'How is the weather?', stream: true })
  expect(await (await call(mine, 'GET', `/${first.id}`)).json()).toEqual(first)
  expect((await errorOf(await call(mine, 'POST', `/${first.id}/cancel`)))[1]).toBe('not_implemented')
  expect((await errorOf(await call(mine, 'GET', `/${first.id}/input_items`)))[1]).toBe('not_implemented')
  const deleted = await call(mine, 'DELETE', `/${first.id}`)
  expect(await deleted.json()).toEqual({ id: first.id, object: 'response', deleted: true })
  expect((await errorOf(await call(mine, 'GET', `/${first.id}`)))[1]).toBe('response_missing')
  const next = await call(mine, 'POST', '', { input: 'x', previous_response_id: first.id })
  expect(await errorOf(next)).toEqual([400, 'response_not_kept', 'previous_response_id'])
})

test('what its client wants forgotten is not cached', async () => {
  const first = await make({ input: 'How is the weather?', store: false })
  expect((await call(mine, 'GET', `/${first.id}`)).status).toBe(404)
})

test(
  'responses of another user cannot be continued, read or deleted, nor distinguished from unknown ones',
  { tags: ['S11', 'S31'] },
  async () => {
    const first = await make({ input: 'How is the weather?' })
    const calls = site.seen.length
    for (const id of [first.id, 'resp_unknown']) {
      const next = await call(others, 'POST', '', { input: 'x', previous_response_id: id })
      expect(await errorOf(next)).toEqual([400, 'response_not_kept', 'previous_response_id'])
      for (const [method, path] of [
        ['GET', ''],
        ['DELETE', ''],
        ['POST', '/cancel'],
      ] as const) {
        expect(await errorOf(await call(others, method, `/${id}${path}`))).toEqual([404, 'response_missing', null])
      }
    }
    for (const id of [first.output[1]?.id, 'msg_unknown']) {
      const next = await call(others, 'POST', '', { input: [{ type: 'item_reference', id }] })
      expect(await errorOf(next)).toEqual([400, 'response_not_kept', 'input[0].id'])
    }
    expect(site.seen).toHaveLength(calls)
    expect((await call(mine, 'GET', `/${first.id}`)).status).toBe(200)
  },
)

test('a short request cannot expand beyond the longest that may be sent', { tags: 'S27' }, async () => {
  const first = await make({ input: 'How is the weather?' })
  const input = Array.from({ length: 200 }, () => references(first)[1])
  expect((await errorOf(await call(mine, 'POST', '', { input }))).slice(0, 2)).toEqual([413, 'body_too_large'])
})

test('the hold covers what is recalled', async () => {
  const first = await make({ input: 'word '.repeat(3_000), max_output_tokens: 1 })
  const poor = await world.addToken(world.root, { unlimited_quota: false, remain_quota: 1_500 })
  const ask = (fields: object) => call(poor, 'POST', '', { input: 'x', max_output_tokens: 1, ...fields })
  expect((await ask({})).status).toBe(200)
  expect((await ask({ previous_response_id: first.id })).status).toBe(403)
})

test('nothing of it is written down: not to the log, not to the database', { tags: 'S20' }, async () => {
  await make({ input: 'How is the weather?' })
  expect(await world.rows(`select * from kept_response where model = '${MODEL}'`)).toEqual([])
  expect(world.log.join('\n')).not.toContain('I shall look.')
})
