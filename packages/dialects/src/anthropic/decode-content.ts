import { textToBase64 } from '../canon/base64-text.ts'
import type { FieldReader } from '../canon/field-reader.ts'
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
import { openProof } from '../canon/proof.ts'
import { asObject, type JsonObject } from '../json-value.ts'

export type ContentPart = TextPart | ImagePart | FilePart | OpaquePart | ReasoningPart | ToolCallPart | ToolResultPart

/** Reads the blocks of messages, and remembers what of them has no place in the canonical request. */
export class ContentReader {
  /** Names of members that only this dialect knows, as `messages[].citations`. */
  readonly others = new Set<string>()
  private readonly read: FieldReader

  constructor(read: FieldReader) {
    this.read = read
  }

  /** A text, or a list of blocks. */
  content(content: unknown, field: string): readonly ContentPart[] {
    if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
    if (content !== undefined && content !== null && !Array.isArray(content)) {
      this.read.refuse(field, 'must be a string or a list')
      return []
    }
    return this.read.objects(content, field, (block, path) => this.block(block, path)).flat()
  }

  /** `cache_control` as the member of a part. */
  cache(holder: JsonObject, path: string): { readonly cache?: CacheMark } {
    const mark = this.read.object(holder['cache_control'], `${path}.cache_control`)
    return mark === undefined ? {} : { cache: { ttl: mark['ttl'] === '1h' ? '1h' : '5m' } }
  }

  private block(block: JsonObject, path: string): readonly ContentPart[] {
    const { read } = this
    const type = read.needText(block['type'], `${path}.type`)
    switch (type) {
      case 'text':
        if (isFilled(block['citations'])) this.others.add('messages[].citations')
        return [{ kind: 'text', text: read.needText(block['text'], `${path}.text`), ...this.cache(block, path) }]
      case 'image':
        return this.image(block, path)
      case 'document':
        return this.document(block, path)
      case 'tool_use':
        return [this.call(block, path)]
      case 'tool_result':
        return [this.result(block, path)]
      case 'thinking':
        return this.thinking(block, path)
      case 'redacted_thinking': {
        const proof = openProof(read.needText(block['data'], `${path}.data`), 'anthropic-messages')
        return [{ kind: 'reasoning', text: '', proof: { ...proof, redacted: true } }]
      }
      default:
        return [{ kind: 'opaque', dialect: 'anthropic-messages', name: type, value: block }]
    }
  }

  private image(block: JsonObject, path: string): readonly ImagePart[] {
    const source = this.source(block, path)
    return source === undefined ? [] : [{ kind: 'image', source, ...this.cache(block, path) }]
  }

  private document(block: JsonObject, path: string): readonly FilePart[] {
    const { read } = this
    if (isFilled(block['context'])) this.others.add('messages[].document.context')
    if (asObject(block['citations'])?.['enabled'] === true) this.others.add('messages[].document.citations')
    const name = read.text(block['title'], `${path}.title`)
    const source = this.source(block, path)
    if (source === undefined) return []
    return [{ kind: 'file', source, ...(name === undefined ? {} : { name }), ...this.cache(block, path) }]
  }

  private source(block: JsonObject, path: string): MediaSource | undefined {
    const { read } = this
    const field = `${path}.source`
    const source = read.object(block['source'], field)
    if (source === undefined) return read.refuse(field, 'is required')
    switch (read.oneOf(source['type'] ?? '', `${field}.type`, ['base64', 'url', 'file', 'text', 'content'])) {
      case 'base64': {
        const mime = read.needText(source['media_type'], `${field}.media_type`)
        return { type: 'base64', mime, data: read.needText(source['data'], `${field}.data`) }
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
        return plainText(this.texts(source['content'], `${field}.content`))
      default:
        return undefined
    }
  }

  /** A document that is given in blocks, which are what it is cited by; others get it as one text. */
  private texts(content: unknown, field: string): string {
    const parts = this.content(content, field)
    const texts = parts.filter((part) => part.kind === 'text')
    if (texts.length < parts.length) this.read.refuse(field, 'must hold only text')
    return texts.map(({ text }) => text).join('\n')
  }

  private call(block: JsonObject, path: string): ToolCallPart {
    const { read } = this
    const input = read.object(block['input'], `${path}.input`)
    return {
      kind: 'tool-call',
      id: read.needText(block['id'], `${path}.id`),
      name: read.needText(block['name'], `${path}.name`),
      args: input === undefined ? '' : JSON.stringify(input),
      ...this.cache(block, path),
    }
  }

  private result(block: JsonObject, path: string): ToolResultPart {
    const { read } = this
    const content = this.content(block['content'], `${path}.content`)
    const parts = content.filter(isResultPart)
    if (parts.length < content.length) read.refuse(`${path}.content`, 'must hold only text, images and documents')
    const isError = read.flag(block['is_error'], `${path}.is_error`)
    return {
      kind: 'tool-result',
      callId: read.needText(block['tool_use_id'], `${path}.tool_use_id`),
      parts,
      ...(isError === undefined ? {} : { isError }),
      ...this.cache(block, path),
    }
  }

  /** An empty signature is what a provider without any left, under our own mark or none. */
  private thinking(block: JsonObject, path: string): readonly ReasoningPart[] {
    const text = this.read.text(block['thinking'], `${path}.thinking`) ?? ''
    const signature = this.read.text(block['signature'], `${path}.signature`) ?? ''
    const proof = openProof(signature, 'anthropic-messages')
    if (proof.value !== '') return [{ kind: 'reasoning', text, proof }]
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
