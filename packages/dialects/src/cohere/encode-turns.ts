import type { Inexpressible } from '../canon/codec.ts'
import type { Losses } from '../canon/losses.ts'
import type { ImagePart, Part, TextPart, ToolCallPart, ToolResultPart, Turn } from '../canon/parts.ts'
import type { CanonRequest } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'

/** `thinks`: the model accepts its earlier thoughts; other models receive them as the plan of a call. */
export function encodeTurns(
  { system, turns }: CanonRequest,
  { losses, thinks }: { readonly losses: Losses; readonly thinks: boolean },
): readonly JsonObject[] | Inexpressible {
  const encoder = new TurnEncoder(losses, thinks)
  const messages = turns.flatMap((turn, index) => encoder.turn(turn, index))
  const head = system.length === 0 ? [] : [{ role: 'system', content: encoder.said(system, 'system') }]
  return encoder.problem ?? [...head, ...messages]
}

class TurnEncoder {
  problem: Inexpressible | undefined

  readonly #losses: Losses
  readonly #thinks: boolean

  constructor(losses: Losses, thinks: boolean) {
    this.#losses = losses
    this.#thinks = thinks
  }

  turn({ role, parts, name }: Turn, index: number): readonly JsonObject[] {
    if (name !== undefined) this.#losses.dropped('messages[].name')
    const field = `messages[${index}]`
    switch (role) {
      case 'assistant':
        return this.#assistant(parts, field)
      case 'tool':
        return this.#tool(parts, field)
      default:
        return [{ role, content: this.said(parts, field) }]
    }
  }

  /** A single text is sent as a plain string. */
  said(parts: readonly Part[], field: string): string | readonly JsonObject[] {
    const content = parts.flatMap((part, i) => this.#part(part, `${field}.content[${i}]`))
    const [only] = content
    if (only === undefined) return ''
    return content.length === 1 && only['type'] === 'text' ? String(only['text']) : content
  }

  /** A turn without text is refused, so it is left out. */
  #assistant(parts: readonly Part[], field: string): readonly JsonObject[] {
    const calls = parts.filter((part) => part.kind === 'tool-call')
    const thoughts = parts.filter((part) => part.kind === 'reasoning')
    if (thoughts.some(({ signature }) => signature !== undefined)) this.#losses.dropped('reasoning.signature')
    const isPlan = !this.#thinks && calls.length > 0
    const thought = thoughts.map(({ text }) => text).join('\n')
    if (thought !== '' && !this.#thinks && !isPlan) this.#losses.dropped('reasoning_content')
    const isSaid = ({ kind }: Part) => kind !== 'tool-call' && (kind !== 'reasoning' || this.#thinks)
    const content = this.said(parts.filter(isSaid), field)
    if (content === '' && calls.length === 0) return []
    return [
      {
        role: 'assistant',
        ...(content === '' ? {} : { content }),
        ...(isPlan && thought !== '' ? { tool_plan: thought } : {}),
        ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => this.#call(call)) }),
      },
    ]
  }

  #call({ id, name, args, isCustom, cache, signature }: ToolCallPart): JsonObject {
    if (cache !== undefined) this.#losses.dropped('cache_control')
    if (signature !== undefined) this.#losses.dropped('reasoning.signature')
    const encoded = isCustom === true ? JSON.stringify({ input: args }) : args.trim() === '' ? '{}' : args
    return { id, type: 'function', function: { name, arguments: encoded } }
  }

  #tool(parts: readonly Part[], field: string): readonly JsonObject[] {
    const results = parts.filter((part) => part.kind === 'tool-result')
    const others = parts.filter((part) => part.kind !== 'tool-result')
    const said = others.length === 0 ? [] : [{ role: 'user', content: this.said(others, field) }]
    return [...results.map((result) => this.#result(result, field)), ...said]
  }

  #result({ callId, parts, isError, cache }: ToolResultPart, field: string): JsonObject {
    if (isError === true) this.#losses.dropped('is_error')
    if (cache !== undefined) this.#losses.dropped('cache_control')
    const place = parts.findIndex(({ kind }) => kind === 'image' || kind === 'file')
    if (place !== -1) {
      this.#refuse(
        `${field}.content[${place}]`,
        'must contain text: the provider accepts nothing else in a tool result',
      )
    }
    return { role: 'tool', tool_call_id: callId, content: this.said(parts, field) }
  }

  #part(part: Part, field: string): readonly JsonObject[] {
    switch (part.kind) {
      case 'text':
        return this.#text(part)
      case 'refusal':
        this.#losses.changed('refusal')
        return [{ type: 'text', text: part.text }]
      case 'reasoning':
        return part.text === '' ? [] : [{ type: 'thinking', thinking: part.text }]
      case 'image':
        return this.#image(part, field)
      case 'opaque':
        if (part.dialect === 'cohere') return [part.value]
        this.#losses.dropped(part.name)
        return []
      default:
        this.#refuse(field, `must be text or an image, not ${part.kind}`)
        return []
    }
  }

  #text({ text, cache }: TextPart): readonly JsonObject[] {
    if (cache !== undefined) this.#losses.dropped('cache_control')
    return text === '' ? [] : [{ type: 'text', text }]
  }

  #image({ source, detail, cache }: ImagePart, field: string): readonly JsonObject[] {
    if (cache !== undefined) this.#losses.dropped('cache_control')
    if (source.type === 'file-id') {
      this.#refuse(field, 'must contain the image itself or its URL: the provider does not have the file')
      return []
    }
    const url = source.type === 'url' ? source.url : `data:${source.mime};base64,${source.data}`
    return [{ type: 'image_url', image_url: { url, ...(detail === undefined ? {} : { detail }) } }]
  }

  #refuse(field: string, rule: string): void {
    this.problem ??= { field, rule }
  }
}
