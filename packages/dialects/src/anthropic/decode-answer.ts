import type { AnswerDecoder, Frame } from '../canon/codec.ts'
import type { AnswerEvent, FinishEvent } from '../canon/events.ts'
import { errorInside, readUpstreamError, type UpstreamError } from '../canon/upstream-error.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'
import { openUsageStream, usageOfReply } from '../usage/usage-report.ts'
import { MessageBlocks } from './decode-blocks.ts'
import { decodeFinish } from './finish.ts'
import { messagesUsage } from './usage.ts'

export function openDecoder(): AnswerDecoder {
  return new MessageDecoder()
}

export function decodeReply(reply: JsonObject): readonly AnswerEvent[] {
  const content: unknown = reply['content']
  if (reply['type'] === 'error' || !Array.isArray(content)) {
    return [{ type: 'error', error: errorInside(reply) ?? fault('the provider sent no message') }]
  }
  const blocks = new MessageBlocks()
  const report = usageOfReply(messagesUsage, reply)
  const finish = decodeFinish(reply['stop_reason'], reply['stop_sequence'])
  return [
    startOf(reply),
    ...content.flatMap((block, index) => blocks.whole(index, asObject(block) ?? {})),
    ...explained(blocks, reply),
    ...(report === undefined ? [] : [{ type: 'usage', report } as const]),
    finish,
  ]
}

/** `message_stop` ends a stream; if a provider omits it, the stop reason does. */
class MessageDecoder implements AnswerDecoder {
  readonly #blocks = new MessageBlocks()
  readonly #usage = openUsageStream(messagesUsage)
  #hasStarted = false
  #isOver = false
  #stopped: FinishEvent | undefined

  push({ name, data }: Frame): readonly AnswerEvent[] {
    if (this.#isOver || data.trim() === '') return []
    if (data.trim() === '[DONE]') return this.end()
    const event = asObject(parseJson(data))
    if (event === undefined) return this.#failed(unreadable(name, data))
    const type = typeof event['type'] === 'string' ? event['type'] : name
    if (type === 'error') return this.#failed(readUpstreamError(new TextEncoder().encode(data)))
    return this.#read(type, event)
  }

  end(): readonly AnswerEvent[] {
    return this.#isOver || this.#stopped === undefined ? [] : this.#finished(this.#stopped)
  }

  #read(type: string, event: JsonObject): readonly AnswerEvent[] {
    switch (type) {
      case 'message_start':
        if (this.#hasStarted) return []
        this.#usage.see(event)
        // The prompt is already counted, so a client that leaves early is charged for it.
        return [...this.#begun(asObject(event['message']) ?? {}), ...this.#used()]
      case 'content_block_start':
        return this.#content(event, (index) => this.#blocks.start(index, asObject(event['content_block']) ?? {}))
      case 'content_block_delta':
        return this.#content(event, (index) => this.#blocks.delta(index, asObject(event['delta']) ?? {}))
      case 'content_block_stop':
        return this.#content(event, (index) => this.#blocks.stop(index))
      case 'message_delta':
        return this.#ending(event)
      case 'message_stop':
        return this.#finished(this.#stopped ?? decodeFinish(undefined, undefined))
      default: {
        const error = errorInside(event)
        return error === undefined ? [] : this.#failed(error)
      }
    }
  }

  #begun(message: JsonObject): readonly AnswerEvent[] {
    if (this.#hasStarted) return []
    this.#hasStarted = true
    return [startOf(message)]
  }

  /** Content after the stop reason is ignored: it belongs to no answer. */
  #content(event: JsonObject, read: (index: number) => readonly AnswerEvent[]): readonly AnswerEvent[] {
    if (this.#stopped !== undefined) return []
    const { index } = event
    return [...this.#begun({}), ...read(typeof index === 'number' ? index : 0)]
  }

  #ending(event: JsonObject): readonly AnswerEvent[] {
    this.#usage.see(event)
    const delta = asObject(event['delta']) ?? {}
    if (this.#stopped !== undefined || typeof delta['stop_reason'] !== 'string') return []
    this.#stopped = decodeFinish(delta['stop_reason'], delta['stop_sequence'])
    return [...this.#begun({}), ...this.#blocks.stopAll(), ...explained(this.#blocks, delta)]
  }

  #finished(finish: FinishEvent): readonly AnswerEvent[] {
    this.#isOver = true
    return [...this.#begun({}), ...this.#blocks.stopAll(), ...this.#used(), finish]
  }

  #failed(error: UpstreamError): readonly AnswerEvent[] {
    this.#isOver = true
    return [...this.#used(), { type: 'error', error }]
  }

  #used(): readonly AnswerEvent[] {
    const report = this.#usage.report()
    return report === undefined ? [] : [{ type: 'usage', report }]
  }
}

function startOf({ id, model }: JsonObject): AnswerEvent {
  return {
    type: 'start',
    id: typeof id === 'string' ? id : '',
    model: typeof model === 'string' ? model : '',
  }
}

function explained(blocks: MessageBlocks, { stop_details: details }: JsonObject): readonly AnswerEvent[] {
  const text = asObject(details)?.['explanation']
  return typeof text === 'string' && text !== '' ? blocks.refusal(text) : []
}

function unreadable(name: string, data: string): UpstreamError {
  return name === 'error'
    ? readUpstreamError(new TextEncoder().encode(data))
    : fault(`the provider sent an event that is not a JSON object (${name.slice(0, 60)})`)
}

const fault = (message: string): UpstreamError => ({ message, type: undefined, code: undefined, param: undefined })
