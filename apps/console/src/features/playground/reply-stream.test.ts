import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Piece } from './engine/playground.ts'
import { MOST_CHARACTERS, SILENCE_MS } from './model/failure-text.ts'
import { createAsk } from './reply-stream.ts'

const running: Array<() => void> = []
afterEach(() => {
  for (const stop of running.splice(0)) stop()
})

async function askingAt(answer: (response: ServerResponse) => unknown) {
  const calls: { readonly request: IncomingMessage; body: string; closed: Promise<void> }[] = []
  const server = createServer((request, response) => {
    const call = { request, body: '', closed: new Promise<void>((resolve) => response.once('close', resolve)) }
    calls.push(call)
    request.on('data', (chunk: Buffer) => (call.body += chunk.toString()))
    request.on('end', () => void answer(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  running.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const timers = new Map<number, () => void>()
  let heard = 0
  const pieces: Piece[] = []
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const ask = createAsk({
    fetch: (url, init) => fetch(`http://127.0.0.1:${port}${url}`, init),
    after: (milliseconds, then) => {
      heard += 1
      timers.set(milliseconds, then)
      return () => timers.get(milliseconds) === then && timers.delete(milliseconds)
    },
  })
  const stop = new AbortController()
  const question = { key: 'sk-test', body: { model: 'm', messages: [] } }
  const end = ask(
    question,
    (piece) => {
      pieces.push(piece)
      if (piece.kind !== 'requestId') begin()
    },
    stop.signal,
  )
  return { end, pieces, begun, stop, timers, calls, timersSet: () => heard }
}

const event = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`
const SSE = { 'content-type': 'text/event-stream', 'x-request-id': 'r-1' }
const streams = (...chunks: readonly string[]) => {
  return (response: ServerResponse) => response.writeHead(200, SSE).end(chunks.join(''))
}
const textOf = (pieces: readonly Piece[]) => pieces.map(({ kind, text }) => (kind === 'text' ? text : '')).join('')
const failed = (kind: string) => ({ kind: 'failed', failure: { kind } })

describe('a call for a reply', () => {
  it(
    'has the key of the token, JSON, and a request for an event stream, and no cookie',
    { tags: ['C6.4', 'C7.12', 'C7.15'] },
    async () => {
      const { end, calls } = await askingAt(streams('data: [DONE]\n\n'))
      await end
      const { method, url, headers } = calls[0]?.request ?? {}
      expect([method, url]).toEqual(['POST', '/v1/chat/completions'])
      expect(headers).toMatchObject({
        authorization: 'Bearer sk-test',
        'content-type': 'application/json',
        accept: 'text/event-stream',
      })
      expect(headers).not.toHaveProperty('cookie')
      expect(JSON.parse(calls[0]?.body ?? '')).toEqual({ model: 'm', messages: [] })
    },
  )
})

describe('a reply', () => {
  it('arrives in pieces after its request id, and ends with [DONE]', { tags: ['C7.17', 'C7.18'] }, async () => {
    const { end, pieces } = await askingAt(
      streams(
        ': a sign of life\n\n',
        event({ role: 'assistant', content: '' }),
        event({ reasoning_content: 'Hm' }),
        event({ content: 'Hel' }),
        event({ content: 'lo' }),
        event({}, 'stop'),
        'data: [DONE]\n\n',
        event({ content: ' ignored' }),
      ),
    )
    expect(await end).toEqual({ kind: 'complete', finish: 'stop' })
    expect(pieces).toEqual([
      { kind: 'requestId', text: 'r-1' },
      { kind: 'reasoning', text: 'Hm' },
      { kind: 'text', text: 'Hel' },
      { kind: 'text', text: 'lo' },
    ])
  })

  it('can begin with thoughts between tags, and loses nothing of what looked like one', async () => {
    const { end, pieces } = await askingAt(
      streams(
        event({ content: '<thi' }),
        event({ content: 'nk>Hm</think>' }),
        event({ content: 'So' }),
        event({}, 'stop'),
      ),
    )
    await end
    expect(pieces.slice(1)).toEqual([
      { kind: 'reasoning', text: 'Hm' },
      { kind: 'text', text: 'So' },
    ])
    const cut = await askingAt(streams(event({ content: '<thi' })))
    expect(await cut.end).toEqual(failed('cut'))
    expect(textOf(cut.pieces)).toBe('<thi')
  })

  it('is read wherever its bytes are split, even inside a character or a line ending', async () => {
    const bytes = Buffer.from(`${event({ content: '流 ünï 🚰' })}data: [DONE]\n\n`.replaceAll('\n', '\r\n'))
    const { end, pieces } = await askingAt(async (response) => {
      response.writeHead(200, SSE)
      for (const byte of bytes) {
        await new Promise<void>((resolve) => response.write(Uint8Array.of(byte), () => resolve()))
      }
      response.end()
    })
    expect(await end).toMatchObject({ kind: 'complete' })
    expect(textOf(pieces)).toBe('流 ünï 🚰')
  })

  it('is complete without [DONE] when the model gave a reason for ending, and cut off otherwise', async () => {
    const whole = await askingAt(streams(event({ content: 'x' }), event({}, 'length')))
    expect(await whole.end).toEqual({ kind: 'complete', finish: 'length' })
    const cut = await askingAt(streams(event({ content: 'x' })))
    expect(await cut.end).toEqual(failed('cut'))
    expect(textOf(cut.pieces)).toBe('x')
  })

  it('lets the gateway close the connection, but does not wait indefinitely', async () => {
    const { end, timers, calls } = await askingAt((response) => response.writeHead(200, SSE).write('data: [DONE]\n\n'))
    expect(await end).toMatchObject({ kind: 'complete' })
    expect([...timers.keys()]).toEqual([5_000])
    timers.get(5_000)?.()
    await calls[0]?.closed
  })
})

describe('a reply that fails', () => {
  it.each([
    ['in an event', 'data: {"type":"error","error":"It broke."}\n\n'],
    ['in an event of that name', 'event: error\ndata: {"message":"It broke."}\n\n'],
    ['in the form of the gateway', 'data: {"error":{"message":"It broke.","code":"upstream"}}\n\n'],
    ['in the place of a delta', event({ type: 'error', error: 'It broke.' })],
  ])('returns the error text that arrived %s, and what arrived before it', { tags: 'C8.9' }, async (_, broken) => {
    const { end, pieces, calls } = await askingAt((response) => {
      response.writeHead(200, SSE).write(event({ content: 'So far' }) + broken)
    })
    expect(await end).toEqual({ kind: 'failed', failure: { kind: 'told', text: 'It broke.' } })
    expect(textOf(pieces)).toBe('So far')
    await calls[0]?.closed
  })

  it('returns the message of a refusal', { tags: 'C8.8' }, async () => {
    const refused = await askingAt((response) => response.writeHead(401, SSE).end('{"error":{"message":"Bad key."}}'))
    expect(await refused.end).toEqual({ kind: 'failed', failure: { kind: 'told', text: 'Bad key.' } })
    expect(refused.pieces).toEqual([{ kind: 'requestId', text: 'r-1' }])
    const bare = await askingAt((response) => response.writeHead(503, {}).end())
    expect(await bare.end).toEqual({
      kind: 'failed',
      failure: { kind: 'told', text: 'HTTP 503: Service Unavailable' },
    })
  })

  it('reads no more of a refusal than it can show', async () => {
    const { end, calls } = await askingAt((response) => {
      response.writeHead(500, SSE)
      const more = () => response.destroyed || response.write('x'.repeat(1 << 16), more)
      more()
    })
    expect(await end).toMatchObject({ failure: { kind: 'told' } })
    await calls[0]?.closed
  })

  it('reports an answer without a body', { tags: 'C8.9' }, async () => {
    const { end } = await askingAt((response) => response.writeHead(204, SSE).end())
    expect(await end).toEqual(failed('noBody'))
    const empty = await askingAt(streams())
    expect(await empty.end).toEqual(failed('noBody'))
  })

  it('distinguishes a broken connection from one that was never made', async () => {
    const { end, pieces } = await askingAt((response) => {
      response.writeHead(200, SSE).write(event({ content: 'x' }), () => setTimeout(() => response.destroy(), 5))
    })
    expect(await end).toEqual(failed('broken'))
    expect(textOf(pieces)).toBe('x')
    const refused = await askingAt((response) => response.destroy())
    expect(await refused.end).toEqual(failed('unsent'))
  })

  it('reports an event that is not JSON', async () => {
    const { end } = await askingAt(streams(event({ content: 'x' }), 'data: {"choices":[{"del\n\n', event({}, 'stop')))
    expect(await end).toEqual(failed('unreadable'))
    const list = await askingAt(streams('data: "text"\n\n'))
    expect(await list.end).toEqual(failed('unreadable'))
  })

  it.each([
    [
      'many pieces',
      Array.from({ length: 5 }, () => event({ content: 'x'.repeat(MOST_CHARACTERS / 4) })).join(''),
      MOST_CHARACTERS,
    ],
    ['one event', event({ content: 'x'.repeat(MOST_CHARACTERS + 1) }), MOST_CHARACTERS],
    ['an event without an end', `${event({ content: 'x' })}data: ${'x'.repeat(2 * MOST_CHARACTERS + 1)}`, 1],
  ])('ends when it is longer than can be shown, in %s', async (_, text, arrives) => {
    const { end, calls, pieces } = await askingAt((response) => response.writeHead(200, SSE).write(text))
    expect(await end).toEqual(failed('tooLong'))
    expect(textOf(pieces).length).toBe(arrives)
    await calls[0]?.closed
  })

  it('ends when nothing arrives for five minutes, before or after the headers', async () => {
    const silent = await askingAt(() => {})
    while (silent.calls.length === 0) await new Promise((resolve) => setTimeout(resolve))
    silent.timers.get(SILENCE_MS)?.()
    expect(await silent.end).toEqual(failed('silent'))
    await silent.calls[0]?.closed

    const stalled = await askingAt((response) => response.writeHead(200, SSE).write(event({ content: 'x' })))
    await stalled.begun
    expect([SILENCE_MS, stalled.timersSet()]).toEqual([300_000, 2])
    stalled.timers.get(SILENCE_MS)?.()
    expect(await stalled.end).toEqual(failed('silent'))
    await stalled.calls[0]?.closed
    expect(stalled.timers.size).toBe(0)
  })
})

describe('a reply that is aborted', () => {
  it('stops, and its connection is closed', async () => {
    const { end, begun, stop, calls, timers } = await askingAt((response) => {
      response.writeHead(200, SSE).write(event({ content: 'x' }))
    })
    await begun
    stop.abort()
    expect(await end).toEqual({ kind: 'aborted' })
    await calls[0]?.closed
    expect(timers.size).toBe(0)
  })
})
