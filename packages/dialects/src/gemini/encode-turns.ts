import type { Inexpressible } from '../canon/codec.ts'
import type { Losses } from '../canon/losses.ts'
import type { CacheMark, Part, ReasoningPart, TextPart, ToolCallPart, ToolResultPart, Turn } from '../canon/parts.ts'
import type { CanonRequest } from '../canon/request.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'
import { NO_SIGNATURE } from './decode-parts.ts'
import { type MediaPart, mimeOfUri } from './media.ts'
import { hasSystemInstruction, isThirdGeneration } from './model-version.ts'

/** Used if Gemini requires text from the user and none is given. */
const FILLER = '.'
/** Numbers that would not survive parsing and serializing. */
const LONG_NUMBER = /\d{16}/

interface Content {
  readonly role: 'user' | 'model'
  readonly isResults: boolean
  readonly parts: JsonObject[]
}

export interface EncodedTurns {
  readonly system: readonly JsonObject[]
  readonly contents: readonly JsonObject[]
}

/** The user first, tool results in contents of their own. `model` is the provider's name. */
export function encodeTurns(request: CanonRequest, model: string, losses: Losses): EncodedTurns | Inexpressible {
  const encoder = new TurnEncoder(request, isThirdGeneration(model), losses)
  for (const [index, turn] of request.turns.entries()) encoder.add(turn, index)
  const system = request.system.flatMap((part) => encoder.text(part))
  return encoder.problem ?? encoder.finish(system, hasSystemInstruction(model))
}

class TurnEncoder {
  problem: Inexpressible | undefined

  readonly #losses: Losses
  readonly #isThird: boolean
  /** The client speaks Gemini's dialect, so unsigned thoughts may be Gemini's own. */
  readonly #isOwn: boolean
  readonly #contents: Content[] = []

  constructor({ extra }: CanonRequest, isThird: boolean, losses: Losses) {
    this.#losses = losses
    this.#isThird = isThird
    this.#isOwn = extra.dialect === 'gemini'
  }

  add({ role, parts, name }: Turn, index: number): void {
    if (name !== undefined) this.#losses.dropped('messages[].name')
    // Gemini has no role for instructions in the middle of a conversation.
    if (role === 'system') this.#losses.changed('messages[].role')
    const encoded = parts.flatMap((part, i) => this.#part(part, `messages[${index}].content[${i}]`))
    if (encoded.length === 0) return
    if (role === 'assistant' && this.#isThird) signFirstCall(encoded)
    const speaker = role === 'assistant' ? 'model' : 'user'
    const isResults = role === 'tool'
    const last = this.#contents.at(-1)
    if (last?.role === speaker && last.isResults === isResults) last.parts.push(...encoded)
    else this.#contents.push({ role: speaker, isResults, parts: encoded })
  }

  finish(system: readonly JsonObject[], takesSystem: boolean): EncodedTurns {
    const contents = this.#contents
    const losses = this.#losses
    if (contents[0]?.role !== 'user') {
      losses.changed('messages')
      contents.unshift({ role: 'user', isResults: false, parts: [{ text: FILLER }] })
    }
    if (!takesSystem && system.length > 0) {
      losses.changed('messages[].role')
      contents[0]?.parts.unshift(...system)
    }
    return { system: takesSystem ? system : [], contents: contents.map(({ role, parts }) => ({ role, parts })) }
  }

  text({ text, cache }: Pick<TextPart, 'text' | 'cache'>): readonly JsonObject[] {
    this.#noteCache(cache)
    return text === '' ? [] : [{ text }]
  }

  #part(part: Part, field: string): readonly JsonObject[] {
    switch (part.kind) {
      case 'text':
        return this.text(part)
      case 'refusal':
        this.#losses.changed('refusal')
        return part.text === '' ? [] : [{ text: part.text }]
      case 'image':
      case 'file':
        this.#noteCache(part.cache)
        return this.#media(part, field)
      case 'audio':
      case 'video':
        return this.#media(part, field)
      case 'reasoning':
        return this.#reasoning(part)
      case 'tool-call':
        return [this.#call(part)]
      case 'tool-result':
        return this.#result(part, field)
      case 'opaque':
        if (part.dialect === 'gemini') return [part.value]
        this.#losses.dropped(part.name)
        return []
    }
  }

  #noteCache(cache: CacheMark | undefined): void {
    if (cache !== undefined) this.#losses.dropped('cache_control')
  }

  #media(part: MediaPart, field: string): readonly JsonObject[] {
    const encoded = encodeMedia(part, field, this.#losses)
    if (!('rule' in encoded)) return [encoded]
    this.problem ??= { field, rule: String(encoded['rule']) }
    return []
  }

  /** A signature without a thought belongs to the preceding text, and is sent with an empty text, as Gemini does. */
  #reasoning({ text, signature }: ReasoningPart): readonly JsonObject[] {
    const own = signature?.dialect === 'gemini' ? { thoughtSignature: signature.value } : {}
    if (signature === undefined ? !this.#isOwn : signature.dialect !== 'gemini') {
      this.#losses.dropped('reasoning_content')
      return []
    }
    return text === '' ? (signature === undefined ? [] : [{ text, ...own }]) : [{ text, thought: true, ...own }]
  }

  #call({ id, name, args, isCustom, signature, cache }: ToolCallPart): JsonObject {
    this.#noteCache(cache)
    if (signature !== undefined && signature.dialect !== 'gemini') this.#losses.dropped('tool_calls[].proof')
    const parsed = isCustom === true ? undefined : args.trim() === '' ? {} : asObject(parseJson(args))
    if (parsed === undefined && isCustom !== true) this.#losses.changed('tool_calls[].function.arguments')
    const functionCall = { id, name, args: parsed ?? { input: args } }
    return signature?.dialect === 'gemini' ? { functionCall, thoughtSignature: signature.value } : { functionCall }
  }

  /** Only later models accept pictures inside a result; for others the pictures follow it. */
  #result({ callId, name, parts, isError, cache }: ToolResultPart, field: string): readonly JsonObject[] {
    this.#noteCache(cache)
    const texts: string[] = []
    const media: JsonObject[] = []
    for (const [i, part] of parts.entries()) {
      if (part.kind === 'text') texts.push(part.text)
      else if (part.kind === 'opaque') this.#losses.dropped(part.name)
      else media.push(...this.#media(part, `${field}.content[${i}]`))
      if (part.kind !== 'opaque') this.#noteCache(part.cache)
    }
    const inside = this.#isThird ? media.filter((part) => 'inlineData' in part) : []
    const beside = media.filter((part) => !inside.includes(part))
    if (beside.length > 0) this.#losses.changed('messages[].content')
    const functionResponse = {
      id: callId,
      name: name ?? callId,
      response:
        texts.length === 0 && media.length > 0 ? {} : responseOf(texts.join('\n'), isError === true, this.#isOwn),
      ...(inside.length === 0 ? {} : { parts: inside }),
    }
    return [{ functionResponse }, ...beside]
  }
}

/**
 * An object is sent unchanged unless it would be mistaken for a wrapper; anything else is wrapped. Results of another vendor's
 * tools must not have a special meaning for Gemini: it would look up `$ref` among the result's parts, and in an object with
 * `output` or `error` it ignores the other members (FunctionResponse in the references of Gemini and Vertex AI).
 */
function responseOf(text: string, isError: boolean, isOwn: boolean): JsonObject {
  const parsed = LONG_NUMBER.test(text) ? undefined : asObject(parseJson(text))
  const object = isOwn || parsed === undefined || !hasReference(parsed) ? parsed : undefined
  if (isError) return { error: object ?? text }
  const names = Object.keys(object ?? {})
  const isAmbiguous = names.length === 1 && (names[0] === 'result' || names[0] === 'error')
  const isMarked = !isOwn && (names.includes('output') || names.includes('error'))
  return object === undefined || isAmbiguous || isMarked ? { result: text } : object
}

const hasReference = (object: JsonObject): boolean => JSON.stringify(object).includes('"$ref":')

/** The first call of a turn must be signed, but calls of other models have no signature. */
function signFirstCall(parts: JsonObject[]): void {
  const at = parts.findIndex((part) => 'functionCall' in part)
  const first = parts[at]
  if (first !== undefined && !('thoughtSignature' in first)) parts[at] = { ...first, thoughtSignature: NO_SIGNATURE }
}

/** For files of unknown type. */
const UNKNOWN = 'application/octet-stream'

/** Google fetches public addresses itself. */
function encodeMedia(part: MediaPart, field: string, losses: Losses): JsonObject | Inexpressible {
  const { source } = part
  if (part.kind === 'image' && part.detail !== undefined && part.detail !== 'auto') losses.dropped('detail')
  if (part.kind === 'file' && part.name !== undefined) losses.dropped('filename')
  if (source.type === 'base64') {
    return { inlineData: { mimeType: source.mime === '' ? UNKNOWN : source.mime, data: source.data } }
  }
  if (source.type === 'file-id' && source.dialect !== 'gemini') {
    return { field, rule: 'must not refer to a file uploaded to another provider' }
  }
  const mimeType = source.mime ?? mimeOfUri(source)
  const fileUri = source.type === 'url' ? source.url : source.id
  return { fileData: { fileUri, ...(mimeType === '' ? {} : { mimeType }) } }
}
