import { asObject, type JsonObject, parseJson } from '../../json-value.ts'
import type { AnswerDecoder, Frame } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import type { Losses } from '../losses.ts'
import type { CanonRequest, Tool } from '../request.ts'

const FREE_TEXT: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
}

/** A free-text tool as a function with one argument, for dialects that only have functions; its grammar is described in words. */
export function asFunction(tool: Tool, losses: Losses): Tool {
  const { custom, description, ...rest } = tool
  if (custom === undefined) return tool
  losses.changed(`tools[${tool.name}]`)
  const grammar = grammarOf(custom.format)
  const translated = [description, grammar].filter((text) => text !== undefined).join('\n\n')
  return { ...rest, ...(translated === '' ? {} : { description: translated }), schema: FREE_TEXT }
}

function grammarOf(format: JsonObject | undefined): string | undefined {
  const { definition, syntax } = asObject(format?.['grammar']) ?? format ?? {}
  if (typeof definition !== 'string') return undefined
  const kind = typeof syntax === 'string' ? `${syntax} grammar` : 'grammar'
  return `The input must match this ${kind}:\n${definition}`
}

/** Turns calls of such tools back into the free-text calls that the client knows. */
export function withFreeText(decoder: AnswerDecoder, request: Pick<CanonRequest, 'tools'>): AnswerDecoder {
  const calls = callsOf(request)
  if (calls === undefined) return decoder
  return {
    push: (frame: Frame) => decoder.push(frame).flatMap((event) => calls.take(event)),
    end: () => decoder.end().flatMap((event) => calls.take(event)),
  }
}

/** As `withFreeText`, for a whole reply. */
export function freeTextEvents(
  events: readonly AnswerEvent[],
  request: Pick<CanonRequest, 'tools'>,
): readonly AnswerEvent[] {
  const calls = callsOf(request)
  return calls === undefined ? events : events.flatMap((event) => calls.take(event))
}

function callsOf({ tools }: Pick<CanonRequest, 'tools'>): FreeTextCalls | undefined {
  const names = tools.filter(({ custom }) => custom !== undefined).map(({ name }) => name)
  return names.length === 0 ? undefined : new FreeTextCalls(new Set(names))
}

/** Characters of arguments that are held back; longer ones are passed on as the model wrote them. */
const WAITING_LIMIT = 16 * 1024 * 1024

/** Holds arguments back until they end, because text in JSON has escapes. */
class FreeTextCalls {
  readonly #names: ReadonlySet<string>
  #held = 0
  readonly #waiting = new Map<number, string[]>()

  constructor(names: ReadonlySet<string>) {
    this.#names = names
  }

  take(event: AnswerEvent): readonly AnswerEvent[] {
    if (event.type === 'tool-start' && event.isCustom !== true && this.#names.has(event.name)) {
      this.#waiting.set(event.block, [])
      return [{ ...event, isCustom: true }]
    }
    if (event.type !== 'tool-args' && event.type !== 'block-end') return [event]
    const pieces = this.#waiting.get(event.block)
    if (pieces === undefined) return [event]
    if (event.type === 'tool-args') {
      pieces.push(event.delta)
      this.#held += event.delta.length
      if (this.#held <= WAITING_LIMIT) return []
    }
    this.#waiting.delete(event.block)
    const args = pieces.join('')
    this.#held -= args.length
    if (event.type === 'tool-args') return [{ ...event, delta: args }]
    const delta = inputOf(args)
    return delta === '' ? [event] : [{ type: 'tool-args', block: event.block, delta }, event]
  }
}

/** Arguments that do not follow the schema are passed on as the model wrote them. */
function inputOf(args: string): string {
  const input = asObject(parseJson(args))?.['input']
  return typeof input === 'string' ? input : args
}
