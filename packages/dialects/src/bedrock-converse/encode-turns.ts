import type { Inexpressible } from '../canon/codec.ts'
import type { Losses } from '../canon/losses.ts'
import { withoutOwnPictures } from '../canon/own-pictures.ts'
import type { CacheMark, Part, ReasoningPart, TextPart, ToolCallPart, ToolResultPart, Turn } from '../canon/parts.ts'
import type { CanonRequest } from '../canon/request.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'
import { encodeMedium } from './encode-media.ts'

/** Used if Converse requires text and none is given; blank text is refused. */
const FILLER = '.'
const NO_OUTPUT = '(no output)'

interface Message {
  readonly role: 'user' | 'assistant'
  readonly content: JsonObject[]
}

export interface EncodedTurns {
  readonly system: readonly JsonObject[]
  readonly messages: readonly JsonObject[]
}

/** The user first, alternating roles, no blank text. `caches`: the model supports cache points. */
export function encodeTurns(
  { system, turns }: CanonRequest,
  { losses, caches }: { readonly losses: Losses; readonly caches: boolean },
): EncodedTurns | Inexpressible {
  const encoder = new TurnEncoder(losses, caches)
  for (const [turn, index] of withoutOwnPictures(turns, losses)) encoder.add(turn, index)
  return encoder.problem ?? { system: encoder.system(system), messages: encoder.finish() }
}

class TurnEncoder {
  problem: Inexpressible | undefined

  readonly #losses: Losses
  readonly #caches: boolean
  readonly #messages: Message[] = []
  readonly #documents = new Set<string>()

  constructor(losses: Losses, caches: boolean) {
    this.#losses = losses
    this.#caches = caches
  }

  system(parts: readonly TextPart[]): readonly JsonObject[] {
    return parts.flatMap((part) => this.#text(part.text, part.cache))
  }

  add({ role, parts, name }: Turn, index: number): void {
    if (name !== undefined) this.#losses.dropped('messages[].name')
    // Converse has no role for instructions in the middle of a conversation; models follow them in a user's turn.
    if (role === 'system') this.#losses.changed('messages[].role')
    const blocks = parts.flatMap((part, i) => this.#part(part, `messages[${index}].content[${i}]`))
    if (blocks.length === 0) return
    const speaker = role === 'assistant' ? 'assistant' : 'user'
    const last = this.#messages.at(-1)
    if (last?.role === speaker) join(last.content, blocks)
    else this.#messages.push({ role: speaker, content: blocks })
  }

  finish(): readonly JsonObject[] {
    const messages = this.#messages
    if (messages[0]?.role !== 'user') {
      if (messages.length > 0) this.#losses.changed('messages')
      messages.unshift({ role: 'user', content: [{ text: FILLER }] })
    }
    for (const { content } of messages) {
      const hasDocument = content.some((block) => 'document' in block)
      if (hasDocument && !content.some((block) => 'text' in block)) content.push({ text: FILLER })
    }
    trimEnd(messages.at(-1))
    return messages.map(({ role, content }) => ({ role, content }))
  }

  #part(part: Part, field: string): readonly JsonObject[] {
    switch (part.kind) {
      case 'text':
        return this.#text(part.text, part.cache)
      case 'refusal':
        this.#losses.changed('refusal')
        return this.#text(part.text, undefined)
      case 'image':
      case 'file':
        return [...this.#medium(part, field), ...this.#cachePoint(part.cache)]
      case 'audio':
      case 'video':
        return this.#medium(part, field)
      case 'reasoning':
        return this.#reasoning(part)
      case 'tool-call':
        return [this.#call(part), ...this.#cachePoint(part.cache)]
      case 'tool-result':
        return [this.#result(part, field), ...this.#cachePoint(part.cache)]
      case 'opaque':
        if (part.dialect === 'bedrock-converse') return [part.value]
        this.#losses.dropped(part.name)
        return []
    }
  }

  #text(text: string, cache: CacheMark | undefined): readonly JsonObject[] {
    return [...(text.trim() === '' ? [] : [{ text }]), ...this.#cachePoint(cache)]
  }

  #cachePoint(cache: CacheMark | undefined): readonly JsonObject[] {
    if (cache === undefined) return []
    if (this.#caches) return [cachePointOf(cache)]
    this.#losses.dropped('cache_control')
    return []
  }

  #medium(part: Parameters<typeof encodeMedium>[0], field: string): readonly JsonObject[] {
    if (part.kind === 'image' && part.detail !== undefined && part.detail !== 'auto') this.#losses.dropped('detail')
    const block = encodeMedium(part, field, this.#documents)
    if (!('rule' in block)) return [block]
    this.problem ??= { field, rule: String(block['rule']) }
    return []
  }

  /** Reasoning without the provider's own signature is refused by some models and useless to the others. */
  #reasoning({ text, signature }: ReasoningPart): readonly JsonObject[] {
    if (signature?.dialect !== 'bedrock-converse') {
      this.#losses.dropped('reasoning_content')
      return []
    }
    return signature.redacted === true
      ? [{ reasoningContent: { redactedContent: signature.value } }]
      : [{ reasoningContent: { reasoningText: { text, signature: signature.value } } }]
  }

  #call({ id, name, args, isCustom, signature }: ToolCallPart): JsonObject {
    if (signature !== undefined) this.#losses.dropped('tool_calls[].proof')
    const parsed = isCustom === true ? undefined : args.trim() === '' ? {} : asObject(parseJson(args))
    if (parsed === undefined && isCustom !== true) this.#losses.changed('tool_calls[].function.arguments')
    return { toolUse: { toolUseId: id, name, input: parsed ?? { input: args } } }
  }

  #result({ callId, parts, isError }: ToolResultPart, field: string): JsonObject {
    const content = parts.flatMap((part, i): readonly JsonObject[] => {
      switch (part.kind) {
        case 'text':
          if (part.cache !== undefined) this.#losses.dropped('cache_control')
          return part.text.trim() === '' ? [] : [{ text: part.text }]
        case 'image':
        case 'file':
          return this.#medium(part, `${field}.content[${i}]`)
        case 'opaque':
          return this.#part(part, field)
      }
    })
    const status = isError === undefined ? {} : { status: isError ? 'error' : 'success' }
    const encoded = content.length === 0 ? [{ text: NO_OUTPUT }] : content
    return { toolResult: { toolUseId: callId, content: encoded, ...status } }
  }
}

/** Tool results come first in the user's turn: models refuse them anywhere else. */
function join(content: JsonObject[], blocks: readonly JsonObject[]): void {
  const isResult = (block: JsonObject) => 'toolResult' in block || 'cachePoint' in block
  const at = blocks.every(isResult) ? content.findIndex((block) => !isResult(block)) : -1
  content.splice(at < 0 ? content.length : at, 0, ...blocks)
}

export function cachePointOf({ ttl }: CacheMark): JsonObject {
  return { cachePoint: { type: 'default', ...(ttl === '5m' ? {} : { ttl }) } }
}

/** An answer that the model should continue must not end in white space. */
function trimEnd(message: Message | undefined): void {
  const block = message?.role === 'assistant' ? message.content.at(-1) : undefined
  const text = block?.['text']
  if (message !== undefined && typeof text === 'string') message.content.splice(-1, 1, { text: text.trimEnd() })
}
