import { qualifiedName } from '../canon/calls/tool-aliases.ts'
import type { Citation, ContentEvent } from '../canon/events.ts'
import { asObject, type JsonObject } from '../json-value.ts'
import { decodeCitation, imageType, itemText } from './answer-items.ts'

type Delta = 'text' | 'refusal' | 'reasoning'

interface OpenText {
  readonly block: number
  /** The item and part to which it belongs. */
  readonly key: string
  readonly type: Delta
}

interface OpenCall {
  readonly block: number
  hasArgs: boolean
}

/** Numbers a response's content as blocks. Texts follow each other; tool calls may overlap if their items do. */
export class AnswerBlocks {
  calledTools = false

  #next = 0
  /** Number of items that have begun. */
  #begun = 0
  #text: OpenText | undefined
  /** By output index. */
  readonly #calls = new Map<number, OpenCall>()
  /** Items reported at least in part, by output index, with their parts. */
  readonly #given = new Map<number, Set<string>>()
  readonly #finished = new Set<number>()
  readonly #cited = new Set<string>()
  #out: ContentEvent[] = []

  event(type: string, event: JsonObject): readonly ContentEvent[] {
    const index = this.#indexOf(type, event['output_index'])
    const place = event['content_index'] ?? event['summary_index']
    const part = typeof place === 'number' ? place : 0
    const delta = asText(event['delta'])
    switch (type) {
      case 'response.output_text.delta':
        this.#grow('text', index, `c${part}`, delta)
        break
      case 'response.output_text.done':
        this.#growOnce('text', index, `c${part}`, asText(event['text']))
        break
      case 'response.refusal.delta':
        this.#grow('refusal', index, `c${part}`, delta)
        break
      case 'response.refusal.done':
        this.#growOnce('refusal', index, `c${part}`, asText(event['refusal']))
        break
      case 'response.reasoning_text.delta':
        this.#reason(index, `t${part}`, delta)
        break
      case 'response.reasoning_summary_text.delta':
        this.#reason(index, `s${part}`, delta)
        break
      case 'response.output_text.annotation.added':
        this.#cited.add(`${index}.c${part}`)
        this.#cite(`${index}.c${part}`, decodeCitation(event['annotation']))
        break
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        this.#addArgs(index, delta)
        break
      case 'response.output_item.added':
        this.#startCall(index, asObject(event['item']) ?? {})
        break
      case 'response.output_item.done':
        this.#item(index, asObject(event['item']) ?? {})
        break
      default:
    }
    return this.#take()
  }

  /** Content of the finished response that no event reported, and the end of all blocks. */
  rest(output: unknown): readonly ContentEvent[] {
    const items: readonly unknown[] = Array.isArray(output) ? output : []
    for (const [index, item] of items.entries()) this.#item(index, asObject(item) ?? {})
    this.#endText()
    this.#endCalls()
    return this.#take()
  }

  /** Some servers omit the index; then items are counted as they begin. */
  #indexOf(type: string, given: unknown): number {
    if (type === 'response.output_item.added') this.#begun += 1
    return typeof given === 'number' ? given : Math.max(0, this.#begun - 1)
  }

  /** A complete item: reports its missing content, and its end. */
  #item(index: number, item: JsonObject): void {
    if (this.#finished.has(index)) return
    this.#missing(index, item)
    this.#finished.add(index)
  }

  #missing(index: number, item: JsonObject): void {
    switch (item['type']) {
      case 'message':
        for (const [at, part] of asList(item['content']).entries()) this.#part(index, at, asObject(part) ?? {})
        this.#endText()
        return
      case 'reasoning':
        this.#reasoning(index, item)
        return
      case 'function_call':
      case 'custom_tool_call':
        this.#startCall(index, item)
        this.#endCall(index, asText(item['arguments'] ?? item['input']))
        return
      case 'image_generation_call':
        this.#image(item)
        return
      default:
        if (typeof item['type'] === 'string') this.#opaque(item['type'], item)
    }
  }

  #part(index: number, at: number, part: JsonObject): void {
    if (part['type'] === 'refusal') this.#growOnce('refusal', index, `c${at}`, asText(part['refusal']))
    if (part['type'] !== 'output_text') return
    this.#growOnce('text', index, `c${at}`, asText(part['text']))
    if (this.#cited.has(`${index}.c${at}`)) return
    for (const annotation of asList(part['annotations'])) this.#cite(`${index}.c${at}`, decodeCitation(annotation))
  }

  #reasoning(index: number, item: JsonObject): void {
    if (!this.#given.has(index)) this.#grow('reasoning', index, 'whole', itemText(item))
    const wasReadable = this.#given.has(index)
    const value = asText(item['encrypted_content'])
    if (value !== '') {
      const id = asText(item['id'])
      const { block } = this.#openText('reasoning', index, '')
      const signature = {
        dialect: 'openai-responses' as const,
        value,
        ...(wasReadable ? {} : { redacted: true }),
        ...(id === '' ? {} : { item: id }),
      }
      this.#out.push({ type: 'proof', block, signature })
    }
    this.#endText()
  }

  /** Summary and thoughts have the same content: whichever arrives first is used. Their parts are paragraphs of one block. */
  #reason(index: number, part: string, delta: string): void {
    const given = this.#given.get(index)
    const isOtherKind = given !== undefined && ![...given].some((known) => known[0] === part[0])
    if (delta === '' || isOtherKind) return
    const isNext = given !== undefined && !given.has(part)
    this.#grow('reasoning', index, part, isNext ? `\n\n${delta}` : delta)
  }

  #grow(type: Delta, index: number, part: string, delta: string): void {
    if (delta === '' || this.#finished.has(index)) return
    const { block } = this.#openText(type, index, part)
    this.#tellPart(index, part)
    this.#out.push({ type, block, delta })
  }

  /** Adds text only if nothing of this part has been reported before. */
  #growOnce(type: Delta, index: number, part: string, text: string): void {
    if (this.#given.get(index)?.has(part) !== true) this.#grow(type, index, part, text)
  }

  #tellPart(index: number, part: string): void {
    const given = this.#given.get(index)
    if (given === undefined) this.#given.set(index, new Set([part]))
    else given.add(part)
  }

  /** The open text if it belongs to this part; all parts of one reasoning item are one text. */
  #openText(type: Delta, index: number, part: string): OpenText {
    const key = type === 'reasoning' ? `${index}` : `${index}.${part}`
    if (this.#text !== undefined && this.#text.key === key && this.#text.type === type) return this.#text
    this.#endText()
    this.#endCalls()
    this.#text = { block: this.#next++, key, type }
    return this.#text
  }

  #cite(key: string, citation: Citation | undefined): void {
    if (citation === undefined || this.#text?.key !== key || this.#text.type !== 'text') return
    this.#out.push({ type: 'citation', block: this.#text.block, citation })
  }

  #startCall(index: number, item: JsonObject): void {
    const isCustom = item['type'] === 'custom_tool_call'
    if ((!isCustom && item['type'] !== 'function_call') || this.#calls.has(index) || this.#given.has(index)) return
    this.#endText()
    this.#tellPart(index, 'call')
    this.calledTools = true
    const block = this.#next++
    this.#calls.set(index, { block, hasArgs: false })
    const id = asText(item['call_id']) || asText(item['id']) || `call_${index}`
    const [inner, namespace] = [asText(item['name']), asText(item['namespace'])]
    const name = namespace === '' ? inner : qualifiedName(namespace, inner)
    this.#out.push({ type: 'tool-start', block, id, name, ...(isCustom ? { isCustom } : {}) })
  }

  #addArgs(index: number, delta: string): void {
    const call = this.#calls.get(index)
    if (call === undefined || delta === '') return
    call.hasArgs = true
    this.#out.push({ type: 'tool-args', block: call.block, delta })
  }

  #endCall(index: number, args: string): void {
    const call = this.#calls.get(index)
    if (call === undefined) return
    if (!call.hasArgs) this.#addArgs(index, args)
    this.#calls.delete(index)
    this.#out.push({ type: 'block-end', block: call.block })
  }

  #endCalls(): void {
    for (const index of this.#calls.keys()) this.#endCall(index, '')
  }

  #image(item: JsonObject): void {
    const data = asText(item['result'])
    if (data !== '') this.#single((block) => ({ type: 'image', block, mime: imageType(item['output_format']), data }))
  }

  #opaque(name: string, value: JsonObject): void {
    this.#single((block) => ({ type: 'opaque', block, dialect: 'openai-responses', name, value }))
  }

  #single(make: (block: number) => ContentEvent): void {
    this.#endText()
    this.#endCalls()
    const block = this.#next++
    this.#out.push(make(block), { type: 'block-end', block })
  }

  #endText(): void {
    if (this.#text !== undefined) this.#out.push({ type: 'block-end', block: this.#text.block })
    this.#text = undefined
  }

  #take(): readonly ContentEvent[] {
    const out = this.#out
    this.#out = []
    return out
  }
}

const asText = (value: unknown) => (typeof value === 'string' ? value : '')

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
