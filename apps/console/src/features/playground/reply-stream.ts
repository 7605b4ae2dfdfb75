import { createParser } from 'eventsource-parser'
import type { Piece, PlaygroundParts, ReplyEnd } from './engine/playground.ts'
import { readDelta, createThinkTags } from './model/delta.ts'
import { MOST_CHARACTERS, refusalText, SILENCE_MS } from './model/failure-text.ts'

export interface ReplyStreamParts {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Calls back after this many milliseconds; returns a function that cancels the call. */
  readonly after: (milliseconds: number, then: () => void) => () => void
}

/** Longest event, in characters. An event can contain a whole reply, written as JSON. */
const MOST_EVENT_CHARACTERS = 2 * MOST_CHARACTERS
/** Maximum number of bytes read from a refusal; the rest is ignored. */
const MOST_REFUSAL_BYTES = 64 << 10
/** How long a stream may take to close after it says that it is done, in milliseconds. */
const GOODBYE_MS = 5_000

/**
 * Sends only the key of a token, no cookie. Ends when the stream ends, fails or falls silent, and frees the connection in every
 * case.
 */
export function createAsk(parts: ReplyStreamParts): PlaygroundParts['ask'] {
  return async ({ key, body }, onPiece, signal) => {
    const silence = watchSilence(parts.after)
    let answered = false
    try {
      const answer = await parts.fetch('/v1/chat/completions', {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Accept: 'text/event-stream' },
        body: JSON.stringify(body),
        credentials: 'omit',
        cache: 'no-store',
        signal: AbortSignal.any([signal, silence.signal]),
      })
      answered = true
      onPiece({ kind: 'requestId', text: answer.headers.get('x-request-id') ?? '' })
      if (!answer.ok) return shown(refusalText(answer.status, answer.statusText, await beginningOf(answer)))
      if (answer.body === null) return NO_BODY
      return await readReply(answer.body, onPiece, silence.heard, parts.after)
    } catch {
      if (signal.aborted) return { kind: 'aborted' }
      if (silence.signal.aborted) return { kind: 'failed', failure: { kind: 'silent' } }
      return { kind: 'failed', failure: { kind: answered ? 'broken' : 'unsent' } }
    } finally {
      silence.end()
    }
  }
}

const NO_BODY: ReplyEnd = { kind: 'failed', failure: { kind: 'noBody' } }
const shown = (text: string): ReplyEnd => ({ kind: 'failed', failure: { kind: 'told', text } })

/** Aborts its signal `SILENCE_MS` after the last sign of life. */
function watchSilence(after: ReplyStreamParts['after']) {
  const controller = new AbortController()
  const wait = () => after(SILENCE_MS, () => controller.abort())
  let cancel = wait()
  return {
    signal: controller.signal,
    heard: () => {
      cancel()
      cancel = wait()
    },
    end: () => cancel(),
  }
}

async function beginningOf(answer: Response): Promise<string> {
  if (answer.body === null) return ''
  const reader = answer.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let bytes = 0; bytes < MOST_REFUSAL_BYTES;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.length
    text += decoder.decode(value, { stream: true })
  }
  void reader.cancel().catch(() => {})
  return text
}

/** Rejects when the connection breaks. */
async function readReply(
  body: ReadableStream<Uint8Array>,
  onPiece: (piece: Piece) => void,
  heard: () => void,
  after: ReplyStreamParts['after'],
): Promise<ReplyEnd> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const reading = createReading(onPiece)
  let isEmpty = true
  try {
    for (;;) {
      const { done, value } = await reader.read()
      heard()
      if (done) return isEmpty ? NO_BODY : reading.atEnd()
      isEmpty &&= value.length === 0
      const end = reading.feed(decoder.decode(value, { stream: true }))
      if (end !== undefined) {
        // The side that closes the connection tells the gateway whether the reader left early or got everything.
        if (end.kind === 'complete') void drain(reader, after)
        else void reader.cancel().catch(() => {})
        return end
      }
    }
  } finally {
    reading.giveBack()
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, after: ReplyStreamParts['after']): Promise<void> {
  const cancel = after(GOODBYE_MS, () => void reader.cancel().catch(() => {}))
  try {
    while (!(await reader.read()).done);
  } catch {
    // Everything that counts has arrived.
  } finally {
    cancel()
  }
}

function createReading(onPiece: (piece: Piece) => void) {
  let characters = 0
  let finish = ''
  let end: ReplyEnd | undefined
  const tags = createThinkTags()
  const pass = (pieces: readonly Piece[]) => pieces.forEach((piece) => onPiece(piece))
  const parser = createParser({
    maxBufferSize: MOST_EVENT_CHARACTERS,
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') end ??= { kind: 'failed', failure: { kind: 'tooLong' } }
    },
    onEvent: ({ event, data }) => {
      if (end === undefined) end = read(event, data)
    },
  })

  function read(name: string | undefined, data: string): ReplyEnd | undefined {
    if (data.trim() === '') return undefined
    if (data.trim() === '[DONE]') return { kind: 'complete', finish }
    const event = parsed(data)
    if (event === undefined) return { kind: 'failed', failure: { kind: 'unreadable' } }
    const { pieces, error, finish: shown } = readDelta(name === 'error' ? { type: 'error', ...event } : event)
    for (const piece of pieces) {
      const text = piece.text.slice(0, MOST_CHARACTERS - characters)
      characters += text.length
      pass(piece.kind === 'text' ? tags.read(text) : [{ ...piece, text }])
      if (text !== piece.text) return { kind: 'failed', failure: { kind: 'tooLong' } }
    }
    if (error !== undefined) return { kind: 'failed', failure: { kind: 'told', text: error } }
    finish = shown ?? finish
    return undefined
  }

  return {
    giveBack: () => pass(tags.end()),
    feed(text: string): ReplyEnd | undefined {
      parser.feed(text)
      return end
    },
    /** A reply with a reason for ending is complete, even if the stream does not say that it is done. */
    atEnd: (): ReplyEnd => {
      return finish === '' ? { kind: 'failed', failure: { kind: 'cut' } } : { kind: 'complete', finish }
    },
  }
}

/** Undefined for anything but a JSON object. */
function parsed(data: string): object | undefined {
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
