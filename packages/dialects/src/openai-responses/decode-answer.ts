import type { AnswerDecoder, Frame } from '../canon/codec.ts'
import type { AnswerEvent } from '../canon/events.ts'
import { errorInside, type UpstreamError } from '../canon/upstream-error.ts'
import { isTorn, TORN_EVENT } from '../framing/torn-event.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'
import { openUsageStream } from '../usage/usage-report.ts'
import { AnswerBlocks } from './answer-blocks.ts'
import { errorIn, errorOf, unreadable } from './answer-errors.ts'
import { decodeFinish } from './response-object.ts'
import { responsesUsage } from './usage.ts'

export function openDecoder(): AnswerDecoder {
  return new ResponseDecoder()
}

export function decodeReply(reply: JsonObject): readonly AnswerEvent[] {
  return new ResponseDecoder().whole(reply)
}

/** Content missing from the deltas is taken from `done` events and the final response: some servers send only those. */
class ResponseDecoder implements AnswerDecoder {
  readonly #blocks = new AnswerBlocks()
  readonly #usage = openUsageStream(responsesUsage)
  #out: AnswerEvent[] = []
  #hasStarted = false
  #isOver = false

  push({ name, data }: Frame): readonly AnswerEvent[] {
    if (this.#isOver) return []
    const event = asObject(parseJson(data))
    if (event === undefined) {
      if (name === 'error') return this.#failed(errorOf({ message: data }))
      return isTorn(data) ? this.#failed(TORN_EVENT) : []
    }
    const type = typeof event['type'] === 'string' ? event['type'] : name
    const response = asObject(event['response'])
    if (type === 'error') return this.#failed(errorOf(event))
    if (response === undefined) {
      const error = type === '' ? errorInside(event) : undefined
      return error === undefined ? this.#content(type, event) : this.#failed(error)
    }
    switch (type) {
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        return this.#ended({ ...response, status: type.slice('response.'.length) })
      default:
        this.#begin(response)
        return this.#take()
    }
  }

  /** If the terminal event is missing, the answer was cut off. */
  end(): readonly AnswerEvent[] {
    return []
  }

  whole(reply: JsonObject): readonly AnswerEvent[] {
    if (Array.isArray(reply['output']) || typeof reply['status'] === 'string') return this.#ended(reply)
    return this.#failed(errorInside(reply) ?? unreadable('the provider sent no response'))
  }

  #content(type: string, event: JsonObject): readonly AnswerEvent[] {
    const content = this.#blocks.event(type, event)
    if (content.length > 0) this.#begin({})
    this.#out.push(...content)
    return this.#take()
  }

  #ended(response: JsonObject): readonly AnswerEvent[] {
    this.#begin(response)
    this.#out.push(...this.#blocks.rest(response['output']))
    this.#usage.see({ response })
    const report = this.#usage.report()
    if (report !== undefined) this.#out.push({ type: 'usage', report })
    const error = errorIn(response)
    if (error !== undefined) return this.#failed(error)
    this.#isOver = true
    this.#out.push({ type: 'finish', ...decodeFinish(response, this.#blocks.calledTools) })
    return this.#take()
  }

  #failed(error: UpstreamError): readonly AnswerEvent[] {
    this.#isOver = true
    this.#out.push({ type: 'error', error })
    return this.#take()
  }

  #begin(response: JsonObject): void {
    if (this.#hasStarted) return
    this.#hasStarted = true
    const { id, model } = response
    this.#out.push({ type: 'start', id: asText(id), model: asText(model) })
  }

  #take(): readonly AnswerEvent[] {
    const out = this.#out
    this.#out = []
    return out
  }
}

const asText = (value: unknown) => (typeof value === 'string' ? value : '')
