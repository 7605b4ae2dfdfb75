import { asObject, parseJson } from '../../json-value.ts'
import type { Losses } from '../losses.ts'
import type { Part, TextPart, ToolCallPart, ToolResultPart, Turn } from '../parts.ts'
import type { CanonRequest } from '../request.ts'
import { type CallIdRule, UniqueIds } from './call-ids.ts'

/** A provider's requirements for calls and results, beyond those of all providers. */
export interface CallRules {
  /** Undefined: any id is accepted. */
  readonly ids?: CallIdRule | undefined
  readonly namesResults?: boolean | undefined
  /** The client speaks the provider's dialect, and knows which calls and results may be unpaired. */
  readonly isOwn?: boolean | undefined
}

const UNANSWERED = 'This call has no result: it was not answered.'

/**
 * Puts a conversation in the form that every provider accepts: the results of a turn's calls follow it directly, before anything
 * that was said between them; each call has one result; no two calls share an id. A call without a result gets a text saying so. A
 * result without its call, a second result for the same call, or a result after the model's next answer becomes a user message,
 * because it cannot be sent in any other way. Each turn depends only on earlier turns and on the results of its own calls, so that
 * a growing conversation is written the same way each time. Returns the request itself if nothing changes.
 */
export function withPairedCalls(request: CanonRequest, rules: CallRules, losses: Losses): CanonRequest {
  // Other dialects use objects for arguments, which have been parsed by then.
  const isUnread = rules.isOwn !== true && request.extra.dialect.startsWith('openai-')
  const rounds = new Rounds(rules, isUnread, losses)
  for (const turn of request.turns) rounds.add(turn)
  const turns = rounds.turns()
  const isSame = turns.length === request.turns.length && turns.every((turn, at) => turn === request.turns[at])
  return isSame ? request : { ...request, turns }
}

/** A turn, and what happens to its tool calls, if any. */
interface Step {
  turn: Turn
  readonly calls: Call[]
  readonly results: ToolResultPart[]
  /** The turn of the results, if it is already in the right form. */
  whole: Turn | undefined
}

interface Call {
  readonly id: string
  readonly name: string
  isAnswered: boolean
}

class Rounds {
  readonly #rules: CallRules
  /** The arguments have not been parsed yet. */
  readonly #isUnread: boolean
  readonly #losses: Losses
  readonly #ids: UniqueIds
  readonly #steps: Step[] = []
  /** Tools by the client's ids of their calls. */
  readonly #names = new Map<string, string>()
  /** Calls waiting for results, by the client's id; for a repeated id, the call of the latest turn. */
  readonly #open = new Map<string, { readonly step: Step; readonly calls: Call[]; next: number }>()

  constructor(rules: CallRules, isUnread: boolean, losses: Losses) {
    this.#rules = rules
    this.#isUnread = isUnread
    this.#losses = losses
    this.#ids = new UniqueIds(rules.ids)
  }

  add(turn: Turn): void {
    if (turn.role === 'assistant') this.#assistant(turn)
    else if (turn.role === 'tool') this.#tool(turn)
    else this.#push(turn)
  }

  turns(): readonly Turn[] {
    return this.#steps.flatMap((step) => {
      const missing = this.#rules.isOwn === true ? [] : step.calls.filter(({ isAnswered }) => !isAnswered)
      if (missing.length > 0) this.#losses.changed('messages')
      const parts = [...step.results, ...missing.map((call) => this.#placeholder(call))]
      if (parts.length === 0) return [step.turn]
      return [step.turn, step.whole?.parts.length === parts.length ? step.whole : { role: 'tool', parts }]
    })
  }

  #push(turn: Turn): Step {
    const step: Step = { turn, calls: [], results: [], whole: undefined }
    this.#steps.push(step)
    return step
  }

  #assistant(turn: Turn): void {
    const calls = turn.parts.filter((part) => part.kind === 'tool-call')
    const last = this.#steps.at(-1)
    // One answer in several messages: its calls are answered after the last of them.
    const isGoingOn = last !== undefined && last.turn.role === 'assistant' && last.results.length === 0
    const isJoined = isGoingOn && last.calls.length > 0
    if (calls.length === 0 && !isJoined) this.#open.clear()
    const step = isJoined ? last : this.#push(turn)
    const parts = turn.parts.map((part) => (part.kind === 'tool-call' ? this.#call(part, step) : part))
    const isSame = parts.every((part, at) => part === turn.parts[at])
    if (isJoined) step.turn = { ...step.turn, parts: [...step.turn.parts, ...parts] }
    else if (!isSame) step.turn = { ...turn, parts }
  }

  #call(part: ToolCallPart, step: Step): ToolCallPart {
    const id = this.#ids.newOf(part.id)
    const args = this.#argsOf(part)
    const call = { id, name: part.name, isAnswered: false }
    step.calls.push(call)
    this.#names.set(part.id, part.name)
    const known = this.#open.get(part.id)
    if (known?.step === step) known.calls.push(call)
    else this.#open.set(part.id, { step, calls: [call], next: 0 })
    return id === part.id && args === part.args ? part : { ...part, id, args }
  }

  /** Truncated arguments would be refused, by some servers with an internal error. */
  #argsOf({ args, isCustom }: ToolCallPart): string {
    const isWhole = isCustom === true || args.trim() === '' || asObject(parseJson(args)) !== undefined
    if (isWhole || !this.#isUnread) return args
    this.#losses.changed('tool_calls[].function.arguments')
    return JSON.stringify({ input: args })
  }

  #tool(turn: Turn): void {
    const before = this.#steps.at(-1)
    const others: Part[] = []
    for (const part of turn.parts) {
      const step = part.kind === 'tool-result' ? this.#answer(part) : undefined
      if (step === undefined) others.push(...(part.kind === 'tool-result' ? this.#stray(part) : [part]))
      else if (step !== before) this.#losses.changed('messages')
    }
    const { results = [], whole } = before ?? {}
    const isWhole = whole === undefined && results.length === turn.parts.length
    if (before !== undefined && isWhole && results.every((part, at) => part === turn.parts[at])) before.whole = turn
    else if (before !== undefined) before.whole = undefined
    if (others.length > 0) this.#push({ role: others.some(isResult) ? 'tool' : 'user', parts: others })
  }

  /** The turn whose call the result answers; the result is added to it. */
  #answer(part: ToolResultPart): Step | undefined {
    const open = this.#open.get(part.callId)
    const call = open?.calls[open.next]
    if (open === undefined || call === undefined) return undefined
    open.next++
    call.isAnswered = true
    const isNamed = this.#rules.namesResults !== true || part.name === call.name
    const named = isNamed ? part : { ...part, name: call.name }
    open.step.results.push(call.id === part.callId ? named : { ...named, callId: call.id })
    return open.step
  }

  #stray(part: ToolResultPart): readonly Part[] {
    const { callId, parts, isError, cache } = part
    const name = this.#names.get(callId) ?? part.name
    if (this.#rules.isOwn === true) return [{ ...part, callId: this.#ids.lastOf(callId) }]
    this.#losses.changed('messages')
    if (cache !== undefined) this.#losses.dropped('cache_control')
    const tool = name === undefined ? '' : ` of ${name}`
    const text = `${isError === true ? 'Error' : 'Result'}${tool} for the call ${callId}:`
    const head: TextPart = { kind: 'text', text }
    return [head, ...parts]
  }

  #placeholder({ id, name }: Call): ToolResultPart {
    const named = this.#rules.namesResults === true ? { name } : {}
    return { kind: 'tool-result', callId: id, ...named, parts: [{ kind: 'text', text: UNANSWERED }] }
  }
}

/** Outputs that only the provider's own dialect knows are written unchanged. */
const isResult = ({ kind }: Part): boolean => kind === 'tool-result' || kind === 'opaque'
