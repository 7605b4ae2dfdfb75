import type { FieldReader } from '../canon/field-reader.ts'
import { mediaTypeOf, textToBase64 } from '../canon/media-type.ts'
import type {
  CacheMark,
  FilePart,
  ImagePart,
  MediaSource,
  OpaquePart,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../canon/parts.ts'
import { unwrapSignature } from '../canon/signature.ts'
import { asObject, type JsonObject } from '../json-value.ts'

export type ContentPart = TextPart | ImagePart | FilePart | OpaquePart | ReasoningPart | ToolCallPart | ToolResultPart

/** Reads the blocks of messages, and records members that the canonical request lacks. */
export class ContentReader {
  /** Members that only this dialect has, such as `messages[].citations`. */
  readonly others = new Set<string>()
  /** Tools added by blocks in the middle of the conversation, with their paths. */
  readonly addedTools: (readonly [tool: JsonObject, path: string])[] = []
  readonly #read: FieldReader

  constructor(read: FieldReader) {
    this.#read = read
  }

  content(content: unknown, field: string): readonly ContentPart[] {
    return this.#read.content(content, field, (block, path) => this.#block(block, path))
  }

  cache(holder: JsonObject, path: string): { readonly cache?: CacheMark } {
    const mark = this.#read.object(holder['cache_control'], `${path}.cache_control`)
    return mark === undefined ? {} : { cache: { ttl: mark['ttl'] === '1h' ? '1h' : '5m' } }
  }

  #block(block: JsonObject, path: string): readonly ContentPart[] {
    const read = this.#read
    const type = read.needText(block['type'], `${path}.type`)
    switch (type) {
      case 'text':
        if (isFilled(block['citations'])) this.others.add('messages[].citations')
        return [{ kind: 'text', text: read.needText(block['text'], `${path}.text`), ...this.cache(block, path) }]
      case 'image':
        return this.#image(block, path)
      case 'document':
        return this.#document(block, path)
      case 'tool_use':
        return [this.#call(block, path)]
      case 'tool_result':
        return [this.#result(block, path)]
      case 'thinking':
        return this.#thinking(block, path)
      case 'redacted_thinking': {
        const reasoningSignature = unwrapSignature(read.needText(block['data'], `${path}.data`), 'anthropic-messages')
        return [{ kind: 'reasoning', text: '', signature: { ...reasoningSignature, redacted: true } }]
      }
      default:
        if (type === 'tool_addition') this.#addTool(block, `${path}.tool`)
        return [{ kind: 'opaque', dialect: 'anthropic-messages', name: type, value: block }]
    }
  }

  /** A reference names a tool that is offered anyway. */
  #addTool(block: JsonObject, path: string): void {
    const definition = asObject(asObject(block['tool'])?.['definition'])
    if (definition !== undefined) this.addedTools.push([definition, `${path}.definition`])
  }

  #image(block: JsonObject, path: string): readonly ImagePart[] {
    const source = this.#source(block, path)
    return source === undefined ? [] : [{ kind: 'image', source, ...this.cache(block, path) }]
  }

  #document(block: JsonObject, path: string): readonly FilePart[] {
    const read = this.#read
    if (isFilled(block['context'])) this.others.add('messages[].document.context')
    if (asObject(block['citations'])?.['enabled'] === true) this.others.add('messages[].document.citations')
    const name = read.text(block['title'], `${path}.title`)
    const source = this.#source(block, path)
    if (source === undefined) return []
    return [{ kind: 'file', source, ...(name === undefined ? {} : { name }), ...this.cache(block, path) }]
  }

  #source(block: JsonObject, path: string): MediaSource | undefined {
    const read = this.#read
    const field = `${path}.source`
    const source = read.object(block['source'], field)
    if (source === undefined) return read.refuse(field, 'is required')
    switch (read.oneOf(source['type'] ?? '', `${field}.type`, ['base64', 'url', 'file', 'text', 'content'])) {
      case 'base64': {
        const mime = read.needText(source['media_type'], `${field}.media_type`)
        return { type: 'base64', mime: mediaTypeOf(mime), data: read.needText(source['data'], `${field}.data`) }
      }
      case 'url':
        return { type: 'url', url: read.needText(source['url'], `${field}.url`) }
      case 'file': {
        const id = read.needText(source['file_id'], `${field}.file_id`)
        return { type: 'file-id', id, dialect: 'anthropic-messages' }
      }
      case 'text':
        return plainText(read.needText(source['data'], `${field}.data`))
      case 'content':
        this.others.add('messages[].document.content')
        return plainText(this.#texts(source['content'], `${field}.content`))
      default:
        return undefined
    }
  }

  /** A document in blocks, which citations refer to; other dialects receive it as one text. */
  #texts(content: unknown, field: string): string {
    const parts = this.content(content, field)
    const texts = parts.filter((part) => part.kind === 'text')
    if (texts.length < parts.length) this.#read.refuse(field, 'must contain only text')
    return texts.map(({ text }) => text).join('\n')
  }

  #call(block: JsonObject, path: string): ToolCallPart {
    const read = this.#read
    const input = read.object(block['input'], `${path}.input`)
    return {
      kind: 'tool-call',
      id: read.needText(block['id'], `${path}.id`),
      name: read.needText(block['name'], `${path}.name`),
      args: input === undefined ? '' : JSON.stringify(input),
      ...this.cache(block, path),
    }
  }

  #result(block: JsonObject, path: string): ToolResultPart {
    const read = this.#read
    const content = this.content(block['content'], `${path}.content`)
    const parts = content.filter(isResultPart)
    if (parts.length < content.length) read.refuse(`${path}.content`, 'must contain only text, images and documents')
    const isError = read.flag(block['is_error'], `${path}.is_error`)
    return {
      kind: 'tool-result',
      callId: read.needText(block['tool_use_id'], `${path}.tool_use_id`),
      parts,
      ...(isError === undefined ? {} : { isError }),
      ...this.cache(block, path),
    }
  }

  /** Providers that sign nothing leave an empty signature, under our own mark or without. */
  #thinking(block: JsonObject, path: string): readonly ReasoningPart[] {
    const text = this.#read.text(block['thinking'], `${path}.thinking`) ?? ''
    const signature = this.#read.text(block['signature'], `${path}.signature`) ?? ''
    const reasoningSignature = unwrapSignature(signature, 'anthropic-messages')
    if (reasoningSignature.value !== '') return [{ kind: 'reasoning', text, signature: reasoningSignature }]
    return text === '' ? [] : [{ kind: 'reasoning', text }]
  }
}

function isResultPart(part: ContentPart): part is ToolResultPart['parts'][number] {
  return part.kind === 'text' || part.kind === 'image' || part.kind === 'file' || part.kind === 'opaque'
}

function plainText(text: string): MediaSource {
  return { type: 'base64', mime: 'text/plain', data: textToBase64(text) }
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== ''
}
