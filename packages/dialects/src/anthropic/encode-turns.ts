import type { Inexpressible } from '../canon/codec.ts'
import type { Losses } from '../canon/losses.ts'
import { base64ToText } from '../canon/media-type.ts'
import { withoutOwnPictures } from '../canon/own-pictures.ts'
import type {
  CacheMark,
  FilePart,
  ImagePart,
  MediaSource,
  Part,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from '../canon/parts.ts'
import type { CanonRequest } from '../canon/request.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'

/** Used if text is required but missing; blank text is refused. */
const FILLER = '.'

/** Alternating roles, tool results first, no blank text. */
export function encodeMessages(request: CanonRequest, losses: Losses): readonly JsonObject[] | Inexpressible {
  const encoder = new MessagesEncoder(losses, request.extra.dialect === 'anthropic-messages')
  for (const [turn, index] of withoutOwnPictures(request.turns, losses)) encoder.add(turn, index)
  return encoder.problem ?? encoder.finish()
}

export function encodeSystem(system: readonly TextPart[]): readonly JsonObject[] | undefined {
  const blocks = system.flatMap(({ text, cache }) => textBlock(text, cache))
  return blocks.length === 0 ? undefined : blocks
}

interface Message {
  readonly role: 'user' | 'assistant' | 'system'
  readonly content: JsonObject[]
}

class MessagesEncoder {
  problem: Inexpressible | undefined

  readonly #losses: Losses
  readonly #isOwn: boolean
  readonly #messages: Message[] = []

  constructor(losses: Losses, isOwn: boolean) {
    this.#losses = losses
    this.#isOwn = isOwn
  }

  add({ role, parts, name }: Turn, index: number): void {
    if (name !== undefined) this.#losses.dropped('messages[].name')
    const blocks = parts.flatMap((part, i) => this.#part(part, `messages[${index}].content[${i}]`))
    if (role === 'system' && !this.#isOwn) return this.#instruct(blocks)
    this.#append(role === 'tool' ? 'user' : role, blocks)
  }

  finish(): readonly JsonObject[] {
    const messages = this.#messages
    const first = messages[0]?.role
    // Other dialects accept a conversation of only instructions or blank text; here at least one message is required.
    if ((first === undefined || first === 'assistant') && !this.#isOwn) {
      if (first !== undefined) this.#losses.changed('messages')
      messages.unshift({ role: 'user', content: [{ type: 'text', text: FILLER }] })
    }
    trimEnd(messages.at(-1))
    return messages.map(({ role, content }) => ({ role, content }))
  }

  #append(role: Message['role'], blocks: readonly JsonObject[]): void {
    const last = this.#messages.at(-1)
    if (blocks.length === 0) return
    if (last?.role === role) join(last.content, blocks)
    else this.#messages.push({ role, content: [...blocks] })
  }

  /** Only the newest models accept the role in the middle of a conversation; all models follow an instruction in a user's text. */
  #instruct(blocks: readonly JsonObject[]): void {
    if (blocks.length === 0) return
    this.#losses.changed('messages[].role')
    const tag = (text: string) => ({ type: 'text', text })
    this.#append('user', [tag('<system>'), ...blocks, tag('</system>')])
  }

  #part(part: Part, field: string): readonly JsonObject[] {
    switch (part.kind) {
      case 'text':
        return textBlock(part.text, part.cache)
      case 'refusal':
        this.#losses.changed('refusal')
        return textBlock(part.text, undefined)
      case 'image':
        if (part.detail !== undefined && part.detail !== 'auto') this.#losses.dropped('detail')
        return this.#medium('image', encodeImage(part), field, cached(part.cache))
      case 'file': {
        const title = part.name === undefined ? {} : { title: part.name }
        return this.#medium('document', encodeDocument(part), field, { ...title, ...cached(part.cache) })
      }
      case 'audio':
      case 'video':
        return this.#refuse(field, `must not contain ${part.kind}: the provider does not accept it`)
      case 'reasoning':
        return this.#reasoning(part)
      case 'tool-call':
        return [this.#call(part)]
      case 'tool-result':
        return [this.#result(part, field)]
      case 'opaque':
        if (part.dialect === 'anthropic-messages') return [part.value]
        this.#losses.dropped(part.name)
        return []
    }
  }

  #medium(
    type: 'image' | 'document',
    source: JsonObject | string,
    field: string,
    more: JsonObject,
  ): readonly JsonObject[] {
    return typeof source === 'string' ? this.#refuse(field, source) : [{ type, source, ...more }]
  }

  /** The API accepts only thoughts that it signed itself. */
  #reasoning({ text, signature }: ReasoningPart): readonly JsonObject[] {
    if (signature?.dialect !== 'anthropic-messages') {
      this.#losses.dropped('reasoning_content')
      return []
    }
    return signature.redacted === true
      ? [{ type: 'redacted_thinking', data: signature.value }]
      : [{ type: 'thinking', thinking: text, signature: signature.value }]
  }

  #call({ id, name, args, isCustom, signature, cache }: ToolCallPart): JsonObject {
    if (signature !== undefined) this.#losses.dropped('tool_calls[].proof')
    const parsed = isCustom === true ? undefined : args.trim() === '' ? {} : asObject(parseJson(args))
    if (parsed === undefined && isCustom !== true) this.#losses.changed('tool_calls[].function.arguments')
    return { type: 'tool_use', id, name, input: parsed ?? { input: args }, ...cached(cache) }
  }

  #result({ callId, parts, isError, cache }: ToolResultPart, field: string): JsonObject {
    const content = parts.flatMap((part, i) => this.#part(part, `${field}.content[${i}]`))
    return {
      type: 'tool_result',
      tool_use_id: callId,
      ...(content.length === 0 ? {} : { content }),
      ...(isError === undefined ? {} : { is_error: isError }),
      ...cached(cache),
    }
  }

  #refuse(field: string, rule: string): readonly JsonObject[] {
    this.problem ??= { field, rule }
    return []
  }
}

/** Tool results come first in the user's turn; anywhere else they are refused. */
function join(content: JsonObject[], blocks: readonly JsonObject[]): void {
  const isResult = ({ type }: JsonObject) => type === 'tool_result'
  const at = blocks.every(isResult) ? content.findIndex((block) => !isResult(block)) : -1
  content.splice(at < 0 ? content.length : at, 0, ...blocks)
}

function textBlock(text: string, cache: CacheMark | undefined): readonly JsonObject[] {
  return text.trim() === '' ? [] : [{ type: 'text', text, ...cached(cache) }]
}

export function cached(cache: CacheMark | undefined): JsonObject {
  if (cache === undefined) return {}
  return { cache_control: { type: 'ephemeral', ...(cache.ttl === '5m' ? {} : { ttl: cache.ttl }) } }
}

/** An answer that the model should continue must not end in white space. */
function trimEnd(message: Message | undefined): void {
  const block = message?.role === 'assistant' ? message.content.at(-1) : undefined
  const text = block?.['type'] === 'text' ? block['text'] : undefined
  if (message !== undefined && typeof text === 'string') {
    message.content.splice(-1, 1, { ...block, text: text.trimEnd() })
  }
}

const PDF = 'application/pdf'
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  'image/jpeg': 'image/jpeg',
  'image/jpg': 'image/jpeg',
  'image/png': 'image/png',
  'image/gif': 'image/gif',
  'image/webp': 'image/webp',
}

/** The `source` of a picture, or the rule that it breaks. */
function encodeImage({ source }: ImagePart): JsonObject | string {
  if (source.type !== 'base64') return encodeReference(source)
  const type = Object.hasOwn(IMAGE_TYPES, source.mime.toLowerCase())
    ? IMAGE_TYPES[source.mime.toLowerCase()]
    : undefined
  if (type === undefined) return 'must be a JPEG, PNG, GIF or WebP image: the provider does not accept other formats'
  return { type: 'base64', media_type: type, data: source.data }
}

/** The `source` of a document, or the rule that it breaks. Anthropic reads PDFs and plain text. */
function encodeDocument({ source }: FilePart): JsonObject | string {
  if (source.type !== 'base64') return encodeReference(source)
  const mime = source.mime.split(';')[0]?.trim().toLowerCase() ?? ''
  if (mime === PDF) return { type: 'base64', media_type: PDF, data: source.data }
  if (!TEXTUAL.test(mime)) return 'must be a PDF or plain text: the provider does not accept other files'
  const data = base64ToText(source.data)
  return data === undefined ? 'must be base64 of UTF-8 text' : { type: 'text', media_type: 'text/plain', data }
}

const TEXTUAL = /^text\/|^application\/(?:json|xml|yaml|x-yaml|javascript)$/

function encodeReference(source: Exclude<MediaSource, { readonly type: 'base64' }>): JsonObject | string {
  if (source.type === 'url') return { type: 'url', url: source.url }
  return source.dialect === 'anthropic-messages'
    ? { type: 'file', file_id: source.id }
    : 'must not refer to a file uploaded to another provider'
}
