import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MODELS, traitsOf } from './models.ts'
import { type Emulator, startEmulator } from './server.ts'

let emulator: Emulator
beforeAll(async () => {
  emulator = await startEmulator()
})
afterAll(() => emulator.close())

const messages = [{ role: 'user', content: 'How does a sluice work?' }]

function call(model: string, more: object = {}, key = 'sk-test', signal?: AbortSignal): Promise<Response> {
  return fetch(`${emulator.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages, ...more }),
    ...(signal ? { signal } : {}),
  })
}

async function frames(response: Response): Promise<string[]> {
  const text = await response.text()
  return text
    .split('\n\n')
    .filter(Boolean)
    .map((line) => line.replace(/^data: /, ''))
}

interface Chunk {
  choices: {
    delta: { content?: string; reasoning_content?: string; tool_calls?: unknown[] }
    finish_reason: string | null
  }[]
  usage?: {
    prompt_tokens: number
    completion_tokens: number
    prompt_tokens_details: object
    completion_tokens_details: object
  } | null
}

const chunks = async (response: Response): Promise<Chunk[]> =>
  (await frames(response)).filter((text) => text !== '[DONE]').map((text) => JSON.parse(text))

interface Plain {
  choices: [
    {
      message: { content: string; tool_calls: [{ function: { name: string; arguments: string } }] }
      finish_reason: string
    },
  ]
  usage: { prompt_tokens: number }
}

const plainOf = async (response: Response): Promise<Plain> => JSON.parse(await response.text())
const objectOf = async (response: Response): Promise<object> => JSON.parse(await response.text())

const STREAM = { stream: true, stream_options: { include_usage: true } }
const contentOf = (list: Chunk[]) => list.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')

describe('an ordinary answer', () => {
  it('has the same text streamed and plain, on every call', async () => {
    const plain = await plainOf(await call('emu-fast'))
    const text = plain.choices[0].message.content
    expect(text.split(' ')).toHaveLength(16)
    expect(contentOf(await chunks(await call('emu-fast', STREAM)))).toBe(text)
    expect(contentOf(await chunks(await call('emu-fast', STREAM)))).toBe(text)
  })

  it('ends a stream with finish, usage in a frame of its own, [DONE]', async () => {
    const list = await frames(await call('emu-n-tokens-5', STREAM))
    expect(list.at(-1)).toBe('[DONE]')
    const usage: Chunk = JSON.parse(list.at(-2) ?? '')
    expect(usage).toMatchObject({ choices: [], usage: { prompt_tokens: 8, completion_tokens: 5, total_tokens: 13 } })
    expect(JSON.parse(list.at(-3) ?? '')).toMatchObject({
      choices: [{ delta: {}, finish_reason: 'stop' }],
      usage: null,
    })
  })

  it('reports no usage in a stream that did not ask for it', async () => {
    const list = await chunks(await call('emu-fast', { stream: true }))
    expect(list.every((chunk) => !('usage' in chunk))).toBe(true)
  })

  it('stops at the output cap and says so', async () => {
    const plain = await plainOf(await call('emu-fast', { max_completion_tokens: 4 }))
    expect(plain).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 4 } })
  })

  it('is also given for names outside the table', async () => {
    const plain = await plainOf(await call('gpt-4o-mini', { max_tokens: 2 }))
    expect(plain).toMatchObject({ model: 'gpt-4o-mini', usage: { completion_tokens: 2 } })
  })
})

describe('special answers', () => {
  it('repeats the last question in whole characters', async () => {
    const content = `# Title\n\n${'🚰 water '.repeat(9)}`
    const requested = [...messages, { role: 'assistant', content: 'By gates.' }, { role: 'user', content }]
    const list = await chunks(await call('emu-echo', { ...STREAM, messages: requested }))
    expect(contentOf(list)).toBe(content)
    const pieces = list.flatMap((chunk) => chunk.choices[0]?.delta.content || [])
    expect(pieces.map((piece) => Array.from(piece).length)).toEqual([24, 24, 24, 9])
    expect(pieces.join('').isWellFormed() && pieces.every((piece) => piece.isWellFormed())).toBe(true)
  })

  it('gives reasoning before the content', async () => {
    const list = await chunks(await call('emu-reasoning', STREAM))
    const kinds = list.flatMap((chunk) => Object.keys(chunk.choices[0]?.delta ?? {}))
    expect(kinds.indexOf('reasoning_content')).toBeLessThan(kinds.lastIndexOf('content'))
    expect(list.at(-1)?.usage).toMatchObject({
      completion_tokens: 24,
      completion_tokens_details: { reasoning_tokens: 8 },
    })
  })

  it.each([
    ['emu-reasoning-plain', { reasoning: expect.any(String) }],
    ['emu-thinking', { thinking: expect.any(String) }],
    ['emu-parts', { content: [{ type: 'thinking', thinking: [{ type: 'text', text: expect.any(String) }] }] }],
  ])('gives reasoning in the form of %s', async (model, delta) => {
    const list = await chunks(await call(model, STREAM))
    expect(list.slice(1, 9).map((chunk) => chunk.choices[0]?.delta)).toEqual(Array.from({ length: 8 }, () => delta))
  })

  it('calls the offered tool, with arguments that join to JSON', async () => {
    const tools = [{ type: 'function', function: { name: 'forecast', parameters: {} } }]
    const plain = await plainOf(await call('emu-tools', { tools }))
    expect(plain.choices[0].finish_reason).toBe('tool_calls')
    const { name, arguments: text } = plain.choices[0].message.tool_calls[0].function
    expect([name, JSON.parse(text)]).toEqual(['forecast', { city: 'Paris', days: 3 }])
    const streamed = await chunks(await call('emu-tools', { tools, ...STREAM }))
    expect(streamed.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? [])).toHaveLength(6)
  })

  it('reports cached tokens', async () => {
    const plain = await plainOf(await call('emu-cached'))
    expect(plain.usage).toMatchObject({ prompt_tokens: 8, prompt_tokens_details: { cached_tokens: 4 } })
  })

  it('leaves usage out', async () => {
    expect(await (await call('emu-no-usage')).json()).not.toHaveProperty('usage')
    const list = await chunks(await call('emu-no-usage', STREAM))
    expect(list.every((chunk) => !('usage' in chunk))).toBe(true)
  })

  it('survives being cut into single bytes', async () => {
    const list = await chunks(await call('emu-bytewise', STREAM))
    expect(contentOf(list).split(' ')).toHaveLength(3)
  })

  it('sends one frame of one MiB', async () => {
    const list = await frames(await call('emu-huge-frame', STREAM))
    expect(Math.max(...list.map((text) => text.length))).toBeGreaterThan(1 << 20)
  })
})

describe('faults', () => {
  it.each([400, 401, 404, 429, 500, 503])(
    'emu-error-%i answers with that status and an error object',
    async (status) => {
      const response = await call(`emu-error-${status}`)
      expect(response.status).toBe(status)
      expect(await response.json()).toHaveProperty('error.message')
      expect(response.headers.get('retry-after')).toBe(status === 429 || status === 503 ? '2' : null)
    },
  )

  it('fails every n-th request', async () => {
    const statuses = []
    for (let n = 0; n < 4; n++) statuses.push((await call('emu-error-every-2')).status)
    expect(statuses.filter((status) => status === 500)).toHaveLength(2)
  })

  it('answers an error with status 200', async () => {
    const response = await call('emu-error-in-200')
    expect([response.status, Object.keys(await objectOf(response))]).toEqual([200, ['error']])
  })

  it('sends an error frame after three tokens', async () => {
    const list = await frames(await call('emu-error-in-stream', STREAM))
    expect(list.findIndex((text) => text.startsWith('{"error"'))).toBe(4)
  })

  it('answers with a web page', async () => {
    const response = await call('emu-html')
    expect(response.headers.get('content-type')).toBe('text/html')
  })

  it('breaks the connection before the head', async () => {
    await expect(call('emu-cut-before')).rejects.toThrow('fetch failed')
  })

  it('breaks the connection in the middle of a stream and of a plain body', async () => {
    await expect((await call('emu-cut-mid', STREAM)).text()).rejects.toThrow('terminated')
    await expect((await call('emu-cut-mid')).text()).rejects.toThrow('terminated')
  })

  it('ends a stream without finish and [DONE]', async () => {
    const list = await frames(await call('emu-end-mid', STREAM))
    expect([list.length, list.includes('[DONE]')]).toEqual([4, false])
  })

  it('sends a frame that is not JSON', async () => {
    await expect(chunks(await call('emu-malformed', STREAM))).rejects.toThrow('JSON')
    await expect((await call('emu-malformed')).json()).rejects.toThrow('JSON')
  })

  it('notices that a client left a stalled stream', async () => {
    const before = emulator.journal.abandoned
    const leave = new AbortController()
    const response = await call('emu-stall', STREAM, 'sk-test', leave.signal)
    const reader = response.body?.getReader()
    await reader?.read()
    leave.abort()
    await expect.poll(() => emulator.journal.abandoned).toBe(before + 1)
    expect(emulator.journal.calls.at(-1)?.state).toBe('abandoned')
  })
})

describe('requests it refuses', () => {
  const send = (body: string) =>
    fetch(`${emulator.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: 'Bearer k' }, body })

  it.each([
    ['no JSON', '{', null],
    ['no model', '{"messages":[{"role":"user","content":"x"}]}', 'model'],
    ['no messages', '{"model":"emu-fast","messages":[]}', 'messages'],
  ])('%s', async (_name, body, param) => {
    const response = await send(body)
    expect(response.status).toBe(400)
    expect(await objectOf(response)).toHaveProperty('error.param', param)
  })

  it('a missing or a refused key', async () => {
    expect((await fetch(`${emulator.url}/v1/models`)).status).toBe(401)
    expect((await call('emu-fast', {}, 'sk-emu-refused')).status).toBe(401)
  })
})

it('lists its models', async () => {
  const headers = { authorization: 'Bearer k' }
  const list = await objectOf(await fetch(`${emulator.url}/v1/models`, { headers }))
  expect(list).toHaveProperty('data.length', MODELS.length)
  const one = await (await fetch(`${emulator.url}/v1/models/emu-fast`, { headers })).json()
  expect(one).toMatchObject({ id: 'emu-fast', object: 'model' })
})

it('reads the numbers in a name', () => {
  expect(traitsOf('emu-pace-1000-250')).toMatchObject({ tokens: 1000, paceMs: 250 })
  expect(traitsOf('emu-silent-20000')).toMatchObject({ silenceMs: 20_000, tokens: 16 })
  expect(traitsOf('emu-pace-x-1')).toMatchObject({ tokens: 48, paceMs: 10 })
})
