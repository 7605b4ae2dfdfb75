import type { AnswerDecoder, Frame } from '../canon/codec.ts'
import type { AnswerEvent, ErrorEvent, FinishEvent, FinishReason } from '../canon/events.ts'
import { errorInside, readUpstreamError } from '../canon/upstream-error.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'
import { openUsageStream, usageOfReply } from '../usage/usage-report.ts'
import { ConverseBlocks } from './decode-blocks.ts'
import { converseUsage } from './usage.ts'

const START: AnswerEvent = { type: 'start', id: '', model: '' }

/** The end is reported only after the usage, which Converse sends after the stop. */
export function openConverseDecoder(): AnswerDecoder {
  return new ConverseDecoder()
}

export function decodeConverseReply(reply: JsonObject): readonly AnswerEvent[] {
  const message = asObject(asObject(reply['output'])?.['message'])
  if (message === undefined) {
    const error = errorInside(reply)
    return [error === undefined ? readException('', JSON.stringify(reply)) : { type: 'error', error }]
  }
  const blocks = new ConverseBlocks()
  const content: readonly unknown[] = Array.isArray(message['content']) ? message['content'] : []
  const report = usageOfReply(converseUsage, reply)
  return [
    START,
    ...content.flatMap((item, index) => blocks.whole(index, asObject(item) ?? {})),
    ...(report === undefined ? [] : [{ type: 'usage', report } as const]),
    finishOf(reply),
  ]
}

class ConverseDecoder implements AnswerDecoder {
  readonly #blocks = new ConverseBlocks()
  readonly #usage = openUsageStream(converseUsage)
  #started = false
  #over = false
  #stopped: FinishEvent | undefined

  push({ name, data }: Frame): readonly AnswerEvent[] {
    if (this.#over) return []
    if (name.startsWith('exception:')) return this.#fail(readException(name.slice('exception:'.length), data))
    const payload = asObject(parseJson(data))
    if (payload === undefined) return this.#fail(unreadable(name))
    const kind = name === '' ? (Object.keys(payload)[0] ?? '') : name
    return this.#read(kind, asObject(payload[kind]) ?? payload)
  }

  end(): readonly AnswerEvent[] {
    return this.#over || this.#stopped === undefined ? [] : this.#finish(this.#stopped)
  }

  #read(kind: string, event: JsonObject): readonly AnswerEvent[] {
    switch (kind) {
      case 'messageStart':
        return this.#start()
      case 'contentBlockStart':
        return this.#content((index) => this.#blocks.start(index, asObject(event['start']) ?? {}), event)
      case 'contentBlockDelta':
        return this.#content((index) => this.#blocks.delta(index, asObject(event['delta']) ?? {}), event)
      case 'contentBlockStop':
        return this.#content((index) => this.#blocks.stop(index), event)
      case 'messageStop': {
        const finish = finishOf(event)
        if (finish.type === 'error') return this.#fail(finish)
        this.#stopped = finish
        return [...this.#start(), ...this.#blocks.stopAll()]
      }
      case 'metadata':
        this.#usage.see(event)
        return this.#stopped === undefined ? [] : this.#finish(this.#stopped)
      default:
        return kind.endsWith('Exception') ? this.#fail(readException(kind, JSON.stringify(event))) : []
    }
  }

  #start(): readonly AnswerEvent[] {
    if (this.#started) return []
    this.#started = true
    return [START]
  }

  #content(read: (index: number) => readonly AnswerEvent[], event: JsonObject): readonly AnswerEvent[] {
    if (this.#stopped !== undefined) return []
    const index = event['contentBlockIndex']
    return [...this.#start(), ...read(typeof index === 'number' ? index : 0)]
  }

  #finish(finish: FinishEvent): readonly AnswerEvent[] {
    this.#over = true
    const report = this.#usage.report()
    return report === undefined ? [finish] : [{ type: 'usage', report }, finish]
  }

  #fail(error: ErrorEvent): readonly AnswerEvent[] {
    this.#over = true
    const report = this.#usage.report()
    return report === undefined ? [error] : [{ type: 'usage', report }, error]
  }
}

function unreadable(name: string): ErrorEvent {
  const message = `the provider sent an event that is not a JSON object (${name.slice(0, 60)})`
  return { type: 'error', error: { message, type: undefined, code: 502, param: undefined } }
}

/** The HTTP status of each exception; keys in lower case, without `exception`. */
const STATUS: Readonly<Record<string, number>> = {
  validation: 400,
  accessdenied: 403,
  resourcenotfound: 404,
  modeltimeout: 408,
  modelstreamerror: 424,
  throttling: 429,
  modelnotready: 429,
  servicequotaexceeded: 400,
  internalserver: 500,
  serviceunavailable: 503,
}

/** `type` is for example `throttlingException`; the error's code is the exception's HTTP status. */
function readException(type: string, payload: string): ErrorEvent {
  const { message, param } = readUpstreamError(new TextEncoder().encode(payload))
  const kind = type.replace(/exception$/i, '').toLowerCase()
  const code = Object.hasOwn(STATUS, kind) ? STATUS[kind] : 502
  const text = message === '' ? `the provider interrupted its answer (${type})` : message
  return { type: 'error', error: { message: text, type, code, param } }
}

const REASONS: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
  guardrail_intervened: 'content-filter',
  content_filtered: 'content-filter',
}

/** `malformed_tool_use` and `malformed_model_output`, the model's own mistakes, are errors: what came before is not an answer. */
function finishOf(message: JsonObject): AnswerEvent & { readonly type: 'finish' | 'error' } {
  const raw = typeof message['stopReason'] === 'string' ? message['stopReason'] : ''
  if (raw.startsWith('malformed_')) {
    const text = `the model’s answer is malformed (${raw})`
    return { type: 'error', error: { message: text, type: raw, code: 502, param: undefined } }
  }
  const fields = asObject(message['additionalModelResponseFields'])
  const given = fields?.['stop_sequence'] ?? asObject(fields?.['delta'])?.['stop_sequence']
  return {
    type: 'finish',
    reason: Object.hasOwn(REASONS, raw) ? (REASONS[raw] ?? 'stop') : 'stop',
    raw,
    ...(typeof given === 'string' ? { stopSequence: given } : {}),
  }
}
