import type { AnswerEvent, Citation, ContentEvent } from '../canon/events.ts'
import { asObject, type JsonObject } from '../json-value.ts'
import { codeText } from './camel-case.ts'

type Kind = 'text' | 'reasoning' | 'audio'

/** Text beyond this limit is not kept for locating citations. */
const TEXT_LIMIT = 1024 * 1024

/** Turns the parts of an answer into blocks: consecutive pieces of one kind are one block. */
export class AnswerBlocks {
  /** Suffix of generated call ids: the provider's id for the answer, or ''. */
  seed = ''
  /** Text of all text blocks so far, up to the limit, for locating citations. */
  text = ''
  hasTools = false
  /** True once there is anything but thoughts. */
  hasContent = false

  readonly #cited = new Set<string>()
  #next = 0
  #open: { readonly kind: Kind; readonly mime: string } | undefined

  add(part: JsonObject): readonly AnswerEvent[] {
    const signature = part['thoughtSignature']
    const reasoningSignature = typeof signature === 'string' && signature !== '' ? signature : undefined
    const call = asObject(part['functionCall'])
    if (call !== undefined) return this.#call(call, reasoningSignature)
    const events = this.#content(part)
    if (reasoningSignature === undefined) return events
    // A signature ends the thought that it signs; the signature of a text follows the text.
    const before = part['thought'] === true ? events : [...events, ...this.close()]
    const { block, begin } = this.#enter('reasoning', '')
    return [
      ...before,
      ...begin,
      { type: 'proof', block, signature: { dialect: 'gemini', value: reasoningSignature } },
      ...this.close(),
    ]
  }

  /** Every message of a stream may repeat the sources. */
  cite(citation: Citation): readonly AnswerEvent[] {
    const key = `${citation.url} ${citation.quote ?? ''}`
    if (this.#cited.has(key)) return []
    this.#cited.add(key)
    const { block, begin } = this.#enter('text', '')
    return [...begin, { type: 'citation', block, citation }]
  }

  close(): readonly ContentEvent[] {
    if (this.#open === undefined) return []
    this.#open = undefined
    return [{ type: 'block-end', block: this.#next - 1 }]
  }

  #content(part: JsonObject): readonly ContentEvent[] {
    const text = part['text']
    if (typeof text === 'string') return this.#delta(part['thought'] === true ? 'reasoning' : 'text', text)
    const code = codeText(part)
    if (code !== undefined) return this.#delta('text', code)
    const blob = asObject(part['inlineData'])
    if (blob !== undefined) return this.#blob(blob, part)
    const [name] = Object.keys(part).filter((key) => key !== 'thoughtSignature' && key !== 'thought')
    return name === undefined ? [] : this.#opaque(name, part)
  }

  #delta(kind: 'text' | 'reasoning', delta: string): readonly ContentEvent[] {
    if (delta === '') return []
    if (kind === 'text') this.hasContent = true
    if (kind === 'text' && this.text.length + delta.length <= TEXT_LIMIT) this.text += delta
    const { block, begin } = this.#enter(kind, '')
    return [...begin, { type: kind, block, delta }]
  }

  #blob(blob: JsonObject, part: JsonObject): readonly ContentEvent[] {
    const { mimeType: mime, data } = blob
    if (typeof mime !== 'string' || typeof data !== 'string') return []
    this.hasContent = true
    if (mime.startsWith('audio/')) {
      const { block, begin } = this.#enter('audio', mime)
      return [...begin, { type: 'audio', block, mime, data }]
    }
    if (!mime.startsWith('image/')) return this.#opaque('inlineData', part)
    const ended = this.close()
    const block = this.#next++
    return [...ended, { type: 'image', block, mime, data }, { type: 'block-end', block }]
  }

  #opaque(name: string, value: JsonObject): readonly ContentEvent[] {
    const ended = this.close()
    const block = this.#next++
    return [...ended, { type: 'opaque', block, dialect: 'gemini', name, value }, { type: 'block-end', block }]
  }

  /** Calls arrive whole. Older models give calls no id, and some answers have none to derive one from (`answer-call-ids.ts`). */
  #call(call: JsonObject, reasoningSignature: string | undefined): readonly ContentEvent[] {
    const { id: given, name: called, args } = call
    this.hasTools = true
    this.hasContent = true
    const ended = this.close()
    const block = this.#next++
    const id = typeof given === 'string' && given !== '' ? given : madeId(this.seed, block)
    const name = typeof called === 'string' ? called : ''
    return [
      ...ended,
      {
        type: 'tool-start',
        block,
        id,
        name,
        ...(reasoningSignature === undefined
          ? {}
          : { signature: { dialect: 'gemini' as const, value: reasoningSignature } }),
      },
      { type: 'tool-args', block, delta: JSON.stringify(asObject(args) ?? {}) },
      { type: 'block-end', block },
    ]
  }

  #enter(kind: Kind, mime: string): { readonly block: number; readonly begin: readonly ContentEvent[] } {
    if (this.#open?.kind === kind && this.#open.mime === mime) return { block: this.#next - 1, begin: [] }
    const begin = this.close()
    this.#open = { kind, mime }
    return { block: this.#next++, begin }
  }
}

function madeId(seed: string, block: number): string {
  return seed === '' ? '' : `call_${seed.replace(/[^\w-]/g, '').slice(0, 40)}_${block}`
}
