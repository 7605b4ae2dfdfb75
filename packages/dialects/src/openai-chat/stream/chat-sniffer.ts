import { errorInside, readUpstreamError, type UpstreamError } from '../../canon/upstream-error.ts'
import { type AnswerSniffer, type AnswerStream, openAnswerStream } from '../../framing/answer-stream.ts'
import { follows } from '../../framing/event-bytes.ts'
import type { EventClass } from '../../framing/sse-relay.ts'
import { endsAsObject, isTorn, TORN_EVENT } from '../../framing/torn-event.ts'
import { asObject, defined, type JsonObject, parseJson } from '../../json-value.ts'
import { openUsageStream, type UsageReport } from '../../usage/usage-report.ts'
import { chatUsage } from '../usage.ts'
import { withoutIdleUsage } from './idle-usage.ts'

/**
 * Relays one stream of chat or text completions. Without `wantsUsage`, the usage-only chunk (`choices: []` with a usage) is
 * removed; a usage inside a chunk with choices stays, unless it is null and `dropsNull` is set. `n`: number of requested choices.
 */
export function openChatStream({ wantsUsage, n, dropsNull = false }: ChatStreamWish): AnswerStream {
  return openAnswerStream(new ChatSniffer(wantsUsage, n, dropsNull))
}

interface ChatStreamWish {
  readonly wantsUsage: boolean
  readonly n?: number
  readonly dropsNull?: boolean
}

const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const QUOTE = 0x22
const COLON = 0x3a

/**
 * Watches the events of one chat stream. An event is ordinary, and never parsed, if each data line starts and ends an object,
 * `choices` is not empty, and `usage`, `error` and `finish_reason` are absent or null. Quotes inside strings are escaped in JSON,
 * so a key's bytes can only be a key.
 */
export class ChatSniffer implements AnswerSniffer {
  error: UpstreamError | undefined
  /** Ids of spoken answers; each chunk repeats its own. */
  objects: readonly string[] = []
  /** The members at the start of each chunk, taken from the first one. */
  repeated: JsonObject | undefined

  readonly #wantsUsage: boolean
  readonly #dropsNull: boolean
  readonly #choices: number
  /** Numbers of the choices that gave a finish reason. */
  readonly #ended = new Set<unknown>()
  readonly #usage = openUsageStream(chatUsage)
  /** Chunks contain `"usage":null`, as they do whenever usage was requested. */
  #hasIdle = false

  constructor(wantsUsage: boolean, choices = 1, dropsNull = false) {
    this.#wantsUsage = wantsUsage
    this.#dropsNull = dropsNull
    this.#choices = choices
  }

  /** Requires all choices: a stream that is cut after its first finish reason is not complete. */
  get finished(): boolean {
    return this.#ended.size >= this.#choices
  }

  get report(): UsageReport | undefined {
    return this.#usage.report()
  }

  wants(bytes: Uint8Array, start: number, end: number): boolean {
    // If a chunk of ours may follow, the first chunk must be parsed.
    if ((this.#wantsUsage && this.repeated === undefined) || !isQuietLine(bytes, start)) return true
    let hasChoices = false
    let hasFields = isField(bytes[start])
    let isData = hasFields
    for (let i = nextOfInterest(bytes, start, end); i < end; i = nextOfInterest(bytes, i + 1, end)) {
      if (bytes[i] === QUOTE) {
        const mark = readMark(bytes, i + 1)
        if (mark === 'wanted' || (mark === 'sound' && this.objects.length < this.#choices)) return true
        if (mark === 'choices') hasChoices = true
        if (mark === 'idle') this.#hasIdle = true
        continue
      }
      if (isData && !endsAsObject(bytes, i)) return true
      if (bytes[i] === CR && bytes[i + 1] === LF) i++
      const next = bytes[i + 1]
      isData = isField(next)
      if (next === LF || next === CR) {
        if (hasFields && !hasChoices) return true
        hasFields = false
        hasChoices = false
      } else if (i + 1 < end) {
        if (!isQuietLine(bytes, i + 1)) return true
        hasFields ||= isField(next)
      }
    }
    return false
  }

  /** A client that did not request usage does not expect the member; some clients validate chunks and refuse a null. */
  trim(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
    return this.#hasIdle && this.#dropsNull ? pieces.flatMap(withoutIdleUsage) : pieces
  }

  classify(data: string, name: string): EventClass {
    if (data.trim() === '[DONE]') return 'done'
    const chunk = asObject(parseJson(data))
    if (chunk === undefined && name !== 'error' && !isTorn(data)) return 'forward'
    this.#usage.see(chunk)
    const error = this.#errorIn(chunk, data, name)
    if (error !== undefined) {
      this.error ??= error
      return 'fail'
    }
    if (chunk !== undefined) this.repeated ??= headOf(chunk)
    const choices: unknown = chunk?.['choices']
    if (!Array.isArray(choices)) return 'forward'
    for (const choice of choices as readonly unknown[]) this.#noteChoice(asObject(choice))
    const isUsageOnly = choices.length === 0 && asObject(chunk?.['usage']) !== undefined
    return isUsageOnly && !this.#wantsUsage ? 'drop' : 'forward'
  }

  #noteChoice(choice: JsonObject | undefined): void {
    // Bounded, because a provider may use any number of choices.
    const spoken = asObject(asObject(choice?.['delta'])?.['audio'])?.['id']
    if (typeof spoken === 'string' && this.objects.length < this.#choices && !this.objects.includes(spoken)) {
      this.objects = [...this.objects, spoken]
    }
    if (choice?.['finish_reason'] && this.#ended.size < this.#choices) this.#ended.add(choice['index'] ?? 0)
  }

  #errorIn(chunk: JsonObject | undefined, data: string, name: string): UpstreamError | undefined {
    if (name === 'error') return readUpstreamError(new TextEncoder().encode(data))
    return chunk === undefined ? TORN_EVENT : errorInside(chunk)
  }

  isWhole(data: string): boolean {
    return data.trim() === '[DONE]' || parseJson(data) !== undefined
  }
}

function headOf({ id, object, created, model }: JsonObject): JsonObject {
  return defined({ id, object, created, model })
}

/** First letters of audio, choices, error, finish_reason and usage. */
const FIRST_LETTERS = new Uint8Array(256)
for (const letter of [0x61, 0x63, 0x65, 0x66, 0x75]) FIRST_LETTERS[letter] = 1

/** Index of the next line end, or of a quote before one of those letters, or `end`. Kept tiny: it processes every byte. */
function nextOfInterest(bytes: Uint8Array, start: number, end: number): number {
  for (let i = start; i < end; i++) {
    const byte = bytes[i] ?? 0
    if (byte > QUOTE) continue
    if (byte === QUOTE) {
      if (FIRST_LETTERS[bytes[i + 1] ?? 0] === 1) return i
    } else if (byte === LF || byte === CR) return i
  }
  return end
}

/** Reads the key that starts after a quote; `choices` if the list is not empty. */
function readMark(bytes: Uint8Array, at: number): 'wanted' | 'choices' | 'sound' | 'idle' | undefined {
  switch (bytes[at]) {
    case 0x63: // c
      return follows(bytes, at, CHOICES) && isFilledList(bytes, at + CHOICES.length) ? 'choices' : undefined
    case 0x61: // a
      return follows(bytes, at, AUDIO) && isFilledValue(bytes, at + AUDIO.length) ? 'sound' : undefined
    case 0x75: // u
      if (!follows(bytes, at, USAGE)) return undefined
      return isFilledValue(bytes, at + USAGE.length) ? 'wanted' : 'idle'
    case 0x65: // e
      return follows(bytes, at, ERROR) && isFilledValue(bytes, at + ERROR.length) ? 'wanted' : undefined
    case 0x66: // f
      return follows(bytes, at, FINISH) && isFilledValue(bytes, at + FINISH.length) ? 'wanted' : undefined
    default:
      return undefined
  }
}

const CHOICES = new TextEncoder().encode('choices"')
const AUDIO = new TextEncoder().encode('audio"')
const USAGE = new TextEncoder().encode('usage"')
const ERROR = new TextEncoder().encode('error"')
const FINISH = new TextEncoder().encode('finish_reason"')

/** After a key's closing quote: a colon and something other than null or an empty string. */
function isFilledValue(bytes: Uint8Array, at: number): boolean {
  const value = valueAfter(bytes, at)
  if (value < 0 || bytes[value] === 0x6e) return false
  return bytes[value] !== QUOTE || bytes[value + 1] !== QUOTE
}

/** After a key's closing quote: a colon and a list that is not empty. */
function isFilledList(bytes: Uint8Array, at: number): boolean {
  const value = valueAfter(bytes, at)
  return value >= 0 && bytes[value] === 0x5b && bytes[skipSpaces(bytes, value + 1)] !== 0x5d
}

/** Index of the value, or -1 if no colon follows and the word was a string, not a key. */
function valueAfter(bytes: Uint8Array, at: number): number {
  const colon = skipSpaces(bytes, at)
  return bytes[colon] === COLON ? skipSpaces(bytes, colon + 1) : -1
}

function skipSpaces(bytes: Uint8Array, at: number): number {
  let i = at
  while (bytes[i] === SPACE) i++
  return i
}

/** A blank line, a comment, or data that starts an object. */
function isQuietLine(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at]
  if (byte === LF || byte === CR || byte === COLON) return true
  return follows(bytes, at, DATA) && bytes[skipSpaces(bytes, at + DATA.length)] === 0x7b
}

const DATA = new TextEncoder().encode('data:')

/** Whether a line with this first byte is a field, neither blank nor a comment. */
function isField(byte: number | undefined): boolean {
  return byte !== LF && byte !== CR && byte !== COLON
}
