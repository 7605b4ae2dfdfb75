import * as fc from 'fast-check'
import type { Part, ToolCallPart, ToolResultPart, Turn } from '../../src/canon/parts.ts'
import type { CanonRequest } from '../../src/canon/request.ts'
import { freeze } from '../freeze.ts'
import { words } from './words.ts'

/** Few ids, so that they repeat; some are reused by providers in each answer, others are refused by some providers. */
const id = fc.constantFrom('a', 'b', 'functions.f:0', 'functions_f_0', 'a_2', '', 'x'.repeat(90))
const name = fc.constantFrom('f', 'g')
/** Arguments as models write them, sometimes cut off. */
const args = fc.constantFrom('{"x":1}', '', '{"x":', '[1]')
const text = fc.oneof({ weight: 6, arbitrary: words }, { weight: 1, arbitrary: fc.constantFrom('', ' ', 'as JSON') })

const say = (role: Turn['role']): fc.Arbitrary<Turn> =>
  fc
    .array(text, { maxLength: 2 })
    .map((texts) => ({ role, parts: texts.map((said) => ({ kind: 'text', text: said })) }))

const calls: fc.Arbitrary<readonly ToolCallPart[]> = fc.array(
  fc.record({ kind: fc.constant('tool-call'), id, name, args }),
  { minLength: 1, maxLength: 3 },
)

const result: fc.Arbitrary<ToolResultPart> = fc
  .tuple(id, words, fc.option(fc.boolean(), { nil: undefined }))
  .map(([callId, said, isError]) => ({
    kind: 'tool-result',
    callId,
    parts: [{ kind: 'text', text: said }],
    ...(isError === undefined ? {} : { isError }),
  }))

const called: fc.Arbitrary<Turn> = fc
  .tuple(fc.option(words, { nil: undefined }), calls)
  .map(([said, made]) => ({ role: 'assistant', parts: [...(said === undefined ? [] : [textPart(said)]), ...made] }))

const round: fc.Arbitrary<readonly Turn[]> = calls.map((made) => [
  { role: 'assistant', parts: made },
  { role: 'tool', parts: made.map(({ id: callId }) => ({ kind: 'tool-result', callId, parts: [textPart('done')] })) },
])

const stray = fc.oneof(
  say('user'),
  say('user'),
  say('assistant'),
  say('system'),
  called,
  fc.array(result, { minLength: 1, maxLength: 3 }).map((parts): Turn => ({ role: 'tool', parts })),
)

const textPart = (said: string) => ({ kind: 'text', text: said }) as const

/** Conversations as clients may send them: with repeated ids, results without calls, calls without results. */
export const conversations: fc.Arbitrary<CanonRequest> = fc
  .record({
    pieces: fc.array(
      fc.oneof(
        stray.map((turn) => [turn]),
        round,
      ),
      { minLength: 1, maxLength: 8 },
    ),
    isJson: fc.boolean(),
    dialect: fc.constantFrom('openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'),
  })
  .map(({ pieces, isJson, dialect }) =>
    freeze(
      withWholeArgs({
        model: 'some-model',
        stream: false,
        system: [{ kind: 'text', text: 'Be brief.' }],
        turns: pieces.flat(),
        tools: [{ name: 'f' }, { name: 'g' }],
        builtins: [],
        ...(isJson ? { format: { type: 'json' } } : {}),
        sampling: {},
        extra: { dialect, fields: {} },
      } satisfies CanonRequest),
    ),
  )

/** Dialects that send arguments as objects cannot send anything else. */
function withWholeArgs(request: CanonRequest): CanonRequest {
  if (request.extra.dialect.startsWith('openai-')) return request
  const whole = (part: Part): Part => (part.kind === 'tool-call' ? { ...part, args: '{"x":1}' } : part)
  return { ...request, turns: request.turns.map(({ role, parts }) => ({ role, parts: parts.map(whole) })) }
}

/** Indexes of turns at which a cut leaves no call open and the model speaks next: what follows cannot affect what precedes. */
export function closedCuts(turns: readonly Turn[]): readonly number[] {
  const open = new Map<string, { readonly answer: number; count: number }>()
  let answer = 0
  return turns.flatMap(({ role, parts }, at) => {
    // Consecutive assistant turns are one answer.
    if (role !== 'assistant' || turns[at - 1]?.role !== role) answer++
    for (const part of parts) note(part, answer, open)
    const hasText = parts.some((part) => part.kind === 'text' && /\S/.test(part.text))
    const isHeard = role === 'tool' || (role === 'user' && hasText)
    return isHeard && [...open.values()].every(({ count }) => count === 0) ? [at + 1] : []
  })
}

function note(part: Part, answer: number, open: Map<string, { readonly answer: number; count: number }>): void {
  if (part.kind === 'tool-call') {
    const known = open.get(part.id)
    open.set(part.id, { answer, count: known?.answer === answer ? known.count + 1 : 1 })
  }
  const answered = part.kind === 'tool-result' ? open.get(part.callId) : undefined
  if (answered !== undefined && answered.count > 0) answered.count--
}
