import type { AnswerDecoder, Frame } from '../canon/codec.ts'
import type { AnswerEvent, ErrorEvent, FinishEvent, FinishReason } from '../canon/events.ts'
import { errorInside, readUpstreamError } from '../canon/upstream-error.ts'
import { asObject, asText, type JsonObject, parseJson } from '../json-value.ts'
import { openUsageStream, usageOfReply } from '../usage/usage-report.ts'
import { CohereBlocks } from './decode-blocks.ts'
import { cohereUsage } from './usage.ts'

/** Reads the stream of Cohere's v2 chat; `message-end` is its last event. */
export function openCohereDecoder(): AnswerDecoder {
  return new CohereDecoder()
}

export function decodeCohereReply(reply: JsonObject): readonly AnswerEvent[] {
  const message = asObject(reply['message'])
  if (message === undefined) return [{ type: 'error', error: errorInside(reply) ?? readError(reply) }]
  const blocks = new CohereBlocks()
  const report = usageOfReply(cohereUsage, reply)
  return [
    { type: 'start', id: asText(reply['id']), model: asText(reply['model']) },
    ...blocks.whole(message),
    ...(report === undefined ? [] : [{ type: 'usage', report } as const]),
    finishOf(reply['finish_reason'], undefined),
  ]
}

class CohereDecoder implements AnswerDecoder {
  readonly #blocks = new CohereBlocks()
  readonly #usage = openUsageStream(cohereUsage)
  #started = false
  #over = false

  push({ name, data }: Frame): readonly AnswerEvent[] {
    if (this.#over || data.trim() === '[DONE]') return []
    const event = asObject(parseJson(data))
    if (event === undefined) return this.#finish({ type: 'error', error: readError(data) })
    return this.#read(asText(event['type']) || name, event)
  }

  /** Only `message-end` shows that an answer is complete. */
  end(): readonly AnswerEvent[] {
    return []
  }

  #read(type: string, event: JsonObject): readonly AnswerEvent[] {
    const delta = asObject(event['delta']) ?? {}
    const message = asObject(delta['message']) ?? {}
    switch (type) {
      case 'message-start':
        return this.#start(asText(event['id']))
      case 'content-start':
      case 'content-delta':
        return this.#say(this.#blocks.content(event['index'], asObject(message['content']) ?? {}))
      case 'tool-plan-delta':
        return this.#say(this.#blocks.plan(asText(message['tool_plan'])))
      case 'tool-call-start':
        return this.#say(this.#blocks.callStart(event['index'], asObject(message['tool_calls']) ?? {}))
      case 'tool-call-delta':
        return this.#say(this.#blocks.callArgs(event['index'], asObject(message['tool_calls']) ?? {}))
      case 'tool-call-end':
        return this.#say(this.#blocks.callEnd(event['index']))
      case 'citation-start':
        return this.#say(this.#blocks.citation(asObject(message['citations']) ?? {}))
      case 'message-end':
        this.#usage.see(event)
        return [...this.#start(''), ...this.#finish(finishOf(delta['finish_reason'], delta['error']))]
      default: {
        const error = errorInside(event) ?? (typeof event['message'] === 'string' ? readError(event) : undefined)
        return error === undefined ? [] : this.#finish({ type: 'error', error })
      }
    }
  }

  #start(id: string): readonly AnswerEvent[] {
    if (this.#started) return []
    this.#started = true
    return [{ type: 'start', id, model: '' }]
  }

  #say(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
    return [...this.#start(''), ...events]
  }

  #finish(end: FinishEvent | ErrorEvent): readonly AnswerEvent[] {
    this.#over = true
    const report = this.#usage.report()
    const usage: readonly AnswerEvent[] = report === undefined ? [] : [{ type: 'usage', report }]
    return [...(end.type === 'finish' ? this.#blocks.stopAll() : []), ...usage, end]
  }
}

function readError(value: JsonObject | string) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return readUpstreamError(new TextEncoder().encode(text))
}

const REASONS: Readonly<Record<string, FinishReason>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  ERROR_LIMIT: 'length',
  TOOL_CALL: 'tool-calls',
  ERROR_TOXIC: 'content-filter',
}

/** HTTP statuses of the finish reasons that are failures. */
const FAILURES: Readonly<Record<string, number>> = { ERROR: 502, TIMEOUT: 504, USER_CANCEL: 499 }

/** `detail` is the text that came with the reason. */
function finishOf(reason: unknown, detail: unknown): FinishEvent | ErrorEvent {
  const raw = typeof reason === 'string' ? reason : ''
  if (Object.hasOwn(FAILURES, raw)) {
    const message =
      typeof detail === 'string' && detail !== '' ? detail : `the provider interrupted its answer (${raw})`
    return { type: 'error', error: { message, type: raw, code: FAILURES[raw], param: undefined } }
  }
  return { type: 'finish', reason: Object.hasOwn(REASONS, raw) ? (REASONS[raw] ?? 'stop') : 'stop', raw }
}
