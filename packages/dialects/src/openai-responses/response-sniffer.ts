import { errorInside, type UpstreamError } from '../canon/upstream-error.ts'
import type { AnswerSniffer } from '../framing/answer-stream.ts'
import { follows } from '../framing/event-bytes.ts'
import { hasLoudEvent } from '../framing/quiet-events.ts'
import type { EventClass } from '../framing/sse-relay.ts'
import { isTorn, TORN_EVENT } from '../framing/torn-event.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'
import { openUsageStream, type UsageReport } from '../usage/usage-report.ts'
import { errorIn, errorOf } from './answer-errors.ts'
import { containersOf, idsOf } from './reply.ts'
import { responsesUsage } from './usage.ts'

const EVENT = new TextEncoder().encode('event: response.')
const DATA = new TextEncoder().encode('data: {"type":"response.')

/** Watches the events of one stream. Text events are never parsed: the name or type at the start of a line suffices. */
export class ResponseSniffer implements AnswerSniffer {
  error: UpstreamError | undefined
  finished = false
  /** Ids of the response and its items, from its last event. */
  ids: readonly string[] = []
  objects: readonly string[] = []

  readonly #usage = openUsageStream(responsesUsage)

  get report(): UsageReport | undefined {
    return this.#usage.report()
  }

  wants(bytes: Uint8Array, start: number, end: number): boolean {
    return hasLoudEvent(bytes, start, end, isQuietLine)
  }

  classify(data: string, name: string): EventClass {
    const event = asObject(parseJson(data))
    if (event === undefined) {
      if (name === 'error') return this.#fail(errorOf({ message: data }))
      return isTorn(data) ? this.#fail(TORN_EVENT) : 'forward'
    }
    const type = typeof event['type'] === 'string' ? event['type'] : name
    const response = asObject(event['response'])
    if (type === 'error') return this.#fail(errorOf(event))
    const error = type === '' ? errorInside(event) : undefined
    if (error !== undefined) return this.#fail(error)
    if (response === undefined) return 'forward'
    switch (type) {
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        return this.#ended({ ...response, status: type.slice('response.'.length) })
      default:
        return 'forward'
    }
  }

  isWhole(data: string): boolean {
    return parseJson(data) !== undefined
  }

  #ended(response: JsonObject): EventClass {
    this.#usage.see({ response })
    this.ids = idsOf(response, response['output'])
    this.objects = containersOf(response['output'])
    const error = errorIn(response)
    if (error !== undefined) return this.#fail(error)
    this.finished = true
    return 'done'
  }

  #fail(error: UpstreamError): EventClass {
    this.error ??= error
    return 'fail'
  }
}

/** Whether the line names a content event, which need not be read or held back. */
function isQuietLine(bytes: Uint8Array, at: number): boolean {
  if (follows(bytes, at, EVENT)) return isContent(bytes, at + EVENT.length)
  return follows(bytes, at, DATA) && isContent(bytes, at + DATA.length)
}

/** After `response.`: output_…, content_part…, custom_tool…, function_call…, reasoning…, refusal…. */
function isContent(bytes: Uint8Array, at: number): boolean {
  const [first, second, third] = [bytes[at], bytes[at + 1], bytes[at + 2]]
  switch (first) {
    case 0x6f: // o
      return second === 0x75
    case 0x72: // r
      return second === 0x65
    case 0x66: // f, not failed and file_search
      return second === 0x75
    case 0x63: // c, not created, completed and cancelled
      return second === 0x75 || (second === 0x6f && third === 0x6e)
    default:
      return false
  }
}
