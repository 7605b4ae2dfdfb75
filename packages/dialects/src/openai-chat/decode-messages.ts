import { type FieldReader, othersThan } from '../canon/field-reader.ts'
import type { CacheMark, Part, ReasoningPart, TextPart, ToolCallPart, ToolResultPart, Turn } from '../canon/parts.ts'
import { unwrapSignature } from '../canon/signature.ts'
import { asObject, type JsonObject } from '../json-value.ts'
import { cacheOf, type ContentPart, decodeContent } from './decode-content.ts'
import { decodeDetails } from './reasoning-details.ts'

export interface DecodedMessages {
  readonly system: readonly TextPart[]
  readonly turns: readonly Turn[]
  /** Members of messages without a canonical member, by their path: `messages[3].prefix`. */
  readonly others: JsonObject
}

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const

/** Fields in which vendors put a model's thoughts, most common first. */
export const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'] as const

const READ: ReadonlySet<string> = new Set([
  'role',
  'content',
  'name',
  'refusal',
  'tool_calls',
  'tool_call_id',
  'function_call',
  'reasoning_details',
  'cache_control',
  ...REASONING_FIELDS,
])

/** Consecutive tool results become one turn. */
export function decodeMessages(read: FieldReader, messages: unknown): DecodedMessages {
  const decoder = new MessageDecoder(read)
  if (messages === undefined || messages === null) read.refuse('messages', 'is required')
  read.objects(messages, 'messages', (message, path) => decoder.add(message, path))
  return decoder
}

class MessageDecoder implements DecodedMessages {
  readonly system: TextPart[] = []
  readonly turns: { readonly role: Turn['role']; readonly parts: Part[]; readonly name?: string }[] = []
  readonly others: Record<string, unknown> = {}

  readonly #read: FieldReader
  /** Id of the last call in the older form, in which calls have no ids. */
  #lastFunctionCall = ''

  constructor(read: FieldReader) {
    this.#read = read
  }

  add(message: JsonObject, path: string): void {
    const role = this.#read.oneOf(message['role'] ?? '', `${path}.role`, ROLES)
    for (const [name, value] of Object.entries(othersThan(message, READ))) {
      if (!Array.isArray(value) || value.length > 0) this.others[`${path}.${name}`] = value
    }
    switch (role) {
      case 'system':
      case 'developer':
        this.#instruct(message, path)
        return
      case 'user':
        this.#push('user', this.#content(message, path), message, path)
        return
      case 'assistant':
        this.#push('assistant', this.#assistant(message, path), message, path)
        return
      case 'tool':
        this.#result(this.#read.needText(message['tool_call_id'], `${path}.tool_call_id`), message, path)
        return
      case 'function':
        this.#result(this.#lastFunctionCall, message, path)
        return
      case undefined:
    }
  }

  #push(role: 'user' | 'assistant', parts: readonly Part[], message: JsonObject, path: string): void {
    const name = this.#read.text(message['name'], `${path}.name`)
    if (parts.length > 0) this.turns.push({ role, parts: [...parts], ...(name === undefined ? {} : { name }) })
  }

  /** A cache mark on the whole message moves to its last part. */
  #content(message: JsonObject, path: string): readonly ContentPart[] {
    const parts = decodeContent(this.#read, message['content'], `${path}.content`)
    const { cache } = cacheOf(message)
    const last = parts.at(-1)
    return cache === undefined || last === undefined ? parts : [...parts.slice(0, -1), withCache(last, cache)]
  }

  #instruct(message: JsonObject, path: string): void {
    const content = this.#content(message, path)
    const name = this.#read.text(message['name'], `${path}.name`)
    if (name !== undefined) this.others[`${path}.name`] = name
    const texts = content.filter((part) => part.kind === 'text')
    if (texts.length < content.length)
      this.#read.refuse(`${path}.content`, 'must contain only text, because it is an instruction')
    if (this.turns.length === 0) this.system.push(...texts)
    else if (texts.length > 0) this.turns.push({ role: 'system', parts: texts })
  }

  #assistant(message: JsonObject, path: string): readonly Part[] {
    const content = this.#content(message, path)
    const refusal = this.#read.text(message['refusal'], `${path}.refusal`) ?? ''
    return [
      ...this.#reasoning(message, path),
      ...content,
      ...(refusal === '' ? [] : [{ kind: 'refusal', text: refusal } as const]),
      ...this.#read.objects(message['tool_calls'], `${path}.tool_calls`, (call, at) => this.#call(call, at)),
      ...this.#functionCall(message['function_call'], `${path}.function_call`),
    ]
  }

  /** Entries with signatures contain more than the plain text next to them, which repeats them. */
  #reasoning(message: JsonObject, path: string): readonly ReasoningPart[] {
    const entries = this.#read.objects(message['reasoning_details'], `${path}.reasoning_details`, (entry) => entry)
    const given = REASONING_FIELDS.map((name) => message[name]).find((text) => typeof text === 'string' && text !== '')
    const plain = typeof given === 'string' ? given : ''
    const thoughts = entries.length === 0 ? [] : decodeDetails(entries)
    if (thoughts.every(({ text }) => text === '') && plain !== '') {
      const [first, ...rest] = thoughts
      const signature = first?.signature === undefined ? {} : { signature: first.signature }
      return [{ kind: 'reasoning', text: plain, ...signature }, ...rest.map(asPart)]
    }
    return thoughts.map(asPart)
  }

  #call(call: JsonObject, path: string): ToolCallPart {
    const read = this.#read
    const isCustom = call['type'] === 'custom'
    const [member, field] = isCustom ? (['custom', 'input'] as const) : (['function', 'arguments'] as const)
    const called = read.object(call[member] ?? {}, `${path}.${member}`)
    const google = asObject(asObject(call['extra_content'])?.['google'])
    const signature = read.text(google?.['thought_signature'], `${path}.extra_content.google.thought_signature`)
    return {
      kind: 'tool-call',
      id: read.needText(call['id'], `${path}.id`),
      name: read.needText(called?.['name'], `${path}.${member}.name`),
      args: read.text(called?.[field], `${path}.${member}.${field}`) ?? '',
      ...(isCustom ? { isCustom } : {}),
      ...(signature === undefined || signature === '' ? {} : { signature: unwrapSignature(signature, 'gemini') }),
      ...cacheOf(call),
    }
  }

  #functionCall(value: unknown, path: string): readonly ToolCallPart[] {
    const call = this.#read.object(value, path)
    if (call === undefined) return []
    const name = this.#read.needText(call['name'], `${path}.name`)
    this.#lastFunctionCall = `call_${this.turns.length}_${name}`
    return [
      {
        kind: 'tool-call',
        id: this.#lastFunctionCall,
        name,
        args: this.#read.text(call['arguments'], `${path}.arguments`) ?? '',
      },
    ]
  }

  #result(callId: string, message: JsonObject, path: string): void {
    const content = decodeContent(this.#read, message['content'], `${path}.content`)
    const parts = content.filter(isOfTool)
    if (parts.length < content.length) {
      this.#read.refuse(`${path}.content`, 'must contain only text, images and files, because it is a tool result')
    }
    const name = this.#read.text(message['name'], `${path}.name`)
    const result: ToolResultPart = {
      kind: 'tool-result',
      callId,
      ...(name === undefined ? {} : { name }),
      parts,
      ...cacheOf(message),
    }
    const last = this.turns.at(-1)
    if (last?.role === 'tool') last.parts.push(result)
    else this.turns.push({ role: 'tool', parts: [result] })
  }
}

function asPart({ text, signature }: ReturnType<typeof decodeDetails>[number]): ReasoningPart {
  return { kind: 'reasoning', text, ...(signature === undefined ? {} : { signature }) }
}

function withCache(part: ContentPart, cache: CacheMark): ContentPart {
  return part.kind === 'text' || part.kind === 'image' || part.kind === 'file' ? { ...part, cache } : part
}

function isOfTool(part: ContentPart): part is ToolResultPart['parts'][number] {
  return part.kind === 'text' || part.kind === 'image' || part.kind === 'file' || part.kind === 'opaque'
}
