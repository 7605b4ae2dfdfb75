import { innerName } from '../canon/calls/tool-aliases.ts'
import type { Inexpressible } from '../canon/codec.ts'
import type { Losses } from '../canon/losses.ts'
import { withoutOwnPictures } from '../canon/own-pictures.ts'
import type { CacheMark, MediaSource, Part, ReasoningPart, ToolCallPart, ToolResultPart, Turn } from '../canon/parts.ts'
import type { JsonObject } from '../json-value.ts'
import { audioFormat, dataUrl } from './media.ts'

export class InputEncoder {
  /** The first thing that cannot be sent here without losing its meaning. */
  fault: Inexpressible | undefined

  readonly #losses: Losses
  /** The client speaks this dialect, so it knows which models accept cache marks, and which ids are accepted. */
  readonly #isOwn: boolean
  readonly #customCalls = new Set<string>()
  readonly #items: JsonObject[] = []

  constructor(losses: Losses, isOwn: boolean) {
    this.#losses = losses
    this.#isOwn = isOwn
  }

  encode(turns: readonly Turn[]): readonly JsonObject[] {
    for (const [turn, index] of withoutOwnPictures(turns, this.#losses)) {
      const path = `messages[${index}]`
      if (turn.name !== undefined) this.#losses.dropped('messages[].name')
      if (turn.role === 'assistant') this.#assistant(turn.parts)
      else if (turn.role === 'tool') this.#results(turn.parts, path)
      else this.#message(turn.role, turn.parts, path)
    }
    return this.#items
  }

  #message(role: 'user' | 'system', parts: readonly Part[], path: string): void {
    const content = parts.flatMap((part, at) => this.#content(part, `${path}.content[${at}]`))
    if (content.length > 0) this.#items.push({ type: 'message', role, content })
  }

  #assistant(parts: readonly Part[]): void {
    let said: JsonObject[] = []
    const flush = () => {
      if (said.length > 0) this.#items.push({ type: 'message', role: 'assistant', content: said })
      said = []
    }
    for (const part of parts) {
      if (part.kind === 'text') {
        if (part.cache !== undefined) this.#losses.dropped('cache_control')
        said.push({ type: 'output_text', text: part.text })
      } else if (part.kind === 'refusal') said.push({ type: 'refusal', refusal: part.text })
      else {
        flush()
        this.#assistantItem(part)
      }
    }
    flush()
  }

  #assistantItem(part: Exclude<Part, { kind: 'text' | 'refusal' }>): void {
    switch (part.kind) {
      case 'tool-call':
        this.#items.push(this.#call(part))
        return
      case 'reasoning':
        this.#items.push(...this.#reasoning(part))
        return
      case 'opaque':
        if (part.dialect === 'openai-responses') this.#items.push(part.value)
        else this.#losses.dropped(part.name)
        return
      default:
        // No decoder puts anything else into a model's turn.
        this.#losses.dropped(`messages[].content[${part.kind}]`)
    }
  }

  #call({ id, name: given, namespace, args, isCustom, cache, signature }: ToolCallPart): JsonObject {
    if (signature !== undefined) this.#losses.dropped('thought_signature')
    if (cache !== undefined) this.#losses.dropped('cache_control')
    const name = namespace === undefined ? { name: given } : { name: innerName(given, namespace), namespace }
    if (isCustom !== true) return { type: 'function_call', call_id: id, ...name, arguments: args === '' ? '{}' : args }
    this.#customCalls.add(id)
    return { type: 'custom_tool_call', call_id: id, ...name, input: args }
  }

  /** Encrypted reasoning can only be sent back to the provider that encrypted it. */
  #reasoning({ text, signature }: ReasoningPart): readonly JsonObject[] {
    if (signature?.dialect !== 'openai-responses') {
      if (text !== '') this.#losses.dropped('reasoning_content')
      else if (signature !== undefined) this.#losses.dropped('reasoning signature')
      return []
    }
    const id = signature.item === undefined ? {} : { id: signature.item }
    const summary = text === '' ? [] : [{ type: 'summary_text', text }]
    return [{ type: 'reasoning', ...id, summary, encrypted_content: signature.value }]
  }

  #results(parts: readonly Part[], path: string): void {
    for (const [at, part] of parts.entries()) {
      if (part.kind === 'tool-result') this.#items.push(this.#result(part, path))
      else if (part.kind === 'opaque' && part.dialect === 'openai-responses') this.#items.push(part.value)
      else this.#message('user', [part], `${path}.content[${at}]`)
    }
  }

  #result({ callId, parts, isError, cache }: ToolResultPart, path: string): JsonObject {
    if (cache !== undefined) this.#losses.dropped('cache_control')
    const type = this.#customCalls.has(callId) ? 'custom_tool_call_output' : 'function_call_output'
    if (isError === true) this.#losses.changed('is_error')
    const encoded = isError === true ? withErrorMark(parts) : parts
    const [only] = encoded
    const isPlain = encoded.length <= 1 && (only === undefined || (only.kind === 'text' && only.cache === undefined))
    const output = isPlain
      ? only?.kind === 'text'
        ? only.text
        : ''
      : encoded.flatMap((part, at) => this.#content(part, `${path}.content[${at}]`))
    return { type, call_id: callId, output }
  }

  #content(part: Part, path: string): readonly JsonObject[] {
    switch (part.kind) {
      case 'text':
        return [{ type: 'input_text', text: part.text, ...this.#mark(part.cache) }]
      case 'refusal':
        return [{ type: 'input_text', text: part.text }]
      case 'image': {
        const detail = part.detail === undefined ? {} : { detail: part.detail }
        return this.#source(part.source, path, (source) => ({
          type: 'input_image',
          ...(source.type === 'base64' ? { image_url: dataUrl(source) } : {}),
          ...(source.type === 'url' ? { image_url: source.url } : {}),
          ...(source.type === 'file-id' ? { file_id: source.id } : {}),
          ...detail,
          ...this.#mark(part.cache),
        }))
      }
      case 'file': {
        const filename = part.name === undefined ? {} : { filename: part.name }
        return this.#source(part.source, path, (source) => ({
          type: 'input_file',
          // Bytes without a name are refused.
          ...(source.type === 'base64' ? { filename: 'document', ...filename, file_data: dataUrl(source) } : filename),
          ...(source.type === 'url' ? { file_url: source.url } : {}),
          ...(source.type === 'file-id' ? { file_id: source.id } : {}),
          ...this.#mark(part.cache),
        }))
      }
      case 'audio': {
        const { source } = part
        const format = source.type === 'base64' ? audioFormat(source.mime) : undefined
        if (source.type !== 'base64' || format === undefined) {
          return this.#inexpressible(
            path,
            'must not contain audio other than wav or mp3 in base64: the provider does not accept it',
          )
        }
        return [{ type: 'input_audio', input_audio: { data: source.data, format } }]
      }
      case 'video':
        return this.#inexpressible(path, 'must not contain video: the provider does not accept it')
      case 'opaque':
        if (part.dialect === 'openai-responses') return [part.value]
        this.#losses.dropped(part.name)
        return []
      default:
        this.#losses.dropped(`messages[].content[${part.kind}]`)
        return []
    }
  }

  #source(source: MediaSource, path: string, write: (source: MediaSource) => JsonObject): readonly JsonObject[] {
    return source.type === 'file-id' && !OWN_FILES.has(source.dialect)
      ? this.#inexpressible(path, 'must not refer to a file uploaded to another provider')
      : [write(source)]
  }

  #mark(cache: CacheMark | undefined): JsonObject {
    if (cache === undefined) return {}
    if (this.#isOwn)
      return { prompt_cache_breakpoint: { mode: 'explicit', ...(cache.ttl === '1h' ? { ttl: '12h' } : {}) } }
    this.#losses.dropped('cache_control')
    return {}
  }

  #inexpressible(field: string, rule: string): readonly JsonObject[] {
    this.fault ??= { field, rule }
    return []
  }
}

/** Both of OpenAI's dialects have the same member for files. */
export const OWN_FILES: ReadonlySet<string> = new Set(['openai-responses', 'openai-chat'])

/** Marks a failed result in its text, because neither of OpenAI's dialects has a member for it. */
export function withErrorMark(parts: ToolResultPart['parts']): ToolResultPart['parts'] {
  const [first, ...rest] = parts
  return first?.kind === 'text'
    ? [{ ...first, text: `Error: ${first.text}` }, ...rest]
    : [{ kind: 'text', text: 'Error:' }, ...parts]
}
