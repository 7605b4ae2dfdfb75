import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

/** Discord and X use ids of this size; a double is exact only up to 2^53. */
const ID = '1234567890123456789'
const WIDE = '18446744073709551615'

const ANTHROPIC = `{"id":"msg_1","type":"message","role":"assistant","model":"x","content":[{"type":"tool_use","id":"tu_1","name":"get","input":{"id":${ID},"far":1e400}}],"stop_reason":"tool_use","usage":{"input_tokens":5,"output_tokens":7}}`
const GEMINI = `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"get","args":{"id":${ID},"far":1e400}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":7,"totalTokenCount":12}}`
const OPENAI =
  '{"choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":7,"total_tokens":12}}'

let world: GatewayWorld
let key = ''
const upstreams = new Map<string, RawUpstream>()

beforeAll(async () => {
  world = await openGatewayWorld()
  key = await world.addToken(world.root)
  for (const [model, type, answer] of [
    ['anthropic', 14, ANTHROPIC],
    ['gemini', 24, GEMINI],
    ['openai', 50, OPENAI],
    ['mistral', 28, OPENAI],
  ] as const) {
    const upstream = await startRawUpstream((socket) => {
      const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${answer.length}\r\n\r\n`
      socket.write(head + answer)
    })
    upstreams.set(model, upstream)
    await world.addChannel(upstream.url, [model], { type })
  }
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  for (const upstream of upstreams.values()) await upstream.close()
})

async function ask(path: string, model: string, body: string) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const reply = await fetch(world.url + path, { method: 'POST', headers, body })
  return { status: reply.status, text: await reply.text(), sent: upstreams.get(model)?.requests.at(-1) ?? '' }
}

const chatTurns = (model: string, more = '') =>
  `{"model":"${model}","messages":[{"role":"user","content":"x"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_12345","type":"function","function":{"name":"get","arguments":"{\\"id\\":${ID},\\"far\\":1e400}"}}]},{"role":"tool","tool_call_id":"call_12345","content":"ok"}],"tools":[{"type":"function","function":{"name":"get","parameters":{"type":"object","properties":{"id":{"type":"integer","maximum":${WIDE}}}}}}]${more}}`

test.each(['anthropic', 'gemini'])(
  '%s receives arguments and schemas with their exact numbers, and so does the client',
  async (model) => {
    const { status, text, sent } = await ask('/v1/chat/completions', model, chatTurns(model))
    expect(status).toBe(200)
    expect(sent).toContain(`{"id":${ID},"far":1e400}`)
    expect(sent).toContain(`"maximum":${WIDE}`)
    expect(text).toContain(`"arguments":"{\\"id\\":${ID},\\"far\\":1e400}"`)
  },
)

test('arguments of Anthropic’s clients reach other providers with their exact numbers', async () => {
  const body = `{"model":"openai","max_tokens":9,"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"get","input":{"id":${ID},"far":1e400}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}],"tools":[{"name":"get","input_schema":{"type":"object"}}]}`
  const { status, sent } = await ask('/v1/messages', 'openai', body)
  expect(status).toBe(200)
  expect(sent).toContain(`"arguments":"{\\"id\\":${ID},\\"far\\":1e400}"`)
})

test('a body that is adapted to its provider keeps the numbers that were not changed', async () => {
  const { sent } = await ask('/v1/chat/completions', 'mistral', chatTurns('mistral', ',"user":"u"'))
  expect(sent).toContain(`"maximum":${WIDE}`)
})

test.each(['anthropic', 'gemini'])(
  '%s: a number that cannot be represented is refused by the name of its field',
  async (model) => {
    const body = `{"model":"${model}","temperature":1e400,"messages":[{"role":"user","content":"x"}]}`
    const { status, text } = await ask('/v1/chat/completions', model, body)
    expect([status, text]).toEqual([400, expect.stringContaining('temperature: must be a number')])
  },
)
