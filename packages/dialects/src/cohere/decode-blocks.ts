import type { AnswerEvent, Citation } from '../canon/events.ts'
import { asList, asObject, asText, type JsonObject } from '../json-value.ts'

/** Only one spoken block is open at a time. It ends when the next one begins, because citations may follow its own end event. */
interface SpokenBlock {
  /** The provider's number for the block, or `plan`. */
  readonly key: unknown
  readonly kind: 'text' | 'reasoning'
  readonly number: number
}

/** Turns Cohere's content, plans and calls, which are numbered separately, into events with numbers of our own. */
export class CohereBlocks {
  #spoken: SpokenBlock | undefined
  readonly #calls = new Map<unknown, number>()
  #count = 0

  /** `content` of a `content-start` or `content-delta`. */
  content(index: unknown, { text, thinking }: JsonObject): readonly AnswerEvent[] {
    if (typeof thinking === 'string') return this.#speak(index, 'reasoning', thinking)
    return typeof text === 'string' ? this.#speak(index, 'text', text) : []
  }

  /** What the model plans to do with its tools: reasoning by another name. */
  plan(delta: string): readonly AnswerEvent[] {
    return this.#speak('plan', 'reasoning', delta)
  }

  callStart(index: unknown, call: JsonObject): readonly AnswerEvent[] {
    const { name, arguments: args } = asObject(call['function']) ?? {}
    const before = [...this.#stopSpoken(), ...this.callEnd(index)]
    const block = this.#count++
    this.#calls.set(index, block)
    const start: AnswerEvent = { type: 'tool-start', block, id: asText(call['id']), name: asText(name) }
    return [...before, start, ...argsOf(block, args)]
  }

  callArgs(index: unknown, call: JsonObject): readonly AnswerEvent[] {
    const block = this.#calls.get(index)
    return block === undefined ? [] : argsOf(block, asObject(call['function'])?.['arguments'])
  }

  callEnd(index: unknown): readonly AnswerEvent[] {
    const block = this.#calls.get(index)
    if (block === undefined) return []
    this.#calls.delete(index)
    return [{ type: 'block-end', block }]
  }

  /** Citations of the current text; citations of plans and thoughts cannot be expressed. */
  citation(citation: JsonObject): readonly AnswerEvent[] {
    const spoken = this.#spoken
    if (spoken?.kind !== 'text') return []
    return readCitations(citation).map((found) => ({ type: 'citation', block: spoken.number, citation: found }))
  }

  stopAll(): readonly AnswerEvent[] {
    return [...this.#stopSpoken(), ...[...this.#calls.keys()].flatMap((index) => this.callEnd(index))]
  }

  whole(message: JsonObject): readonly AnswerEvent[] {
    const content = typeof message['content'] === 'string' ? [{ text: message['content'] }] : asList(message['content'])
    return [
      ...this.plan(asText(message['tool_plan'])),
      ...content.flatMap((item, index) => this.content(index, asObject(item) ?? {})),
      ...asList(message['citations']).flatMap((item) => this.citation(asObject(item) ?? {})),
      ...asList(message['tool_calls']).flatMap((item, index) => [
        ...this.callStart(index, asObject(item) ?? {}),
        ...this.callEnd(index),
      ]),
      ...this.stopAll(),
    ]
  }

  #speak(key: unknown, kind: SpokenBlock['kind'], delta: string): readonly AnswerEvent[] {
    if (delta === '') return []
    const known = this.#spoken
    if (known !== undefined && known.key === key && known.kind === kind)
      return [{ type: kind, block: known.number, delta }]
    const before = this.stopAll()
    const number = this.#count++
    this.#spoken = { key, kind, number }
    return [...before, { type: kind, block: number, delta }]
  }

  #stopSpoken(): readonly AnswerEvent[] {
    const block = this.#spoken?.number
    this.#spoken = undefined
    return block === undefined ? [] : [{ type: 'block-end', block }]
  }
}

function argsOf(block: number, args: unknown): readonly AnswerEvent[] {
  return typeof args === 'string' && args !== '' ? [{ type: 'tool-args', block, delta: args }] : []
}

/** One for each source. Tool results and documents without an address are named by their id. */
function readCitations({ start, end, text, sources }: JsonObject): readonly Citation[] {
  const place = {
    ...(typeof text === 'string' && text !== '' ? { quote: text } : {}),
    ...(typeof start === 'number' && typeof end === 'number' ? { start, end } : {}),
  }
  const found = asList(sources).map((item) => {
    const source = asObject(item) ?? {}
    const document = asObject(source['document']) ?? {}
    const title = asText(document['title']) || asText(source['id'])
    return { url: asText(document['url']), ...(title === '' ? {} : { title }), ...place }
  })
  return found.length === 0 ? [{ url: '', ...place }] : found
}
