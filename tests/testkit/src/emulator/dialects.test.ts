import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Emulator, startEmulator } from './server.ts'

let emulator: Emulator
beforeAll(async () => {
  emulator = await startEmulator()
})
afterAll(() => emulator.close())

const QUESTION = 'How does a sluice work?'

interface Spoken {
  readonly path: (model: string, stream: boolean) => string
  readonly body: (model: string, stream: boolean) => object
  /** Matches the text of a whole answer, and of each event. */
  readonly text: RegExp
  readonly piece: RegExp
  readonly usage: string
  readonly end: string
}

const DIALECTS: Readonly<Record<string, Spoken>> = {
  messages: {
    path: () => '/v1/messages',
    body: (model, stream) => ({ model, stream, max_tokens: 64, messages: [{ role: 'user', content: QUESTION }] }),
    text: /"type":"text","text":"([^"]*)"/g,
    piece: /"type":"text_delta","text":"([^"]*)"/g,
    usage: '"output_tokens":16',
    end: '"type":"message_stop"',
  },
  responses: {
    path: () => '/v1/responses',
    body: (model, stream) => ({ model, stream, input: QUESTION }),
    text: /"type":"output_text","text":"([^"]*)"/g,
    piece: /"delta":"([^"]*)"/g,
    usage: '"output_tokens":16',
    end: '"type":"response.completed"',
  },
  gemini: {
    path: (model, stream) => `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: () => ({ contents: [{ role: 'user', parts: [{ text: QUESTION }] }] }),
    text: /"text":"([^"]*)"/g,
    piece: /"text":"([^"]*)"/g,
    usage: '"candidatesTokenCount":16',
    end: '"finishReason":"STOP"',
  },
}

describe.each(Object.entries(DIALECTS))('%s', (_, { path, body, text, piece, usage, end }) => {
  const ask = (model: string, stream: boolean) =>
    fetch(emulator.url + path(model, stream), {
      method: 'POST',
      headers: { 'x-goog-api-key': 'k' },
      body: JSON.stringify(body(model, stream)),
    })
  const joined = (from: string, pattern: RegExp) => Array.from(from.matchAll(pattern), ([, part]) => part).join('')

  it('says the same streamed and plain, and counts the same', async () => {
    const [plain, streamed] = [await (await ask('emu-fast', false)).text(), await (await ask('emu-fast', true)).text()]
    expect(joined(plain, text).split(' ')).toHaveLength(16)
    expect(joined(streamed, piece)).toBe(joined(plain, text))
    expect(plain).toContain(usage)
    expect(streamed).toContain(usage)
    expect(streamed).toContain(end)
  })

  it('breaks in the middle: cut, ended, unreadable, or with an error', async () => {
    await expect((await ask('emu-cut-mid', true)).text()).rejects.toThrow('terminated')
    for (const model of ['emu-end-mid', 'emu-malformed', 'emu-error-in-stream']) {
      const broken = await (await ask(model, true)).text()
      expect(joined(broken, piece)).not.toBe('')
      // An unreadable event may be followed by a valid end.
      expect(broken.includes(end)).toBe(model === 'emu-malformed' && path(model, true) === '/v1/messages')
      expect(broken.includes('"error":{')).toBe(model === 'emu-error-in-stream')
    }
  })

  it('refuses in its own shape', async () => {
    const reply = await ask('emu-error-529', true)
    expect(reply.status).toBe(529)
    expect(await reply.json()).toHaveProperty('error.message', 'Overloaded')
  })
})

describe('tools of Responses', () => {
  const work = async (tools: readonly object[], tool: string) => {
    emulator.faults.switchOn({ key: 'k', as: 'emu-agent' })
    const reply = await fetch(`${emulator.url}/v1/responses`, {
      method: 'POST',
      headers: { 'x-goog-api-key': 'k' },
      body: JSON.stringify({
        model: 'm',
        input: [
          { type: 'additional_tools', role: 'developer', tools },
          { role: 'user', content: `Please (write /home/a/made.txt${tool}).` },
        ],
      }),
    })
    emulator.faults.switchOff({ key: 'k' })
    return ((await reply.json()) as { readonly output: readonly object[] }).output.at(-1)
  }

  it('are called in their namespace', async () => {
    const files = { type: 'namespace', name: 'mcp__files', tools: [{ type: 'function', name: 'save_text' }] }
    expect(await work([files], ' with mcp__files__save_text')).toMatchObject({
      type: 'function_call',
      name: 'save_text',
      namespace: 'mcp__files',
    })
  })

  it('are called with text where they take that', async () => {
    const own = { type: 'namespace', name: 'functions', tools: [{ type: 'custom', name: 'exec' }] }
    expect(await work([own], '')).toMatchObject({
      type: 'custom_tool_call',
      name: 'exec',
      input: expect.stringContaining('tools.exec_command({'),
    })
  })
})
