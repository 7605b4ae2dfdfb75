import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AFTER_WORK, BEFORE_WORK } from '@sluice/testkit/emulator/agent-work'
import { openRealtimeClient } from '@sluice/testkit/realtime-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionName } from '../../apps/gateway/src/relay/caller/session-name.ts'
import { LOOP_PROVIDERS, type LoopProvider, type LoopWorld, openLoopWorld } from './loop-providers.ts'
import { MCP_SERVER, MCP_TOOL } from './programs.ts'
import { PLACEHOLDERS, type RecordedLoop, type RecordedRequest } from './recorded-loop.ts'

/** Recorded loops of real agents, replayed against providers of every dialect. */
const FOLDER = join(import.meta.dirname, '..', 'recorded', 'agents')
const LOOPS: readonly RecordedLoop[] = await Promise.all(
  (await readdir(FOLDER))
    .sort()
    .map(async (name) => JSON.parse(await readFile(join(FOLDER, name, 'loop.json'), 'utf8'))),
)

/** Where each program names the conversation of a request; 'body' for programs whose requests only begin with the same bytes. */
const NAMED_BY: Readonly<Record<string, string>> = {
  claude: 'x-claude-code-session-id',
  codex: 'session-id',
  'codex-mcp': 'session-id',
  gemini: 'body',
  opencode: 'x-session-affinity',
  qwen: 'body',
  cline: 'body',
  // Its requests are too short for a provider's cache.
  aider: 'nothing',
  copilot: 'body',
}

let loops: LoopWorld
beforeAll(async () => {
  loops = await openLoopWorld()
})
afterAll(() => loops.close())

const isOfServer = ({ program }: RecordedLoop): boolean => program.endsWith('-mcp')
const reads = ({ lacksNamespaces }: LoopProvider, loop: RecordedLoop): boolean =>
  lacksNamespaces !== true || !isOfServer(loop)
const hasFrames = ({ requests }: RecordedLoop): boolean => requests.some(({ frames }) => frames !== undefined)

describe.each(LOOPS.filter((loop) => !hasFrames(loop)))('$program $version', (loop) => {
  // Some agents also request models or a title; one never offers tools.
  const withTools = loop.requests.filter(({ body }) => typeof body === 'object' && body !== null && 'tools' in body)
  const turns = withTools.length === 0 ? loop.requests : withTools

  it('names its conversation in every request where it is known to', () => {
    const names = turns.map(({ headers, body }) =>
      sessionName(headers, { tokenId: 7 }, Buffer.from(JSON.stringify(body))),
    )
    const named = NAMED_BY[loop.program] ?? ''
    expect(new Set(names).size).toBe(1)
    if (named === 'nothing') expect(names[0]).toBeUndefined()
    else if (named === 'body') expect(names[0]).toMatch(/^7 \S{20,}$/)
    else expect(names[0]).toBe(`7 ${turns[0]?.headers[named]}`)
  })

  it.each(LOOP_PROVIDERS.filter(({ isFramed }) => isFramed !== true).filter((provider) => reads(provider, loop)))(
    'ends its loop at a provider of $dialect, on one key, for the price of its tokens',
    async (provider) => {
      const { model } = provider
      loops.called()
      const last = await lastRow()
      const answers: string[] = []
      for (const request of turns) answers.push(await send(request, loop.model, model))
      expect(textOf(answers.at(0) ?? '')).toContain(BEFORE_WORK.slice(0, 20))
      expect(textOf(answers.at(-1) ?? '')).toContain(AFTER_WORK.slice(0, 20))
      // Codex finds an MCP server's tool by both names.
      if (isOfServer(loop)) expect(answers.at(0)).toContain(`"name":"${MCP_TOOL}","namespace":"mcp__${MCP_SERVER}"`)
      await expectCharged(last, turns.length, provider)
    },
  )
})

describe.each(LOOPS.filter(hasFrames))('$program $version over a websocket', (loop) => {
  const [{ path, headers, frames = [] } = NO_REQUEST] = loop.requests

  it.each(LOOP_PROVIDERS)(
    'ends its loop at a provider of $dialect, on one key, for the price of its tokens',
    async (provider) => {
      const { model, isFramed } = provider
      loops.called()
      const last = await lastRow()
      const named = naming(loop.model, model)
      const socket = await openRealtimeClient(loops.world.url + path, [], {
        headers: JSON.parse(named(JSON.stringify(headers))),
      })
      let answer: FramedAnswer = { id: '', output: [] }
      const texts: string[] = []
      for (const frame of frames) {
        socket.send(named(JSON.stringify(following(frame as RecordedFrame, answer))))
        const end = await socket.take('response.completed', 'response.failed', 'error')
        expect(end).toMatchObject({ type: 'response.completed' })
        answer = end['response'] as FramedAnswer
        texts.push(JSON.stringify(answer.output))
      }
      await socket.close()
      // An answer may end a moment before its row is written.
      await loops.world.verify()
      expect(await framedSince(last)).toBe(isFramed === true ? frames.length - 1 : 0)
      // It first sends its tools, and expects no answer to that.
      expect(texts.at(0)).toBe('[]')
      expect(texts.at(1)).toContain(BEFORE_WORK.slice(0, 20))
      expect(texts.at(-1)).toContain(AFTER_WORK.slice(0, 20))
      await expectCharged(last, frames.length - 1, provider)
    },
  )
})

const NO_REQUEST: RecordedRequest = { method: '', path: '', headers: {} }

interface FramedAnswer {
  readonly id: string
  readonly output: readonly { readonly type: string; readonly call_id?: string }[]
}

interface RecordedFrame {
  readonly previous_response_id?: string
  readonly input: readonly { readonly type: string; readonly call_id?: string }[]
}

/** The frame that the program would have sent after this answer. */
function following(frame: RecordedFrame, { id, output }: FramedAnswer): object {
  const call = output.find(({ type }) => type === 'function_call')
  const input = frame.input.map((item) => (item.call_id === undefined ? item : { ...item, call_id: call?.call_id }))
  return { ...frame, input, ...(frame.previous_response_id !== undefined && { previous_response_id: id }) }
}

async function lastRow(): Promise<number> {
  const [row] = await loops.world.rows('select max(id) as id from log')
  return Number(row?.['id'] ?? 0)
}

/** Requests after this row that a provider's websocket answered. */
async function framedSince(last: number): Promise<number> {
  const traces = await loops.world.rows(
    `select attempts from trace where request_id in (select request_id from log where type = 2 and id > ${last})`,
  )
  return traces.filter(({ attempts }) => String(attempts).includes('"transport":"websocket"')).length
}

/** Once all is settled, every call after this row must have cost its tokens and, at our own emulator, have gone to one key. */
async function expectCharged(last: number, calls: number, provider: LoopProvider): Promise<void> {
  const { dialect, isForeign, takesToolsInResponses } = provider
  await loops.world.verify()
  const asked = loops.called()
  const keys = new Set(asked.map(({ key }) => key))
  if (isForeign !== true) expect([...keys]).toEqual([expect.stringMatching(new RegExp(`^sk-${dialect}-(?:one|two)$`))])
  if (takesToolsInResponses === true)
    for (const { body } of asked) expect(Object.keys(body)).toContain('tools' in body ? 'input' : 'messages')
  const rows = await loops.world.rows(`select * from log where type = 2 and id > ${last}`)
  expect(rows).toHaveLength(calls)
  for (const { prompt_tokens, completion_tokens, amount } of rows) {
    expect(Number(prompt_tokens)).toBeGreaterThan(0)
    expect(Number(amount)).toBe((Number(prompt_tokens) + 2 * Number(completion_tokens)) * 1_000)
  }
}

/** Replaces the recording's model and key with this run's. */
const naming = (recorded: string, model: string) => (text: string) =>
  text.replaceAll(recorded, model).replaceAll(PLACEHOLDERS.key, loops.key)

async function send(
  { method, path, headers, body }: RecordedRequest,
  recorded: string,
  model: string,
): Promise<string> {
  const named = naming(recorded, model)
  const reply = await fetch(loops.world.url + named(path), {
    method,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, named(value)])),
    body: named(JSON.stringify(body)),
  })
  const text = await reply.text()
  expect([reply.status, text.slice(0, 500)]).toEqual([200, expect.any(String)])
  return text
}

function textOf(events: string): string {
  return [...events.matchAll(/"(?:delta|text|content)":"((?:[^"\\]|\\.)*)"/g)]
    .map(([, piece]) => String(JSON.parse(`"${piece}"`)))
    .join('')
}
