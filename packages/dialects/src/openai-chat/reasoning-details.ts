import type { ReasoningSignature } from '../canon/parts.ts'
import { unwrapSignature, wrapSignature } from '../canon/signature.ts'
import { asObject, isFilled, type JsonObject, parseJson } from '../json-value.ts'

/**
 * `reasoning_details[]`, OpenRouter's format for reasoning that can be sent back: entries `reasoning.text` with a `signature`,
 * `reasoning.summary`, and `reasoning.encrypted` with `data`. Signatures of other dialects travel in the same entries, wrapped.
 */
export interface Thought {
  readonly text: string
  readonly signature: ReasoningSignature | undefined
}

const TEXT = 'reasoning.text'
const ENCRYPTED = 'reasoning.encrypted'

/** The entries of one thought; empty without a signature. `index` is its number among the thoughts of its turn. */
export function encodeDetails({ text, signature: reasoningSignature }: Thought, index: number): readonly JsonObject[] {
  if (reasoningSignature === undefined) return []
  const own = reasoningSignature.dialect === 'openai-chat' ? ownEntries(reasoningSignature.value) : undefined
  if (own !== undefined) {
    const isBare = (entry: JsonObject) => entry['type'] === TEXT && entry['text'] === undefined
    return own.map((entry) => (isBare(entry) ? { ...entry, text } : entry))
  }
  const signature = wrapSignature(reasoningSignature, 'openai-chat')
  return reasoningSignature.redacted === true
    ? [{ type: ENCRYPTED, data: signature, index }]
    : [{ type: TEXT, text, signature, index }]
}

/** The thoughts in entries: one for each signature that this gateway wrote, and one for all of a vendor's own entries. */
export function decodeDetails(entries: readonly JsonObject[]): readonly Thought[] {
  const plain = entries.map(plainThought)
  if (plain.every((thought) => thought !== undefined)) return plain
  return [
    ...plain.filter((thought) => thought !== undefined),
    ownThought(entries.filter((_, index) => plain[index] === undefined)),
  ]
}

/** Whether an entry contains data that only its provider can read. */
export function isProven(entry: JsonObject): boolean {
  return isFilled(entry['signature']) || isFilled(entry['data'])
}

export function textOfDetail(entry: JsonObject): string {
  const text = entry['text'] ?? entry['summary']
  return typeof text === 'string' ? text : ''
}

/** An entry with nothing but a text and its signature, as this gateway writes them. */
function plainThought(entry: JsonObject): Thought | undefined {
  const { type, signature, data } = entry
  if (Object.keys(entry).some((name) => !PLAIN.has(name))) return undefined
  if (type === TEXT && isFilled(signature)) {
    return { text: textOfDetail(entry), signature: unwrapSignature(signature, 'openai-chat') }
  }
  if (type !== ENCRYPTED || !isFilled(data)) return undefined
  return { text: '', signature: { ...unwrapSignature(data, 'openai-chat'), redacted: true } }
}

const PLAIN: ReadonlySet<string> = new Set(['type', 'text', 'signature', 'data', 'index'])

/** A vendor's entries, unchanged. The text of a single entry is not kept twice. */
function ownThought(entries: readonly JsonObject[]): Thought {
  const text = entries.map(textOfDetail).join('')
  if (!entries.some(isProven)) return { text, signature: undefined }
  const texts = entries.filter(({ type }) => type === TEXT)
  const kept = texts.length === 1 && entries.every((entry) => entry === texts[0] || textOfDetail(entry) === '')
  const value = JSON.stringify(
    kept ? entries.map((entry) => (entry === texts[0] ? withoutText(entry) : entry)) : entries,
  )
  return { text, signature: { dialect: 'openai-chat', value, ...(text === '' ? { redacted: true } : {}) } }
}

function withoutText(entry: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => name !== 'text'))
}

function ownEntries(value: string): readonly JsonObject[] | undefined {
  if (!value.startsWith('[')) return undefined
  const list = parseJson(value)
  const entries = Array.isArray(list) ? list.map(asObject) : []
  const known = entries.filter((entry) => entry !== undefined)
  return known.length > 0 && known.length === entries.length ? known : undefined
}
