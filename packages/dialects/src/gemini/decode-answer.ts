import type { AnswerDecoder, Frame } from '../canon/codec.ts'
import type { AnswerEvent, Citation } from '../canon/events.ts'
import { errorInside } from '../canon/upstream-error.ts'
import { asObject, asText, type JsonObject, parseJson } from '../json-value.ts'
import { openUsageStream } from '../usage/usage-report.ts'
import { AnswerBlocks } from './answer-blocks.ts'
import { finishOf } from './finish.ts'
import { geminiUsage } from './usage.ts'

/**
 * Reads `streamGenerateContent`: every event is a `GenerateContentResponse` whose parts are pieces. Gemini sends no terminal
 * message, and some models send a finish reason with every event, so the finish is reported at the end of input.
 */
export function openGeminiDecoder(): AnswerDecoder {
  return new GeminiDecoder()
}

/** A whole reply as the events of an equivalent stream. */
export function decodeGeminiReply(reply: JsonObject): readonly AnswerEvent[] {
  const decoder = new GeminiDecoder()
  return [...decoder.take(reply), ...decoder.end()]
}

class GeminiDecoder implements AnswerDecoder {
  #isOver = false
  #hasStarted = false
  #finishWord = ''
  #finishMessage = ''
  #isBlocked = false
  readonly #usage = openUsageStream(geminiUsage)
  readonly #blocks = new AnswerBlocks()

  push({ data }: Frame): readonly AnswerEvent[] {
    if (this.#isOver || data.trim() === '' || data.trim() === '[DONE]') return []
    const parsed = parseJson(data)
    // Errors are sometimes in a list, and a stream without `alt=sse` is one.
    const events: AnswerEvent[] = []
    for (const item of Array.isArray(parsed) ? (parsed as unknown[]) : [parsed]) {
      const message = asObject(item)
      events.push(
        ...(message === undefined ? this.#fail('the provider sent an event that cannot be read') : this.take(message)),
      )
    }
    return events
  }

  end(): readonly AnswerEvent[] {
    if (this.#isOver || this.#finishWord === '') return []
    const { hasTools, hasContent } = this.#blocks
    const reason = this.#isBlocked ? 'content-filter' : finishOf(this.#finishWord, { hasTools, hasContent })
    if (reason === undefined) {
      return this.#fail(this.#finishMessage || `the model failed: ${this.#finishWord}`, this.#finishWord)
    }
    this.#isOver = true
    return [...this.#blocks.close(), { type: 'finish', reason, raw: this.#finishWord }]
  }

  take(message: JsonObject): readonly AnswerEvent[] {
    if (this.#isOver) return []
    const error = errorInside(message)
    if (error !== undefined) {
      this.#isOver = true
      return [{ type: 'error', error }]
    }
    const events: AnswerEvent[] = []
    if (!this.#hasStarted) {
      this.#hasStarted = true
      const id = asText(message['responseId'])
      this.#blocks.seed = id
      events.push({ type: 'start', id, model: asText(message['modelVersion']) })
    }
    const candidate = firstCandidate(message['candidates'])
    const parts = asObject(candidate?.['content'])?.['parts']
    for (const part of Array.isArray(parts) ? parts : []) {
      const fields = asObject(part)
      if (fields !== undefined) events.push(...this.#blocks.add(fields))
    }
    for (const citation of citationsOf(candidate, this.#blocks.text)) events.push(...this.#blocks.cite(citation))
    this.#noteFinish(message, candidate)
    this.#usage.see(message)
    const report = asObject(message['usageMetadata']) && this.#usage.report()
    if (report !== undefined) events.push({ type: 'usage', report })
    return events
  }

  #noteFinish(message: JsonObject, candidate: JsonObject | undefined): void {
    const word = asText(candidate?.['finishReason'])
    if (word !== '' && word !== 'FINISH_REASON_UNSPECIFIED') this.#finishWord = word
    this.#finishMessage = asText(candidate?.['finishMessage']) || this.#finishMessage
    const blocked = asText(asObject(message['promptFeedback'])?.['blockReason'])
    // A refused prompt gets no candidate at all.
    if (blocked === '' || this.#finishWord !== '') return
    this.#isBlocked = true
    this.#finishWord = blocked
  }

  #fail(message: string, code?: string): readonly AnswerEvent[] {
    this.#isOver = true
    const error = { message, type: 'upstream_error', code, param: undefined }
    return [{ type: 'error', error }]
  }
}

/** Other candidates are ignored, because the events of an answer describe only one. */
function firstCandidate(candidates: unknown): JsonObject | undefined {
  const list = (Array.isArray(candidates) ? candidates : []).map(asObject)
  return list.find((candidate) => (candidate?.['index'] ?? 0) === 0)
}

/**
 * The sources of an answer: `groundingMetadata`, whose supports link a range of the text to its source pages, and
 * `citationMetadata`. Positions there are UTF-8 byte offsets; they are converted to characters if they fit `text`, which is all
 * text so far.
 */
function citationsOf(candidate: JsonObject | undefined, text: string): readonly Citation[] {
  const grounding = asObject(candidate?.['groundingMetadata'])
  const quoted = asObject(candidate?.['citationMetadata'])
  if (grounding === undefined && quoted === undefined) return []
  const pages = objects(grounding?.['groundingChunks']).map(pageOf)
  const supports = objects(grounding?.['groundingSupports'])
  const grounded =
    supports.length === 0
      ? pages.flatMap((page) => page ?? [])
      : supports.flatMap((support) => supported(support, pages, text))
  const sources = objects(quoted?.['citationSources'] ?? quoted?.['citations']).flatMap(
    (source) => pageOf(source) ?? [],
  )
  return [...grounded, ...sources]
}

function supported(support: JsonObject, pages: readonly (Citation | undefined)[], text: string): readonly Citation[] {
  const segment = asObject(support['segment'])
  const quote = segment?.['text']
  const place = typeof quote === 'string' && quote !== '' ? { quote, ...placeOf(segment ?? {}, quote, text) } : {}
  const indices: unknown = support['groundingChunkIndices']
  return (Array.isArray(indices) ? indices : []).flatMap((index) => {
    const page = typeof index === 'number' ? pages[index] : undefined
    return page === undefined ? [] : [{ ...page, ...place }]
  })
}

/** A web page, a map entry, or a searched document. */
function pageOf(chunk: JsonObject): Citation | undefined {
  const page = asObject(chunk['web'] ?? chunk['maps'] ?? chunk['retrievedContext']) ?? chunk
  const { uri, title } = page
  if (typeof uri !== 'string' || uri === '') return undefined
  return { url: uri, ...(typeof title === 'string' && title !== '' ? { title } : {}) }
}

function placeOf({ endIndex }: JsonObject, quote: string, text: string): Pick<Citation, 'start' | 'end'> {
  if (typeof endIndex !== 'number') return {}
  const end = new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, endIndex)).length
  const start = end - quote.length
  return start >= 0 && text.slice(start, end) === quote ? { start, end } : {}
}

function objects(list: unknown): readonly JsonObject[] {
  const items = (Array.isArray(list) ? list : []).map(asObject)
  return items.filter((item) => item !== undefined)
}
