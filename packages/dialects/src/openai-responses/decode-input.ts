import { qualifiedName } from '../canon/calls/tool-aliases.ts'
import type { FieldReader } from '../canon/field-reader.ts'
import type { OpaquePart, Part, ReasoningPart, TextPart, ToolCallPart, ToolResultPart, Turn } from '../canon/parts.ts'
import { unwrapSignature } from '../canon/signature.ts'
import type { JsonObject } from '../json-value.ts'
import { type ContentPart, decodeContent } from './decode-content.ts'

export interface DecodedInput {
  /** Instructions at the beginning of the input. */
  readonly system: readonly TextPart[]
  readonly turns: readonly Turn[]
}

type Role = Turn['role']

/** Reads `input`: a text, or items; consecutive items of one speaker become one turn. */
export function decodeInput(read: FieldReader, input: unknown): DecodedInput {
  if (typeof input === 'string')
    return { system: [], turns: [{ role: 'user', parts: [{ kind: 'text', text: input }] }] }
  if (input === undefined || input === null) {
    read.refuse('input', 'is required')
    return { system: [], turns: [] }
  }
  if (!Array.isArray(input)) {
    read.refuse('input', 'must be a string or a list')
    return { system: [], turns: [] }
  }
  const turns = new GrowingTurns()
  read.objects(input, 'input', (item, path) => decodeItem(read, item, path, turns))
  return turns.decoded()
}

function decodeItem(read: FieldReader, item: JsonObject, path: string, turns: GrowingTurns): void {
  const type = read.text(item['type'], `${path}.type`) ?? 'message'
  switch (type) {
    case 'message': {
      const role = read.oneOf(item['role'] ?? '', `${path}.role`, ['user', 'assistant', 'system', 'developer'])
      const content = decodeContent(read, item['content'], `${path}.content`)
      if (role === 'system' || role === 'developer') turns.instruct(textsOf(read, content, `${path}.content`))
      else if (role !== undefined) turns.add(role, content, role === 'user')
      return
    }
    case 'function_call':
    case 'custom_tool_call':
      turns.add('assistant', [decodeCall(read, item, path, type === 'custom_tool_call')])
      return
    case 'function_call_output':
    case 'custom_tool_call_output':
      turns.add('tool', [decodeResult(read, item, path)])
      return
    case 'reasoning':
      turns.add('assistant', decodeReasoning(read, item, path))
      return
    case 'item_reference':
      read.refuse(path, `must not be an item_reference: ${NEEDS_ITS_OWN}`)
      return
    case 'agent_message':
      turns.add('user', [opaqueItem(type, item)], true)
      return
    case 'additional_tools':
      // The item's tools are offered with all others; see `decode-tools.ts`.
      return
    default:
      turns.add(/_output$|_response$/.test(type) ? 'tool' : 'assistant', [opaqueItem(type, item)])
  }
}

/** Follows the name of a field that only the provider of an earlier, stored response understands. */
export const NEEDS_ITS_OWN =
  'this conversation continues on a provider that cannot read what another one stored; send the whole conversation in input'

function textsOf(read: FieldReader, content: readonly ContentPart[], field: string): readonly TextPart[] {
  const texts = content.filter((part) => part.kind === 'text')
  if (texts.length < content.length) read.refuse(field, 'must contain only text, because it is an instruction')
  return texts
}

function decodeCall(read: FieldReader, item: JsonObject, path: string, isCustom: boolean): ToolCallPart {
  const args = isCustom ? 'input' : 'arguments'
  const name = read.needText(item['name'], `${path}.name`)
  const namespace = read.text(item['namespace'], `${path}.namespace`)
  return {
    kind: 'tool-call',
    id: read.needText(item['call_id'], `${path}.call_id`),
    ...(namespace === undefined ? { name } : { name: qualifiedName(namespace, name), namespace }),
    args: read.text(item[args], `${path}.${args}`) ?? '',
    ...(isCustom ? { isCustom } : {}),
  }
}

function decodeResult(read: FieldReader, item: JsonObject, path: string): ToolResultPart {
  const content = decodeContent(read, item['output'], `${path}.output`)
  const parts = content.filter((part) => part.kind !== 'audio' && part.kind !== 'refusal')
  if (parts.length < content.length) read.refuse(`${path}.output`, 'must contain only text, images and files')
  return { kind: 'tool-result', callId: read.needText(item['call_id'], `${path}.call_id`), parts }
}

/** Readable or encrypted reasoning; empty for reasoning stored elsewhere. */
function decodeReasoning(read: FieldReader, item: JsonObject, path: string): readonly ReasoningPart[] {
  const sealed = read.text(item['encrypted_content'], `${path}.encrypted_content`) ?? ''
  const id = read.text(item['id'], `${path}.id`)
  const text = [
    ...textsIn(read, item['content'], `${path}.content`),
    ...textsIn(read, item['summary'], `${path}.summary`),
  ]
    .filter((piece) => piece !== '')
    .join('\n\n')
  if (sealed === '') return text === '' ? [] : [{ kind: 'reasoning', text }]
  const signature = unwrapSignature(sealed, 'openai-responses')
  if (signature.dialect !== 'openai-responses') return [{ kind: 'reasoning', text, signature }]
  const made = signature.item ?? id
  const own = {
    ...signature,
    ...(text === '' ? { redacted: true } : {}),
    ...(made === undefined ? {} : { item: made }),
  }
  return [{ kind: 'reasoning', text, signature: own }]
}

function textsIn(read: FieldReader, list: unknown, field: string): readonly string[] {
  return read.objects(list, field, (piece, path) => read.text(piece['text'], `${path}.text`) ?? '')
}

function opaqueItem(type: string, value: JsonObject): OpaquePart {
  return { kind: 'opaque', dialect: 'openai-responses', name: type, value }
}

class GrowingTurns {
  readonly #system: TextPart[] = []
  readonly #turns: { readonly role: Role; readonly parts: Part[]; readonly closed: boolean }[] = []

  /** At the beginning of the input or in the middle of it. */
  instruct(texts: readonly TextPart[]): void {
    if (this.#turns.length === 0) this.#system.push(...texts)
    else if (texts.length > 0) this.#turns.push({ role: 'system', parts: [...texts], closed: true })
  }

  /** `isWhole`: always a separate turn, whatever precedes it. */
  add(role: Role, parts: readonly Part[], isWhole = false): void {
    const last = this.#turns.at(-1)
    if (parts.length === 0) return
    if (last !== undefined && last.role === role && !isWhole && !last.closed) last.parts.push(...parts)
    else this.#turns.push({ role, parts: [...parts], closed: isWhole })
  }

  decoded(): DecodedInput {
    return {
      system: this.#system,
      turns: this.#turns.map(({ role, parts }) => ({ role, parts: withCallSignatures(parts) })),
    }
  }
}

/** Puts a call's signature back onto the call; it travels in an empty reasoning item that names the call (`encode-answer.ts`). */
function withCallSignatures(parts: readonly Part[]): readonly Part[] {
  const calls = new Set(parts.flatMap((part) => (part.kind === 'tool-call' ? [part.id] : [])))
  const carried = new Map<string, ReasoningPart['signature']>()
  const kept = parts.filter((part) => {
    if (part.kind !== 'reasoning' || part.text !== '' || part.signature === undefined) return true
    const { dialect, item } = part.signature
    if (dialect === 'openai-responses' || item === undefined || !calls.has(item)) return true
    const { item: _, ...signature } = part.signature
    carried.set(item, signature)
    return false
  })
  if (carried.size === 0) return parts
  return kept.map((part) => {
    const signature = part.kind === 'tool-call' ? carried.get(part.id) : undefined
    return signature === undefined ? part : { ...part, signature }
  })
}
