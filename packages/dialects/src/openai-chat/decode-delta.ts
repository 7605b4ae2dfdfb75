import type { AnswerEvent, Citation } from '../canon/events.ts'
import type { ReasoningSignature } from '../canon/parts.ts'
import { unwrapSignature } from '../canon/signature.ts'
import { asList, asObject, asText, isFilled, type JsonObject } from '../json-value.ts'
import { sourceOfUrl } from '../openai-responses/media.ts'
import type { AnswerBlocks, Piece } from './answer-blocks.ts'
import type { ChatDecoderOptions } from './decode-answer.ts'
import { thoughtIn } from './decode-content.ts'
import { REASONING_FIELDS } from './decode-messages.ts'
import { decodeDetails, isProven, textOfDetail } from './reasoning-details.ts'
import { ThinkTags } from './stream/think-tags.ts'

/** Reads the pieces of a message from all fields that vendors use for them. */
export class DeltaReader {
  readonly #blocks: AnswerBlocks
  readonly #tags: ThinkTags | undefined
  /** Thoughts arrive in a separate field, so `reasoning_details` only repeats them. */
  #hasPlainReasoning = false
  #details: JsonObject[] = []
  #transcript = ''
  #lastCall = ''
  readonly #byNumber = new Map<string | number, string>()

  constructor(blocks: AnswerBlocks, { thinkTags }: ChatDecoderOptions) {
    this.#blocks = blocks
    this.#tags = thinkTags ? new ThinkTags() : undefined
  }

  read(delta: JsonObject, out: AnswerEvent[]): void {
    this.#reasoning(delta, out)
    this.#content(delta['content'], out)
    if (isFilled(delta['refusal'])) this.#blocks.say({ kind: 'refusal', delta: delta['refusal'] }, out)
    for (const citation of asList(delta['annotations']).map(citationIn)) {
      if (citation !== undefined) this.#blocks.say({ kind: 'citation', citation }, out)
    }
    for (const image of asList(delta['images']).map(imageIn)) if (image !== undefined) this.#blocks.say(image, out)
    this.#audio(asObject(delta['audio']), out)
    for (const call of asList(delta['tool_calls'])) this.#call(asObject(call) ?? {}, out)
    const older = asObject(delta['function_call'])
    if (older !== undefined) this.#call({ index: 'function_call', function: older }, out)
  }

  /** Returns what was held back; call at the end of the answer. */
  end(out: AnswerEvent[]): void {
    for (const { kind, delta } of this.#tags?.end() ?? []) this.#blocks.say({ kind, delta }, out)
    this.#flushDetails(out)
    if (this.#transcript !== '') this.#blocks.say({ kind: 'text', delta: this.#transcript }, out)
    this.#transcript = ''
  }

  #reasoning(delta: JsonObject, out: AnswerEvent[]): void {
    const plain = REASONING_FIELDS.map((name) => delta[name]).find(isFilled)
    if (plain !== undefined) {
      this.#hasPlainReasoning = true
      this.#blocks.say({ kind: 'reasoning', delta: plain }, out)
    }
    const entries = asList(delta['reasoning_details']).map(asObject)
    for (const entry of entries) if (entry !== undefined) this.#detail(entry, out)
    if (entries.some((entry) => entry !== undefined && isProven(entry))) this.#flushDetails(out)
  }

  #detail(entry: JsonObject, out: AnswerEvent[]): void {
    const text = textOfDetail(entry)
    if (text !== '' && !this.#hasPlainReasoning) this.#blocks.say({ kind: 'reasoning', delta: text }, out)
    for (const kept of [text, entry['data']]) if (isFilled(kept)) this.#blocks.hold(kept)
    const last = this.#details.at(-1)
    // The pieces of one entry follow each other.
    const isNext = last !== undefined && last['type'] === entry['type'] && last['index'] === entry['index']
    if (isNext) this.#details[this.#details.length - 1] = joined(last, entry)
    else this.#details.push(entry)
  }

  #flushDetails(out: AnswerEvent[]): void {
    const entries = this.#details
    this.#details = []
    if (!entries.some(isProven)) return
    for (const { signature } of decodeDetails(entries))
      if (signature !== undefined) this.#blocks.say({ kind: 'proof', signature }, out)
  }

  /** A text, or Mistral's list of texts and thoughts. */
  #content(content: unknown, out: AnswerEvent[]): void {
    if (isFilled(content)) {
      if (this.#tags === undefined) this.#blocks.say({ kind: 'text', delta: content }, out)
      else for (const { kind, delta } of this.#tags.push(content)) this.#blocks.say({ kind, delta }, out)
      return
    }
    for (const item of asList(content)) {
      const part = asObject(item)
      const thought = thoughtIn(part?.['thinking'])
      if (thought !== '') this.#blocks.say({ kind: 'reasoning', delta: thought }, out)
      if (isFilled(part?.['text'])) this.#blocks.say({ kind: 'text', delta: part['text'] }, out)
    }
  }

  #audio(audio: JsonObject | undefined, out: AnswerEvent[]): void {
    if (isFilled(audio?.['data'])) this.#blocks.say({ kind: 'audio', mime: 'audio/wav', data: audio['data'] }, out)
    if (!isFilled(audio?.['transcript'])) return
    this.#transcript += audio['transcript']
    this.#blocks.hold(audio['transcript'])
  }

  #call(call: JsonObject, out: AnswerEvent[]): void {
    const isCustom = call['type'] === 'custom' || asObject(call['custom']) !== undefined
    const called = asObject(isCustom ? call['custom'] : call['function']) ?? {}
    const args = isCustom ? called['input'] : called['arguments']
    const [id, name] = [asText(call['id']), asText(called['name'])]
    this.#lastCall = this.#keyOf(call['index'], id, name)
    this.#blocks.call(
      { key: this.#lastCall, id, name, args: argsOf(args), isCustom, signature: signatureOf(call) },
      out,
    )
  }

  /**
   * A call is identified by its number; a different id with a name under the same number is a different call, because some vendors
   * number every call 0. Without a number it is identified by its id; a piece with neither continues the last call.
   */
  #keyOf(index: unknown, id: string, name: string): string {
    if (typeof index !== 'number' && typeof index !== 'string') {
      return id === '' && name === '' ? this.#lastCall : `id ${id === '' ? name : id}`
    }
    const current = this.#byNumber.get(index) ?? `${index}`
    const known = this.#blocks.idOf(current) ?? ''
    const key = known !== '' && id !== '' && name !== '' && known !== id ? `${index} ${id}` : current
    this.#byNumber.set(index, key)
    return key
  }
}

/** Ollama sometimes gives arguments as an object. */
function argsOf(args: unknown): string {
  if (typeof args === 'string') return args
  return asObject(args) === undefined ? '' : JSON.stringify(args)
}

function signatureOf(call: JsonObject): ReasoningSignature | undefined {
  const signature = asObject(asObject(call['extra_content'])?.['google'])?.['thought_signature']
  return isFilled(signature) ? unwrapSignature(signature, 'gemini') : undefined
}

function joined(last: JsonObject, next: JsonObject): JsonObject {
  const given = Object.entries(next).filter(([, value]) => value !== null && value !== undefined)
  const members: Record<string, unknown> = { ...last, ...Object.fromEntries(given) }
  for (const name of ['text', 'summary', 'data'] as const) {
    const [before, after] = [last[name], next[name]]
    if (typeof before === 'string' && typeof after === 'string') members[name] = before + after
  }
  return members
}

function citationIn(annotation: unknown): Citation | undefined {
  const cited = asObject(asObject(annotation)?.['url_citation'])
  if (!isFilled(cited?.['url'])) return undefined
  const { url, title, content, start_index: start, end_index: end } = cited
  return {
    url: asText(url),
    ...(isFilled(title) ? { title } : {}),
    ...(isFilled(content) ? { quote: content } : {}),
    ...(typeof start === 'number' && typeof end === 'number' ? { start, end } : {}),
  }
}

function imageIn(image: unknown): Piece | undefined {
  const url = asObject(asObject(image)?.['image_url'])?.['url']
  const source = isFilled(url) ? sourceOfUrl(url) : undefined
  return source?.type === 'base64' ? { kind: 'image', mime: source.mime, data: source.data } : undefined
}
