import type { Piece } from '../engine/playground.ts'
import { errorTextOf, isRecord } from './failure-text.ts'

export interface Delta {
  readonly pieces: readonly Piece[]
  /** Why the reply failed; '' when the event reports a failure without its cause. Undefined while all is well. */
  readonly error: string | undefined
  /** Why the model ended the reply (`stop`, `length`, …); undefined until then. */
  readonly finish: string | undefined
}

/**
 * Reads one event of `POST /v1/chat/completions` in any form in use: text as a string or as parts; reasoning as
 * `reasoning_content`, `reasoning`, `reasoning_text`, `thinking`, or as parts among the text; errors as an event of their own or in
 * place of a delta or a part. Ignores anything else.
 */
export function readDelta(event: unknown): Delta {
  if (!isRecord(event)) return NOTHING
  if (hasError(event)) return { ...NOTHING, error: errorTextOf(event) }
  const choice: unknown = Array.isArray(event['choices']) ? event['choices'][0] : undefined
  if (!isRecord(choice)) return NOTHING
  const finish = typeof choice['finish_reason'] === 'string' ? choice['finish_reason'] : undefined
  const delta = choice['delta']
  if (!isRecord(delta)) return { ...NOTHING, finish }
  const error = [delta, ...listOf(delta['content'])].find(hasError)
  // Some providers send the same reasoning under several names; the first that is not empty has all of it.
  const reasoning = REASONING.map((name) => plainText(delta[name])).find((text) => text !== '')
  const pieces = [...piece('reasoning', reasoning ?? ''), ...partsOf(delta['content']), ...partsOf(delta['refusal'])]
  return { pieces, error: error === undefined ? undefined : errorTextOf(error), finish }
}

const NOTHING: Delta = { pieces: [], error: undefined, finish: undefined }
const REASONING = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'] as const

function hasError(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && (value['type'] === 'error' || (value['error'] ?? null) !== null)
}

function partsOf(content: unknown): readonly Piece[] {
  if (typeof content === 'string') return piece('text', content)
  return listOf(content).flatMap((part) => {
    if (!isRecord(part)) return []
    if (part['type'] === 'thinking') return piece('reasoning', plainText(part['thinking'] ?? part['text']))
    return piece('text', plainText(part['text']))
  })
}

function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  return listOf(value)
    .map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('')
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function piece(kind: Piece['kind'], text: string): readonly Piece[] {
  return text === '' ? [] : [{ kind, text }]
}

const OPEN = '<think>'
const CLOSE = '</think>'
/** A reply that starts with more blanks than this is not expected to have a tag. */
const MOST_BLANKS = 64

/** Reads a text in pieces. Holds back what might be part of a tag until that is clear. */
export interface ThinkTags {
  read(text: string): readonly Piece[]
  /** Returns what was held back, at the end. */
  end(): readonly Piece[]
}

/** Separates text and thoughts of a reply that begins with `<think>…</think>`, as self-hosted models write it. */
export function createThinkTags(): ThinkTags {
  let stage: 'before' | 'thinking' | 'after' | 'text' = 'before'
  let held = ''

  function read(): readonly Piece[] {
    if (stage === 'before') {
      const begun = held.trimStart()
      if (OPEN.startsWith(begun.slice(0, OPEN.length)) && held.length - begun.length <= MOST_BLANKS) {
        if (begun.length < OPEN.length) return []
        stage = 'thinking'
        held = begun.slice(OPEN.length)
        return read()
      }
      stage = 'text'
    }
    if (stage === 'thinking') {
      const end = held.indexOf(CLOSE)
      if (end < 0) return take('reasoning', held.length - beginningAtEnd(held))
      const thoughts = take('reasoning', end)
      stage = 'after'
      held = held.slice(CLOSE.length)
      return [...thoughts, ...read()]
    }
    if (stage === 'after') {
      held = held.trimStart()
      if (held !== '') stage = 'text'
    }
    return take('text', held.length)
  }

  function take(kind: Piece['kind'], length: number): readonly Piece[] {
    const text = held.slice(0, length)
    held = held.slice(length)
    return text === '' ? [] : [{ kind, text }]
  }

  return {
    read(text) {
      held += text
      return read()
    },
    end: () => take(stage === 'thinking' ? 'reasoning' : 'text', held.length),
  }
}

/** Number of characters at the end of a text that might begin the closing tag. */
function beginningAtEnd(text: string): number {
  for (let length = Math.min(text.length, CLOSE.length - 1); length > 0; length -= 1) {
    if (CLOSE.startsWith(text.slice(-length))) return length
  }
  return 0
}
