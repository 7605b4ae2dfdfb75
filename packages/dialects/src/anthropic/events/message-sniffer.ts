import { errorInside, readUpstreamError, type UpstreamError } from '../../canon/upstream-error.ts'
import type { AnswerSniffer } from '../../framing/answer-stream.ts'
import { follows } from '../../framing/event-bytes.ts'
import { hasLoudEvent } from '../../framing/quiet-events.ts'
import type { EventClass } from '../../framing/sse-relay.ts'
import { isTorn, TORN_EVENT } from '../../framing/torn-event.ts'
import { asObject, type JsonObject, parseJson } from '../../json-value.ts'
import { openUsageStream, type UsageReport } from '../../usage/usage-report.ts'
import { containerOf, filesMade } from '../stored-objects.ts'
import { messagesUsage } from '../usage.ts'

const EVENT = encode('event: ')
const DATA = encode('data: {"type":"')
const CONTENT = encode('content_block_')
const PING = encode('ping')
/** `content_block_start` can refer to files, but `…_delta` and `…_stop` cannot. */
const A_OF_START = 0x61

/** Watches the events of one stream. Content events are never parsed: the name or type at the start of a line suffices. */
export class MessageSniffer implements AnswerSniffer {
  error: UpstreamError | undefined
  finished = false
  ids: readonly string[] = []
  objects: readonly string[] = []
  repeated: JsonObject | undefined

  readonly #usage = openUsageStream(messagesUsage)

  get report(): UsageReport | undefined {
    return this.#usage.report()
  }

  wants(bytes: Uint8Array, start: number, end: number): boolean {
    return hasLoudEvent(bytes, start, end, isQuietLine)
  }

  classify(data: string, name: string): EventClass {
    if (data.trim() === '[DONE]') return 'done'
    const event = asObject(parseJson(data))
    if (event === undefined) {
      if (name === 'error') return this.#fail(readUpstreamError(encode(data)))
      return isTorn(data) ? this.#fail(TORN_EVENT) : 'forward'
    }
    const type = typeof event['type'] === 'string' ? event['type'] : name
    if (type === 'error') return this.#fail(readUpstreamError(encode(data)))
    switch (type) {
      case 'content_block_start':
        this.#note(filesMade(event))
        return 'forward'
      case 'message_start':
      case 'message_delta':
        return this.#given(event)
      case 'message_stop':
        this.finished = true
        return 'done'
      default: {
        const error = type.startsWith('content_block_') ? undefined : errorInside(event)
        return error === undefined ? 'forward' : this.#fail(error)
      }
    }
  }

  isWhole(data: string): boolean {
    return data.trim() === '[DONE]' || parseJson(data) !== undefined
  }

  #given(event: JsonObject): EventClass {
    this.#usage.see(event)
    const message = asObject(event['message'])
    if (typeof message?.['id'] === 'string') this.ids = [message['id']]
    this.#note(containerOf(message ?? asObject(event['delta'])))
    const delta = asObject(event['delta'])
    this.repeated = delta ?? this.repeated
    this.finished ||= typeof delta?.['stop_reason'] === 'string'
    return 'forward'
  }

  #note(objects: readonly string[]): void {
    const all = new Set([...this.objects, ...objects])
    // Bounded, because a provider may name any number of files.
    if (objects.length > 0 && all.size <= OBJECTS_LIMIT) this.objects = [...all]
  }

  #fail(error: UpstreamError): EventClass {
    this.error ??= error
    return 'fail'
  }
}

const OBJECTS_LIMIT = 500

/** Whether the line belongs to a content event or a ping, which need not be read or held back. */
function isQuietLine(bytes: Uint8Array, at: number): boolean {
  const name = follows(bytes, at, EVENT) ? at + EVENT.length : follows(bytes, at, DATA) ? at + DATA.length : -1
  if (name < 0) return false
  return follows(bytes, name, CONTENT) ? bytes[name + CONTENT.length + 2] !== A_OF_START : follows(bytes, name, PING)
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
