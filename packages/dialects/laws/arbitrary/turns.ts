import * as fc from 'fast-check'
import type {
  ChatDialect,
  FilePart,
  ImagePart,
  Part,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from '../../src/canon/parts.ts'
import { cacheMark, type Has, type May, withoutUndefined } from './request-features.ts'
import { base64, jsonObject, sealed, words } from './words.ts'

const pngFile = base64.map((data) => ({ type: 'base64', mime: 'image/png', data }) as const)
const fileUrl = fc
  .nat(999)
  .map((id) => ({ type: 'url', url: `https://example.com/${id}.png`, mime: undefined }) as const)

/** Rounds of a question, optional calls with results, and an answer; the last question is open. */
export function turns(may: May, has: Has, prover: ChatDialect): fc.Arbitrary<readonly Turn[]> {
  const round = fc.tuple(userTurn(may, has), toolRound(may, has, prover), assistantTurn(may, prover), midway(may))
  return fc
    .tuple(fc.array(round, { maxLength: 2 }), userTurn(may, has), fc.option(toolRound(may, has, prover), { nil: [] }))
    .map(([rounds, last, loop]) =>
      uniqueCalls([
        ...rounds.flatMap(([user, tools, answer, aside]) => [user, ...tools, answer, ...aside]),
        last,
        ...loop,
      ]),
    )
}

function midway(may: May): fc.Arbitrary<readonly Turn[]> {
  return may('system_midway', words).map((text) =>
    text === undefined ? [] : [{ role: 'system', parts: [{ kind: 'text', text }] }],
  )
}

function userTurn(may: May, has: Has): fc.Arbitrary<Turn> {
  return fc
    .record({
      first: textPart(may),
      media: fc.array(media(may, has), { maxLength: 2 }),
      last: fc.boolean(),
      name: may('names', fc.constantFrom('ann', 'bob')),
    })
    .map(({ first, media: shown, last, name }) => {
      const parts: Part[] = [first, ...shown.filter((part) => part !== undefined)]
      return withoutUndefined<Turn>({ role: 'user', parts: last ? parts : parts.toReversed(), name })
    })
}

function textPart(may: May): fc.Arbitrary<TextPart> {
  return fc.tuple(words, cacheMark(may)).map(([text, cache]) => withoutUndefined({ kind: 'text', text, cache }))
}

function media(may: May, has: Has): fc.Arbitrary<Part | undefined> {
  const kinds: fc.Arbitrary<Part>[] = []
  if (has('images')) kinds.push(image(may))
  if (has('image_urls')) kinds.push(fileUrl.map((source) => ({ kind: 'image', source: withoutUndefined(source) })))
  if (has('audio'))
    kinds.push(base64.map((data) => ({ kind: 'audio', source: { type: 'base64', mime: 'audio/wav', data } })))
  if (has('video'))
    kinds.push(base64.map((data) => ({ kind: 'video', source: { type: 'base64', mime: 'video/mp4', data } })))
  if (has('files')) kinds.push(pdf(may))
  if (has('file_urls')) {
    kinds.push(
      fc.nat(99).map((id) => ({ kind: 'file', source: { type: 'url', url: `https://example.com/${id}.pdf` } })),
    )
  }
  return kinds.length === 0 ? fc.constant(undefined) : fc.option(fc.oneof(...kinds), { nil: undefined })
}

function image(may: May): fc.Arbitrary<ImagePart> {
  return fc
    .record({ source: pngFile, detail: may('image_detail', fc.constantFrom('low', 'high')), cache: cacheMark(may) })
    .map((part) => withoutUndefined({ kind: 'image', ...part }))
}

function pdf(may: May): fc.Arbitrary<FilePart> {
  return fc
    .tuple(base64, may('file_names', fc.constantFrom('a.pdf', 'report 7.pdf')))
    .map(([data, name]) =>
      withoutUndefined({ kind: 'file', source: { type: 'base64', mime: 'application/pdf', data }, name }),
    )
}

function assistantTurn(may: May, prover: ChatDialect): fc.Arbitrary<Turn> {
  return fc
    .tuple(thought(may, prover), may('refusals', words), textPart(may))
    .map(([reasoning, refusal, text]): Turn => ({
      role: 'assistant',
      parts: [
        ...(reasoning === undefined ? [] : [reasoning]),
        refusal === undefined ? text : { kind: 'refusal', text: refusal },
      ],
    }))
}

/** Thoughts with their signature, or without it from clients that do not know signatures. */
function thought(may: May, prover: ChatDialect): fc.Arbitrary<ReasoningPart | undefined> {
  const proved = may('reasoning', fc.tuple(words, sealed))
  return fc.tuple(proved, may('bare_reasoning', words)).map(([given, bare]): ReasoningPart | undefined => {
    if (given !== undefined) {
      return { kind: 'reasoning', text: given[0], signature: { dialect: prover, value: given[1] } }
    }
    return bare === undefined ? undefined : { kind: 'reasoning', text: bare }
  })
}

interface Call {
  readonly name: string
  readonly args: string
  readonly result: string
  readonly isError: boolean | undefined
  readonly shown: ImagePart | undefined
}

function toolRound(may: May, has: Has, prover: ChatDialect): fc.Arbitrary<readonly Turn[]> {
  if (!has('tools')) return fc.constant([])
  const call: fc.Arbitrary<Call> = fc.record({
    name: fc.constantFrom('get_weather', 'search'),
    args: jsonObject.map((value) => JSON.stringify(value)),
    result: words,
    isError: may('tool_errors', fc.constant(true)),
    shown: may(
      'tool_images',
      image(() => fc.constant(undefined)),
    ),
  })
  return fc
    .tuple(thought(may, prover), fc.option(words, { nil: undefined }), fc.array(call, { maxLength: 3 }))
    .map(([reasoning, said, calls]) => (calls.length === 0 ? [] : roundOf(reasoning, said, calls)))
}

function roundOf(
  reasoning: ReasoningPart | undefined,
  said: string | undefined,
  calls: readonly Call[],
): readonly Turn[] {
  const made = calls.map(({ name, args }, at): ToolCallPart => ({ kind: 'tool-call', id: `${at}`, name, args }))
  const results = calls.map(({ name, result, isError, shown }, at) =>
    withoutUndefined<ToolResultPart>({
      kind: 'tool-result',
      callId: `${at}`,
      name,
      parts: [{ kind: 'text', text: result }, ...(shown === undefined ? [] : [shown])],
      isError,
    }),
  )
  const spoken: readonly Part[] = said === undefined ? [] : [{ kind: 'text', text: said }]
  return [
    { role: 'assistant', parts: [...(reasoning === undefined ? [] : [reasoning]), ...spoken, ...made] },
    { role: 'tool', parts: results },
  ]
}

/** Makes call ids unique in the conversation. */
function uniqueCalls(all: readonly Turn[]): readonly Turn[] {
  return all.map((turn, at) => ({
    ...turn,
    parts: turn.parts.map((part) => {
      if (part.kind === 'tool-call') return { ...part, id: `call_${at}_${part.id}` }
      return part.kind === 'tool-result' ? { ...part, callId: `call_${at - 1}_${part.callId}` } : part
    }),
  }))
}
