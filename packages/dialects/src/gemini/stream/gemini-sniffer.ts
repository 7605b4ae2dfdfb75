import { errorInside, type UpstreamError } from '../../canon/upstream-error.ts'
import type { AnswerSniffer } from '../../framing/answer-stream.ts'
import { follows } from '../../framing/event-bytes.ts'
import type { EventClass } from '../../framing/sse-relay.ts'
import { hasTornLine, isTorn, TORN_EVENT } from '../../framing/torn-event.ts'
import { asList, asObject, type JsonObject, parseJson } from '../../json-value.ts'
import { openUsageStream, type UsageReport } from '../../usage/usage-report.ts'
import { endOfObject, valueAfter } from '../json-bytes.ts'
import { geminiUsage } from '../usage.ts'

const QUOTE = 0x22
const LETTER_N = 0x6e
const LETTER_D = 0x44
const DONE = new TextEncoder().encode('[DONE]')
/** Bytes for the usage of the last event; Google's takes 300. */
const USAGE_ROOM = 4_096
const USAGE = key('usageMetadata')
/** Events that contain these are parsed. */
const MARKS = ['finishReason', 'error', 'blockReason', 'groundingMetadata'].map(key)

function key(name: string): Uint8Array {
  return new TextEncoder().encode(`${name}"`)
}

/**
 * Watches the events of one stream. Events with pieces of text are never parsed: they all contain usage, whose bytes are kept until
 * it is requested. An event with a finish reason is the last one if nothing follows; older models send one with every event. Quotes
 * inside strings are escaped in JSON, so a key's bytes can only be a key.
 */
export class GeminiSniffer implements AnswerSniffer {
  error: UpstreamError | undefined
  /** The prompt was refused, so no candidate will follow. */
  #isBlocked = false
  readonly #candidates: number
  /** Numbers of the candidates that gave a finish reason. */
  readonly #ended = new Set<unknown>()
  readonly #usage = openUsageStream(geminiUsage)
  readonly #given = new Uint8Array(USAGE_ROOM)
  /** Bytes of `#given` that were not read yet. */
  #unread = 0

  constructor(candidates = 1) {
    this.#candidates = candidates
  }

  /** Requires all candidates: a stream that is cut after its first finish reason is not complete. */
  get finished(): boolean {
    return this.#isBlocked || this.#ended.size >= this.#candidates
  }

  get report(): UsageReport | undefined {
    this.#readUsage()
    return this.#usage.report()
  }

  wants(bytes: Uint8Array, start: number, end: number): boolean {
    let hasUsage = false
    for (let i = nextMark(bytes, start, end); i < end; i = nextMark(bytes, i + 1, end)) {
      if (follows(bytes, i + 1, USAGE)) {
        hasUsage = this.#keepUsage(bytes, valueAfter(bytes, i + 1 + USAGE.length), end)
        if (!hasUsage) return true
      } else if (MARKS.some((mark) => isFilled(bytes, i + 1, mark))) return true
    }
    // Google sends neither events without usage nor the terminal mark of other dialects, which may follow events with usage.
    return !hasUsage || saysDone(bytes, start, end) || hasTornLine(bytes, start, end)
  }

  classify(data: string): EventClass {
    // Not part of this dialect, but servers that translate into it pass it on.
    if (data.trim() === '[DONE]') return 'drop'
    const parsed = parseJson(data)
    const message = asObject(Array.isArray(parsed) ? (parsed as unknown[])[0] : parsed)
    if (message === undefined && !isTorn(data)) return 'forward'
    // Whether an event without usage is read depends on its neighbours, so it must not affect their usage.
    if (message?.['usageMetadata'] !== undefined) this.#readUsage()
    this.#usage.see(message)
    const error = message === undefined ? TORN_EVENT : errorInside(message)
    if (error !== undefined) {
      this.error ??= error
      return 'fail'
    }
    return message !== undefined && this.#noteEnds(message) ? 'hold' : 'forward'
  }

  /** Whether a candidate has finished, or the prompt was refused. */
  #noteEnds({ candidates, promptFeedback }: JsonObject): boolean {
    const ended = asList(candidates).flatMap((candidate) => endOf(asObject(candidate)))
    // Bounded, because a provider may use any number of candidates.
    for (const index of ended) if (this.#ended.size < this.#candidates) this.#ended.add(index)
    const isBlocked = Boolean(asObject(promptFeedback)?.['blockReason'])
    this.#isBlocked ||= isBlocked
    return isBlocked || ended.length > 0
  }

  isWhole(data: string): boolean {
    return parseJson(data) !== undefined
  }

  /** False if it does not fit. */
  #keepUsage(bytes: Uint8Array, start: number, end: number): boolean {
    if (start < 0) return false
    const stop = endOfObject(bytes, start, end)
    if (stop < 0 || stop - start > USAGE_ROOM) return false
    this.#given.set(bytes.subarray(start, stop))
    this.#unread = stop - start
    return true
  }

  #readUsage(): void {
    if (this.#unread === 0) return
    const usageMetadata = parseJson(new TextDecoder().decode(this.#given.subarray(0, this.#unread)))
    this.#unread = 0
    this.#usage.see({ usageMetadata })
  }
}

/** Whether `[DONE]` is at this position. Its D is searched for, because brackets are everywhere. */
function saysDone(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = bytes.indexOf(LETTER_D, start); at >= 0 && at < end; at = bytes.indexOf(LETTER_D, at + 1)) {
    if (follows(bytes, at - 1, DONE)) return true
  }
  return false
}

/** First letters of the keys that matter. */
const FIRST_LETTERS = new Uint8Array(256)
for (const [letter = 0] of [USAGE, ...MARKS]) FIRST_LETTERS[letter] = 1

/** Index of the next quote before one of those letters, or `end`. Kept tiny, because it processes every byte. */
function nextMark(bytes: Uint8Array, start: number, end: number): number {
  for (let i = start; i < end; i++) {
    if (bytes[i] === QUOTE && FIRST_LETTERS[bytes[i + 1] ?? 0] === 1) return i
  }
  return end
}

function isFilled(bytes: Uint8Array, at: number, mark: Uint8Array): boolean {
  if (!follows(bytes, at, mark)) return false
  const value = valueAfter(bytes, at + mark.length)
  return value >= 0 && bytes[value] !== LETTER_N
}

/** The number of a candidate that has finished, otherwise an empty list. */
function endOf(candidate: JsonObject | undefined): readonly unknown[] {
  return candidate?.['finishReason'] ? [candidate['index'] ?? 0] : []
}
