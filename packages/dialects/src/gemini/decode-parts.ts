import { type FieldReader, othersThan } from '../canon/field-reader.ts'
import { mediaTypeOf, textToBase64 } from '../canon/media-type.ts'
import type { Part, ReasoningSignature, ToolCallPart, ToolResultPart } from '../canon/parts.ts'
import { unwrapSignature } from '../canon/signature.ts'
import { asObject, type JsonObject } from '../json-value.ts'
import { camelCase, camelObject, codeText } from './camel-case.ts'
import { type MediaPart, mediaPart, sourceOfUri } from './media.ts'

/** Google's server accepts this in place of a lost signature; it has no content, so it does not count as a signature. */
export const NO_SIGNATURE = 'skip_thought_signature_validator'
/** Clients that treat a signature as bytes send it base64-encoded. */
const NO_SIGNATURES: ReadonlySet<string> = new Set(['', NO_SIGNATURE, textToBase64(NO_SIGNATURE)])

const KNOWN = new Set([
  'text',
  'thought',
  'thoughtSignature',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
])
const CALL_KNOWN = new Set(['id', 'name', 'args'])
const RESULT_KNOWN = new Set(['id', 'name', 'response', 'parts', 'willContinue', 'scheduling'])

/** Ids of calls: Gemini's older models give none, and match results by name and order. */
export class CallIds {
  #count = 0
  readonly #taken: ReadonlySet<string>
  /** Calls without a result so far. */
  readonly #open: { readonly id: string; readonly name: string }[] = []

  constructor(taken: ReadonlySet<string>) {
    this.#taken = taken
  }

  call(id: string | undefined, name: string): string {
    const own = id === undefined || id === '' ? this.#next() : id
    this.#open.push({ id: own, name })
    return own
  }

  result(id: string | undefined, name: string): string {
    const at = this.#open.findIndex((call) => (id === undefined || id === '' ? call.name === name : call.id === id))
    const [found] = at < 0 ? [] : this.#open.splice(at, 1)
    return found?.id ?? (id === undefined || id === '' ? this.#next() : id)
  }

  #next(): string {
    for (;;) {
      const id = `call_${++this.#count}`
      if (!this.#taken.has(id)) return id
    }
  }
}

/** Reads the parts of one content. Fields without a counterpart go to `extra` by path. */
export class PartDecoder {
  readonly #reader: FieldReader
  readonly #ids: CallIds
  readonly #extra: Record<string, unknown>

  constructor(reader: FieldReader, ids: CallIds, extra: Record<string, unknown>) {
    this.#reader = reader
    this.#ids = ids
    this.#extra = extra
  }

  decode(object: JsonObject, path: string): readonly Part[] {
    const reader = this.#reader
    const part = camelCase(object)
    const signature = reader.text(part['thoughtSignature'], `${path}.thoughtSignature`)
    const reasoningSignature =
      signature === undefined || NO_SIGNATURES.has(signature) ? undefined : unwrapSignature(signature, 'gemini')
    const call = camelObject(part['functionCall'])
    if (call !== undefined) return [this.#call(call, reasoningSignature, `${path}.functionCall`)]
    if (part['thought'] === true) {
      const text = reader.text(part['text'], `${path}.text`) ?? ''
      return [{ kind: 'reasoning', text, ...(reasoningSignature && { signature: reasoningSignature }) }]
    }
    // The signature of any other part follows that part, as an empty text does in Gemini's own streams.
    const signed: readonly Part[] =
      reasoningSignature === undefined ? [] : [{ kind: 'reasoning', text: '', signature: reasoningSignature }]
    return [...this.#content(part, path), ...signed]
  }

  #content(part: JsonObject, path: string): readonly Part[] {
    const reader = this.#reader
    const result = camelObject(part['functionResponse'])
    if (result !== undefined) return [this.#result(result, `${path}.functionResponse`)]
    const code = codeText(part)
    if (code !== undefined) return [{ kind: 'text', text: code }]
    const others = othersThan(part, KNOWN)
    for (const [name, value] of Object.entries(others)) this.#extra[`${path}.${name}`] = value
    const media = this.#media(part, path)
    if (media !== undefined) return [media]
    const text = reader.text(part['text'], `${path}.text`)
    if (text !== undefined) return text === '' ? [] : [{ kind: 'text', text }]
    const [name] = Object.keys(others)
    if (name === undefined) {
      if (part['thoughtSignature'] === undefined) reader.refuse(path, 'must contain text, data or a function call')
      return []
    }
    delete this.#extra[`${path}.${name}`]
    return [{ kind: 'opaque', dialect: 'gemini', name, value: part }]
  }

  #media(part: JsonObject, path: string): Part | undefined {
    const reader = this.#reader
    const blob = camelObject(part['inlineData'])
    if (blob !== undefined) {
      const mime = reader.needText(blob['mimeType'], `${path}.inlineData.mimeType`)
      const data = reader.needText(blob['data'], `${path}.inlineData.data`)
      const source = { type: 'base64', mime: mediaTypeOf(mime), data } as const
      return this.#named(mediaPart(source, displayName(blob)), blob, `${path}.inlineData`)
    }
    const file = camelObject(part['fileData'])
    if (file === undefined) return undefined
    const uri = reader.needText(file['fileUri'], `${path}.fileData.fileUri`)
    const mime = reader.text(file['mimeType'], `${path}.fileData.mimeType`)
    return this.#named(mediaPart(sourceOfUri(uri, mime), displayName(file)), file, `${path}.fileData`)
  }

  /** Only files have names in other dialects. */
  #named(part: MediaPart, { displayName: name }: JsonObject, path: string): MediaPart {
    if (this.#reader.text(name, `${path}.displayName`) !== undefined && part.kind !== 'file')
      this.#extra[`${path}.displayName`] = name
    return part
  }

  #call(call: JsonObject, reasoningSignature: ReasoningSignature | undefined, path: string): ToolCallPart {
    const reader = this.#reader
    const name = reader.needText(call['name'], `${path}.name`)
    const args = reader.object(call['args'], `${path}.args`)
    for (const [key, value] of Object.entries(othersThan(call, CALL_KNOWN))) this.#extra[`${path}.${key}`] = value
    const id = this.#ids.call(reader.text(call['id'], `${path}.id`), name)
    return {
      kind: 'tool-call',
      id,
      name,
      args: JSON.stringify(args ?? {}),
      ...(reasoningSignature && { signature: reasoningSignature }),
    }
  }

  #result(result: JsonObject, path: string): ToolResultPart {
    const reader = this.#reader
    const name = reader.needText(result['name'], `${path}.name`)
    const response = reader.object(result['response'], `${path}.response`) ?? {}
    const callId = this.#ids.result(reader.text(result['id'], `${path}.id`), name)
    for (const key of ['willContinue', 'scheduling']) {
      if (result[key] !== undefined) this.#extra[`${path}.${key}`] = result[key]
    }
    for (const [key, value] of Object.entries(othersThan(result, RESULT_KNOWN))) this.#extra[`${path}.${key}`] = value
    const media = reader.objects(result['parts'] ?? [], `${path}.parts`, (item, at) => this.#media(camelCase(item), at))
    const parts = media.flatMap((part) => (part?.kind === 'image' || part?.kind === 'file' ? [part] : []))
    if (parts.length < media.length) reader.refuse(`${path}.parts`, 'must contain only images and documents')
    const isOnlyMedia = Object.keys(response).length === 0 && parts.length > 0
    const { text, isError } = readResponse(response)
    return {
      kind: 'tool-result',
      callId,
      name,
      parts: [...(isOnlyMedia ? [] : [{ kind: 'text' as const, text }]), ...parts],
      ...(isError ? { isError } : {}),
    }
  }
}

const displayName = ({ displayName: name }: JsonObject) => (typeof name === 'string' ? name : undefined)

/** `{result: text}` and `{error: text}` are wrappers; anything else is what the tool returned. */
function readResponse(response: JsonObject): { readonly text: string; readonly isError: boolean } {
  const names = Object.keys(response)
  const [name = ''] = names
  const said = response[name]
  const isError = names.length === 1 && name === 'error'
  const mayWrap = names.length === 1 && (name === 'result' || isError)
  if (mayWrap && typeof said === 'string') return { text: said, isError }
  return { text: JSON.stringify(isError && asObject(said) !== undefined ? said : response), isError }
}
