import type { Part, ToolResultPart, Turn } from '../src/canon/parts.ts'
import type { CanonRequest, Tool, ToolChoice } from '../src/canon/request.ts'
import { asObject, parseJson } from '../src/json-value.ts'

/**
 * Splits a request into facets that are compared separately, so that the loss of one does not hide the loss of another. Equal
 * facets mean equal requests, however texts are cut and turns are joined. `loss-names.ts` lists the names under which a facet may
 * be reported as lost.
 */
export function facets(request: CanonRequest): ReadonlyMap<Facet, unknown> {
  const parts = request.turns.flatMap((turn) => turn.parts)
  const results = parts.filter((part) => part.kind === 'tool-result')
  const all = [...parts, ...results.flatMap((result) => result.parts)]
  const { sampling, reasoning, toolChoice, format, modalities } = request
  const tools = callable(request)
  const found: readonly (readonly [Facet, unknown])[] = [
    ['conversation', conversation(request.turns)],
    ['system', joined(request.system)],
    ['system_midway', texts(request.turns.filter(({ role }) => role === 'system').flatMap((turn) => turn.parts))],
    ['images', sources(all, 'image')],
    ['image_detail', all.flatMap((part) => (part.kind === 'image' && part.detail !== undefined ? [part.detail] : []))],
    ['audio', sources(parts, 'audio')],
    ['video', sources(parts, 'video')],
    ['files', sources(all, 'file')],
    ['cache', [...request.system, ...tools, ...all].flatMap((part) => ('cache' in part ? [part.cache?.ttl] : []))],
    ['names', request.turns.flatMap(({ name }) => name ?? [])],
    ['tools', tools.map(({ name, description, schema, custom }) => ({ name, description, schema, custom }))],
    ['tool_strict', tools.map(({ strict }) => strict === true)],
    ['tool_errors', results.map(({ isError }) => isError === true)],
    ['tool_choice', choiceOf(toolChoice)],
    // Meaningless where no tool may be called.
    ['parallel_tools', request.parallelTools === false && tools.length > 0 ? false : undefined],
    ['reasoning', parts.flatMap((part) => (part.kind === 'reasoning' ? part.text : []))],
    [
      'proofs',
      parts.flatMap((part) => ('signature' in part && part.signature !== undefined ? part.signature.value : [])),
    ],
    ['refusals', parts.flatMap((part) => (part.kind === 'refusal' ? part.text : []))],
    // Only OpenAI gives the schema's name and strictness a meaning.
    ['format', format?.type === 'schema' ? format.schema : format?.type === 'json' ? 'json' : undefined],
    // `adaptive` may be omitted: it is the models' default.
    ['effort', reasoning?.effort],
    ['budget', reasoning?.budget],
    ['off', reasoning?.off],
    ['max_tokens', request.maxTokens],
    ['temperature', sampling.temperature],
    ['top_p', sampling.topP],
    ['top_k', sampling.topK],
    ['stop', sampling.stop],
    ['n', sampling.n],
    ['seed', sampling.seed],
    ['penalties', [sampling.presencePenalty, sampling.frequencyPenalty]],
    ['logprobs', sampling.topLogprobs],
    ['logit_bias', sampling.logitBias],
    ['verbosity', request.verbosity],
    ['modalities', modalities?.some((name) => name !== 'text') === true ? modalities : undefined],
    ['user', request.user],
    ['service_tier', request.serviceTier === 'auto' ? undefined : request.serviceTier],
    ['metadata', request.metadata],
  ]
  return new Map(found)
}

export type Facet =
  | 'conversation'
  | 'system'
  | 'system_midway'
  | 'images'
  | 'image_detail'
  | 'audio'
  | 'video'
  | 'files'
  | 'cache'
  | 'names'
  | 'tools'
  | 'tool_strict'
  | 'tool_errors'
  | 'tool_choice'
  | 'parallel_tools'
  | 'reasoning'
  | 'proofs'
  | 'refusals'
  | 'format'
  | 'effort'
  | 'budget'
  | 'off'
  | 'max_tokens'
  | 'temperature'
  | 'top_p'
  | 'top_k'
  | 'stop'
  | 'n'
  | 'seed'
  | 'penalties'
  | 'logprobs'
  | 'logit_bias'
  | 'verbosity'
  | 'modalities'
  | 'user'
  | 'service_tier'
  | 'metadata'

/** Other tools may be left out without a loss of meaning. */
export function callable({ tools, toolChoice }: CanonRequest): readonly Tool[] {
  switch (toolChoice?.mode) {
    case 'none':
      return []
    case 'named':
      return tools.filter(({ name }) => name === toolChoice.name)
    case 'allowed':
      return tools.filter(({ name }) => toolChoice.names.includes(name))
    default:
      return tools
  }
}

/** A single tool that is allowed and required is a named choice; no choice is `auto`. */
function choiceOf(choice: ToolChoice | undefined): ToolChoice | undefined {
  if (choice?.mode === 'auto') return undefined
  const [name = '', ...others] = choice?.mode === 'allowed' && choice.required ? choice.names : ['', '']
  return name !== '' && others.length === 0 ? { mode: 'named', name } : choice
}

/** All texts, refusals, calls and results, in order and with their speakers. */
function conversation(turns: readonly Turn[]): readonly string[] {
  const said: string[] = []
  let speaker = ''
  for (const { role, parts } of turns) {
    if (role === 'system') continue
    for (const part of parts) {
      const isText = part.kind === 'text' || part.kind === 'refusal'
      const line = isText ? part.text : lineOf(part)
      if (line === undefined) continue
      if (isText && speaker === role) said.push(`${said.pop() ?? ''}${line}`)
      else said.push(isText ? `${role}: ${line}` : line)
      speaker = isText ? role : ''
    }
  }
  return said
}

function lineOf(part: Part): string | undefined {
  switch (part.kind) {
    case 'tool-call':
      return `calls ${part.id} ${part.name} ${argsOf(part.args)}`
    case 'tool-result':
      return `hears ${part.callId} ${resultOf(part)}`
    default:
      return undefined
  }
}

/** Normalises arguments, because dialects that send objects serialize them again. */
export function argsOf(args: string): string {
  const parsed = asObject(parseJson(args === '' ? '{}' : args))
  return parsed === undefined ? args : JSON.stringify(parsed)
}

function resultOf(part: ToolResultPart): string {
  // Dialects without an error flag put it in the text.
  return (joined(part.parts) ?? '').replace(/^Error: /, '')
}

function texts(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => (part.kind === 'text' ? part.text : []))
}

function joined(parts: readonly Part[]): string | undefined {
  const found = texts(parts)
  return found.length === 0 ? undefined : found.join('\n').replace(/\n+/g, '\n')
}

function sources(parts: readonly Part[], kind: 'image' | 'audio' | 'video' | 'file'): readonly string[] {
  return parts.flatMap((part) => {
    if (part.kind !== kind) return []
    const { source } = part
    return source.type === 'base64' ? `${source.mime} ${source.data}` : source.type === 'url' ? source.url : source.id
  })
}

/** The value without undefined members; an empty list becomes undefined. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) {
    const members = value.map(plain)
    return members.every((member) => member === undefined || member === false) ? undefined : members
  }
  const fields = asObject(value)
  if (fields === undefined) return value
  const kept = Object.entries(fields).flatMap(([name, member]) => {
    const given = plain(member)
    return given === undefined ? [] : [[name, given] as const]
  })
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
