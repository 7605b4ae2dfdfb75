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
import type { JsonObject } from '../json-value.ts'
import { OWN_FILES, withErrorMark } from '../openai-responses/encode-input.ts'
import { audioFormat, dataUrl } from '../openai-responses/media.ts'
import type { ToolTraits } from './encode-tools.ts'
import { encodeDetails } from './reasoning-details.ts'

/** What a provider accepts in a conversation beyond OpenAI's format. */
export interface HistoryTraits extends ToolTraits {
  /** Plain-text files. OpenAI reads only PDFs, most vendors no files at all; such files can be sent as text instead. */
  readonly textFiles: boolean
  readonly reasoning: boolean
  readonly thoughtSignatures: boolean
}

export class MessageEncoder {
  /** The first thing that cannot be sent here without losing its meaning. */
  fault: Inexpressible | undefined

  readonly #losses: Losses
  readonly #takes: HistoryTraits
  readonly #messages: JsonObject[] = []

  constructor(losses: Losses, takes: HistoryTraits) {
    this.#losses = losses
    this.#takes = takes
  }

  encode(system: readonly TextPart[], turns: readonly Turn[]): readonly JsonObject[] {
    if (system.length > 0) this.#messages.push({ role: 'system', content: this.#content(system, 'messages[0]') })
    for (const [turn, index] of withoutOwnPictures(turns, this.#losses)) {
      const path = `messages[${index}]`
      const named = turn.name === undefined ? {} : { name: turn.name }
      if (turn.role === 'tool') this.#results(turn.parts, path)
      else if (turn.role === 'assistant') this.#assistant(turn.parts, named, path)
      else this.#say(turn.role, turn.parts, named, path)
    }
    return this.#messages
  }

  #say(role: 'user' | 'system', parts: readonly Part[], named: JsonObject, path: string): void {
    const content = this.#content(parts, path)
    if (content.length > 0) this.#messages.push({ role, content, ...named })
  }

  /** A single text as a string, otherwise a list of parts. */
  #content(parts: readonly Part[], path: string): string | readonly JsonObject[] {
    const written = parts.flatMap((part, at) => this.#part(part, `${path}.content[${at}]`))
    const [only] = written
    const isText = written.length === 1 && only?.['type'] === 'text' && only['cache_control'] === undefined
    return isText && typeof only['text'] === 'string' ? only['text'] : written
  }

  /** Text and calls are in separate members, so their order relative to each other is lost. */
  #assistant(parts: readonly Part[], named: JsonObject, path: string): void {
    const texts = parts.filter((part) => part.kind === 'text')
    const refusals = parts.filter((part) => part.kind === 'refusal')
    const calls = parts.filter((part) => part.kind === 'tool-call')
    const reasoning = this.#reasoning(parts.filter((part) => part.kind === 'reasoning'))
    const own = parts.filter((part) => part.kind === 'opaque').flatMap((part, at) => this.#part(part, `${path}[${at}]`))
    const content = this.#assistantContent(texts, own)
    if (content !== null || refusals.length + calls.length > 0 || Object.keys(reasoning).length > 0) {
      this.#messages.push({
        role: 'assistant',
        content,
        ...named,
        ...(refusals.length === 0 ? {} : { refusal: refusals.map(({ text }) => text).join('') }),
        ...reasoning,
        ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => this.#call(call)) }),
      })
    }
  }

  #assistantContent(texts: readonly TextPart[], own: readonly JsonObject[]): unknown {
    const isMarked = texts.some(({ cache }) => this.#mark(cache) !== undefined)
    if (own.length > 0 || (isMarked && this.#takes.cacheMarks)) {
      return [...texts.map(({ text, cache }) => ({ type: 'text', text, ...this.#mark(cache) })), ...own]
    }
    return texts.length === 0 ? null : texts.map(({ text }) => text).join('')
  }

  /** Signatures are returned to the provider that gave them, in the entries in which they came. */
  #reasoning(parts: readonly ReasoningPart[]): JsonObject {
    const details = parts.flatMap((part, index) => {
      return part.signature?.dialect === 'openai-chat'
        ? encodeDetails({ text: part.text, signature: part.signature }, index)
        : []
    })
    if (parts.some(({ signature }) => signature !== undefined && signature.dialect !== 'openai-chat')) {
      this.#losses.dropped('reasoning signature')
    }
    const text = parts.map((part) => part.text).join('')
    const isTranslated = this.#takes.reasoning || details.length > 0
    if (text !== '' && !isTranslated) this.#losses.dropped('reasoning_content')
    return {
      ...(text !== '' && isTranslated ? { reasoning_content: text } : {}),
      ...(details.length === 0 ? {} : { reasoning_details: details }),
    }
  }

  #call({ id, name, args, isCustom, signature, cache }: ToolCallPart): JsonObject {
    this.#mark(cache)
    if (cache !== undefined) this.#losses.dropped('cache_control')
    const encoded =
      isCustom === true && this.#takes.customTools
        ? { type: 'custom', custom: { name, input: args } }
        : { type: 'function', function: { name, arguments: argumentsOf(args, isCustom === true) } }
    if (signature === undefined) return { id, ...encoded }
    if (signature.dialect === 'gemini' && this.#takes.thoughtSignatures) {
      return { id, ...encoded, extra_content: { google: { thought_signature: signature.value } } }
    }
    this.#losses.dropped('thought_signature')
    return { id, ...encoded }
  }

  /** Tool results can only be text; other content follows as if the user had sent it. */
  #results(parts: readonly Part[], path: string): void {
    const shown: (ImagePart | FilePart)[] = []
    for (const part of parts) {
      if (part.kind !== 'tool-result') continue
      this.#messages.push(this.#result(part, path))
      shown.push(...part.parts.filter((piece) => piece.kind === 'image' || piece.kind === 'file'))
    }
    if (shown.length === 0) return
    this.#losses.changed(`messages[].content[${shown[0]?.kind ?? ''}]`)
    this.#say('user', shown, {}, path)
  }

  #result({ callId, parts, isError, cache }: ToolResultPart, path: string): JsonObject {
    const said = parts.filter((part) => part.kind === 'text' || part.kind === 'opaque')
    if (isError === true) this.#losses.changed('is_error')
    const encoded = isError === true ? withErrorMark(said) : said
    const content = this.#content(encoded, path)
    return {
      role: 'tool',
      tool_call_id: callId,
      content: content.length === 0 ? '' : content,
      ...this.#mark(cache),
    }
  }

  #part(part: Part, path: string): readonly JsonObject[] {
    switch (part.kind) {
      case 'text':
        return [{ type: 'text', text: part.text, ...this.#mark(part.cache) }]
      case 'refusal':
        return [{ type: 'text', text: part.text }]
      case 'image':
        return this.#image(part, path)
      case 'file':
        return this.#file(part, path)
      case 'audio': {
        const { source } = part
        if (source.type !== 'base64')
          return this.#refuse(path, 'must contain audio in base64: the provider does not accept anything else')
        const format = audioFormat(source.mime) ?? source.mime.replace(/^audio\/(x-)?/, '')
        return [{ type: 'input_audio', input_audio: { data: source.data, format } }]
      }
      case 'video': {
        const url = addressOf(part.source)
        return url === undefined ? this.#refuse(path, UPLOADED) : [{ type: 'video_url', video_url: { url } }]
      }
      case 'opaque':
        if (part.dialect === 'openai-chat') return [part.value]
        this.#losses.dropped(part.name)
        return []
      default:
        this.#losses.dropped(`messages[].content[${part.kind}]`)
        return []
    }
  }

  #image({ source, detail, cache }: ImagePart, path: string): readonly JsonObject[] {
    const url = addressOf(source)
    if (url === undefined) return this.#refuse(path, UPLOADED)
    const image = { url, ...(detail === undefined ? {} : { detail }) }
    return [{ type: 'image_url', image_url: image, ...this.#mark(cache) }]
  }

  #file({ source, name, cache }: FilePart, path: string): readonly JsonObject[] {
    const named = name === undefined ? {} : { filename: name }
    const text = this.#takes.textFiles ? undefined : textOfFile(source)
    if (text !== undefined) {
      this.#losses.changed('messages[].content[file]')
      return [{ type: 'text', text: name === undefined ? text : `${name}:\n${text}`, ...this.#mark(cache) }]
    }
    switch (source.type) {
      case 'base64':
        // Bytes without a name are refused.
        return [
          { type: 'file', file: { filename: 'document', ...named, file_data: dataUrl(source) }, ...this.#mark(cache) },
        ]
      case 'file-id':
        return OWN_FILES.has(source.dialect)
          ? [{ type: 'file', file: { file_id: source.id }, ...this.#mark(cache) }]
          : this.#refuse(path, UPLOADED)
      case 'url':
        return this.#refuse(path, 'must contain the file itself: the provider does not fetch files by URL')
    }
  }

  #mark(cache: CacheMark | undefined): JsonObject | undefined {
    if (cache === undefined) return undefined
    if (this.#takes.cacheMarks) {
      return { cache_control: { type: 'ephemeral', ...(cache.ttl === '1h' ? { ttl: '1h' } : {}) } }
    }
    this.#losses.dropped('cache_control')
    return undefined
  }

  #refuse(field: string, rule: string): readonly JsonObject[] {
    this.fault ??= { field, rule }
    return []
  }
}

function textOfFile(source: MediaSource): string | undefined {
  return source.type === 'base64' && /^text\//i.test(source.mime) ? base64ToText(source.data) : undefined
}

const UPLOADED = 'must not refer to a file uploaded to another provider'

function addressOf(source: MediaSource): string | undefined {
  if (source.type === 'base64') return dataUrl(source)
  return source.type === 'url' ? source.url : undefined
}

/** Free text becomes the only argument of a function. */
function argumentsOf(args: string, isFreeText: boolean): string {
  if (isFreeText) return JSON.stringify({ input: args })
  return args === '' ? '{}' : args
}
