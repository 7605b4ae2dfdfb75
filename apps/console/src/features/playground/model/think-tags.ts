import type { Piece } from '../engine/playground.ts'

const OPEN = '<think>'
const CLOSE = '</think>'
/** Number of blanks at the start of a reply after which a tag is no longer expected. */
const MOST_BLANKS = 64

/** Reads a text in pieces. What might be part of a tag is held back until that is clear. */
export interface ThinkTags {
  read(text: string): readonly Piece[]
  /** What was held back, at the end. */
  end(): readonly Piece[]
}

/** Separates the thoughts of a reply that begins with `<think>…</think>`, as self-hosted models write it, from its text. */
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

/** How many characters at the end of a text might be the beginning of the closing tag. */
function beginningAtEnd(text: string): number {
  for (let length = Math.min(text.length, CLOSE.length - 1); length > 0; length -= 1) {
    if (CLOSE.startsWith(text.slice(-length))) return length
  }
  return 0
}
