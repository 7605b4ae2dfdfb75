import * as fc from 'fast-check'
import type { AnswerEvent, Citation, ContentEvent, FinishReason } from '../../src/canon/events.ts'
import type { ChatDialect, ReasoningSignature } from '../../src/canon/parts.ts'
import type { TokenCounts } from '../../src/token-counts.ts'
import { freeze } from '../freeze.ts'
import { jsonObject, piece, sealed, toolName, words } from './words.ts'

/** `Omit`, applied to each member of a union. */
type Unnumbered<Event> = Event extends { readonly block: number } ? Omit<Event, 'block'> : never
type Said = Unnumbered<ContentEvent>

const PROVERS = ['anthropic-messages', 'gemini', 'openai-responses', 'openai-chat'] as const satisfies ChatDialect[]

/** A signature of any provider, or redacted reasoning. */
export const signature: fc.Arbitrary<ReasoningSignature> = fc
  .record({
    dialect: fc.constantFrom(...PROVERS),
    value: sealed,
    redacted: fc.boolean(),
    item: fc.option(fc.nat(99), { nil: undefined }),
  })
  .map(({ dialect, value, redacted, item }) => ({
    dialect,
    value,
    // Only these two redact reasoning, and only OpenAI gives its items ids.
    ...(redacted && (dialect === 'anthropic-messages' || dialect === 'openai-responses') ? { redacted: true } : {}),
    ...(dialect === 'openai-responses' && item !== undefined ? { item: `rs_${item}` } : {}),
  }))

const citation: fc.Arbitrary<Citation> = fc.record({
  url: fc.nat(999).map((page) => `https://example.com/${page}`),
  title: words,
})

const pieces = fc.array(piece, { minLength: 1, maxLength: 4 })
const end: Said = { type: 'block-end' }

const text = pieces.map((deltas): Said[] => [...deltas.map((delta): Said => ({ type: 'text', delta })), end])
const cited = fc
  .tuple(pieces, citation)
  .map(([deltas, found]): Said[] => [
    ...deltas.map((delta): Said => ({ type: 'text', delta })),
    { type: 'citation', citation: found },
    end,
  ])
const reasoning = fc
  .tuple(pieces, fc.option(signature, { nil: undefined }))
  .map(([deltas, given]): Said[] => [
    ...(given?.redacted === true ? [] : deltas).map((delta): Said => ({ type: 'reasoning', delta })),
    ...(given === undefined ? [] : [{ type: 'proof', signature: given } satisfies Said]),
    end,
  ])
const refusal = pieces.map((deltas): Said[] => [...deltas.map((delta): Said => ({ type: 'refusal', delta })), end])

/** Cuts a text at the given positions; pieces may be empty. */
function cutText(whole: string, places: readonly number[]): readonly string[] {
  const ends = [...places.map((place) => place % (whole.length + 1)), whole.length].toSorted((a, b) => a - b)
  return ends.map((to, at) => whole.slice(ends[at - 1] ?? 0, to))
}

const tool = fc
  .record({
    name: toolName,
    args: jsonObject,
    places: fc.array(fc.nat(), { maxLength: 3 }),
    isBare: fc.boolean(),
    given: fc.option(
      signature.filter(({ dialect, redacted }) => dialect === 'gemini' && redacted !== true),
      { nil: undefined },
    ),
  })
  .map(({ name, args, places, isBare, given }): Said[] => [
    { type: 'tool-start', id: '', name, ...(given === undefined ? {} : { signature: given }) },
    // A call without arguments may have no delta.
    ...(isBare && Object.keys(args).length === 0
      ? []
      : cutText(JSON.stringify(args), places).map((delta): Said => ({ type: 'tool-args', delta }))),
    end,
  ])

/** Optional content of an answer; the laws select what each dialect can express. */
export type AnswerFeature = 'reasoning' | 'refusal' | 'tools' | 'citations'

export interface GeneratedAnswer {
  readonly events: readonly AnswerEvent[]
  readonly counts: TokenCounts | undefined
}

const tokens = fc.nat(5_000)
export const tokenCounts: fc.Arbitrary<TokenCounts> = fc
  .record({
    input: fc.integer({ min: 1, max: 9_999 }),
    cachedInput: tokens,
    write5m: tokens,
    write1h: tokens,
    output: tokens,
  })
  .chain(({ input, cachedInput, write5m, write1h, output }) =>
    fc.nat(output).map((thought) => ({
      input,
      cachedInput,
      cacheWrite5m: write5m,
      cacheWrite1h: write1h,
      output: output + 1,
      reasoning: thought,
    })),
  )

/** Answers as decoders return them: blocks in order, tool blocks overlapping, one finish at the end. */
export function answers(features: ReadonlySet<AnswerFeature>): fc.Arbitrary<GeneratedAnswer> {
  const others = [
    ...(features.has('reasoning') ? [reasoning] : []),
    ...(features.has('citations') ? [cited] : []),
    ...(features.has('tools') ? [tool] : []),
  ]
  return fc
    .record({
      blocks: fc.array(fc.oneof(text, ...others), { maxLength: 5 }),
      // A refusal ends the answer.
      refused: features.has('refusal') ? fc.option(refusal, { nil: undefined, freq: 4 }) : fc.constant(undefined),
      turns: fc.array(fc.nat(3), { maxLength: 30 }),
      counts: fc.option(tokenCounts, { nil: undefined }),
      reason: fc.constantFrom<FinishReason>('stop', 'length', 'content-filter'),
      id: fc.nat(9_999),
    })
    .map(({ blocks, refused, turns, counts, reason, id }) => {
      const said = [...blocks, ...(refused === undefined ? [] : [refused])]
      const hasTools = said.some(([first]) => first?.type === 'tool-start')
      const finish = hasTools && reason === 'stop' ? 'tool-calls' : reason
      return freeze({
        events: [
          { type: 'start', id: `up_${id}`, model: 'some-model' },
          ...numbered(overlapped(identified(said), turns)),
          ...(counts === undefined
            ? []
            : [{ type: 'usage', report: { counts, reportedNanoUsd: undefined, own: {} } } as const]),
          { type: 'finish', reason: finish, raw: finish },
        ] satisfies AnswerEvent[],
        counts,
      })
    })
}

function identified(blocks: readonly Said[][]): readonly Said[][] {
  return blocks.map((block, at) =>
    block.map((event) => (event.type === 'tool-start' ? { ...event, id: `call_${at}` } : event)),
  )
}

type Keyed = readonly [key: number, event: Said]

/** Interleaves the events of neighbouring tool blocks as `turns` specifies. */
function overlapped(blocks: readonly Said[][], turns: readonly number[]): readonly Keyed[] {
  const out: Keyed[] = []
  let turn = 0
  for (let at = 0; at < blocks.length;) {
    const open: Keyed[][] = []
    do open.push((blocks[at] ?? []).map((event) => [at, event] as const))
    while (isTool(blocks[at++]) && isTool(blocks[at]))
    for (let left = open.filter((queue) => queue.length > 0); left.length > 0;) {
      const queue = left[(turns[turn++ % Math.max(turns.length, 1)] ?? 0) % left.length]
      const next = queue?.shift()
      if (next !== undefined) out.push(next)
      left = left.filter((queue) => queue.length > 0)
    }
  }
  return out
}

function isTool(block: readonly Said[] | undefined): boolean {
  return block?.[0]?.type === 'tool-start'
}

/** Numbers the blocks in the order of their first events. */
function numbered(events: readonly Keyed[]): readonly ContentEvent[] {
  const numbers = new Map<number, number>()
  return events.map(([key, event]) => {
    const block = numbers.get(key) ?? numbers.size
    numbers.set(key, block)
    return { ...event, block }
  })
}
