const OPEN = '<think>'
const CLOSE = '</think>'
/** Maximum white space before an answer; after that, no tag is expected. */
const BLANKS_LIMIT = 64

type State = 'before' | 'thinking' | 'after' | 'done'

export interface Split {
  readonly kind: 'text' | 'reasoning'
  readonly delta: string
}

/** Separates thoughts in `<think>…</think>` from an answer. Tags may be split: at most one, with its white space, is held back. */
export class ThinkTags {
  #state: State = 'before'
  #held = ''

  push(delta: string): readonly Split[] {
    if (this.#state === 'done') return [{ kind: 'text', delta }]
    this.#held += delta
    return this.#read()
  }

  /** Returns what was held back; call at the end of the answer. */
  end(): readonly Split[] {
    const held = this.#held
    const state = this.#state
    this.#held = ''
    this.#state = 'done'
    if (held === '' || state === 'after') return []
    return [{ kind: state === 'thinking' ? 'reasoning' : 'text', delta: held }]
  }

  #read(): readonly Split[] {
    switch (this.#state) {
      case 'before': {
        const begun = this.#held.trimStart()
        const mayBegin = begun.length < OPEN.length && OPEN.startsWith(begun)
        if (mayBegin && this.#held.length - begun.length <= BLANKS_LIMIT) return []
        if (!begun.startsWith(OPEN)) return this.#release('done', 'text', this.#held, '')
        this.#state = 'thinking'
        this.#held = begun.slice(OPEN.length)
        return this.#read()
      }
      case 'thinking': {
        const end = this.#held.indexOf(CLOSE)
        if (end >= 0) {
          const thought = this.#held.slice(0, end)
          return [
            ...this.#release('after', 'reasoning', thought, this.#held.slice(end + CLOSE.length)),
            ...this.#read(),
          ]
        }
        const whole = this.#held.length - beginOf(CLOSE, this.#held)
        return this.#release('thinking', 'reasoning', this.#held.slice(0, whole), this.#held.slice(whole))
      }
      case 'after': {
        const answer = this.#held.trimStart()
        return answer === '' ? this.#release('after', 'text', '', '') : this.#release('done', 'text', answer, '')
      }
      case 'done':
        return []
    }
  }

  #release(state: State, kind: Split['kind'], delta: string, held: string): readonly Split[] {
    this.#state = state
    this.#held = held
    return delta === '' ? [] : [{ kind, delta }]
  }
}

/** How many characters at the end of a text might be the beginning of the tag. */
function beginOf(tag: string, text: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) return length
  }
  return 0
}
