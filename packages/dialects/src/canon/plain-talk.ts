import type { Inexpressible } from './codec.ts'
import type { Losses } from './losses.ts'
import type { Part, Turn } from './parts.ts'
import type { CanonRequest, Sampling } from './request.ts'
import { dropSampling } from './requested-sampling.ts'

/** What a service that only supports questions and answers accepts. */
export interface PlainAbilities {
  readonly sampling: readonly (keyof Sampling)[]
  readonly maxTokens: boolean
}

/** Lists everything except the conversation itself as lost. */
export function loseTheRest(request: CanonRequest, abilities: PlainAbilities, losses: Losses): void {
  const { tools, builtins, toolChoice, format, reasoning, maxTokens, sampling, verbosity } = request
  if (tools.length > 0) losses.dropped('tools')
  for (const { name } of builtins) losses.dropped(`tools[${name}]`)
  if (toolChoice !== undefined && toolChoice.mode !== 'auto' && toolChoice.mode !== 'none')
    losses.dropped('tool_choice')
  if (format !== undefined && format.type !== 'text') losses.dropped('response_format')
  if (reasoning !== undefined && reasoning.off !== true) losses.dropped('reasoning_effort')
  if (maxTokens !== undefined && !abilities.maxTokens) losses.dropped('max_tokens')
  if (verbosity !== undefined) losses.dropped('verbosity')
  if (request.user !== undefined) losses.dropped('user')
  if (request.metadata !== undefined) losses.dropped('metadata')
  if (request.serviceTier !== undefined && request.serviceTier !== 'auto') losses.dropped('service_tier')
  if (request.modalities?.some((name) => name !== 'text') === true) losses.dropped('modalities')
  loseMarks(request, losses)
  dropSampling(sampling, (name) => !abilities.sampling.includes(name), losses)
  losses.droppedExtra(request.extra)
}

/** Names of speakers, cache marks, and the detail of pictures. */
function loseMarks({ system, turns }: CanonRequest, losses: Losses): void {
  for (const [index, { name }] of turns.entries()) if (name !== undefined) losses.dropped(`messages[${index}].name`)
  for (const part of [...system, ...turns.flatMap(({ parts }) => parts)]) {
    if ('cache' in part && part.cache !== undefined) losses.dropped('cache_control')
    if (part.kind === 'image' && part.detail !== undefined) losses.dropped('detail')
  }
}

/** The last message of the user, for a service that accepts nothing else. */
export function lastQuestion(request: CanonRequest, losses: Losses): string | Inexpressible {
  const index = request.turns.findLastIndex(({ role }) => role === 'user')
  const turn = request.turns[index]
  if (turn === undefined) return { field: 'messages', rule: 'must contain a user message' }
  const text = textOfTurn(turn, index, losses)
  if (typeof text !== 'string') return text
  if (request.system.length > 0 || request.turns.length > 1) losses.dropped('messages')
  loseTheRest(request, { sampling: [], maxTokens: false }, losses)
  return text
}

/** The text of a turn, or the part that is not text. Thoughts of earlier turns are omitted. */
export function textOfTurn(turn: Turn, index: number, losses: Losses): string | Inexpressible {
  const texts: string[] = []
  for (const [at, part] of turn.parts.entries()) {
    const text = textOfPart(part)
    if (text === undefined)
      return { field: `messages[${index}].content[${at}]`, rule: `must be text, not ${part.kind}` }
    if (part.kind === 'reasoning') losses.dropped('reasoning_content')
    else texts.push(text)
  }
  return texts.join('\n')
}

function textOfPart(part: Part): string | undefined {
  return part.kind === 'text' || part.kind === 'refusal' || part.kind === 'reasoning' ? part.text : undefined
}
