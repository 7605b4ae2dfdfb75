import * as fc from 'fast-check'
import type {
  CacheMark,
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
import type { AnswerFormat, CanonRequest, ReasoningWish, Sampling, Tool, ToolChoice } from '../../src/canon/request.ts'
import { freeze } from '../freeze.ts'
import { base64, jsonObject, schema, sealed, words } from './words.ts'

/** What a request may ask for beside a plain conversation. The laws ask each dialect for what it can say. */
export const REQUEST_FEATURES = [
  'images',
  'image_urls',
  'image_detail',
  'audio',
  'video',
  'files',
  'file_names',
  'file_urls',
  'cache',
  'system',
  'system_midway',
  'names',
  'tools',
  'tool_strict',
  'tool_custom',
  'tool_errors',
  'tool_images',
  'tool_choice',
  'allowed_tools',
  'parallel_tools',
  'reasoning',
  'bare_reasoning',
  'refusals',
  'json',
  'schema',
  'effort',
  'budget',
  'adaptive',
  'off',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop',
  'n',
  'seed',
  'penalties',
  'logprobs',
  'logit_bias',
  'verbosity',
  'modalities',
  'user',
  'service_tier',
  'metadata',
  'stream',
] as const

export type RequestFeature = (typeof REQUEST_FEATURES)[number]

const pngFile = base64.map((data) => ({ type: 'base64', mime: 'image/png', data }) as const)
const fileUrl = fc
  .nat(999)
  .map((id) => ({ type: 'url', url: `https://example.com/${id}.png`, mime: undefined }) as const)

/** A value when the feature is asked for, at times. */
type May = <Value>(feature: RequestFeature, value: fc.Arbitrary<Value>) => fc.Arbitrary<Value | undefined>

/** Well-formed requests that use no other features than these. `prover` is whose signatures a history may hold. */
export function requests(features: ReadonlySet<RequestFeature>, prover: ChatDialect): fc.Arbitrary<CanonRequest> {
  const has = (feature: RequestFeature): boolean => features.has(feature)
  const may: May = (feature, value) => (has(feature) ? fc.option(value, { nil: undefined }) : fc.constant(undefined))
  return fc
    .record({
      stream: has('stream') ? fc.boolean() : fc.constant(false),
      system: may('system', fc.tuple(words, cacheMark(may))),
      turns: turns(may, has, prover),
      tools: tools(may, has),
      choice: choice(may),
      parallelTools: may('parallel_tools', fc.boolean()),
      format: format(may),
      reasoning: wish(may),
      maxTokens: may('max_tokens', fc.integer({ min: 6_000, max: 8_000 })),
      sampling: sampling(may),
      verbosity: may('verbosity', fc.constantFrom('low', 'medium', 'high')),
      modalities: may('modalities', fc.constantFrom(['text'], ['text', 'image'])),
      user: may('user', words),
      serviceTier: may('service_tier', fc.constantFrom('auto', 'default')),
      metadata: may(
        'metadata',
        words.map((topic) => ({ topic })),
      ),
    })
    .map(({ system, choice: made, ...request }) => {
      const names = request.tools.map(({ name }) => name)
      const toolChoice = names.length === 0 ? undefined : made?.(names)
      return freeze(
        withoutUndefined({
          model: 'some-model',
          ...request,
          system:
            system === undefined
              ? []
              : [withoutUndefined<TextPart>({ kind: 'text', text: system[0], cache: system[1] })],
          builtins: [],
          toolChoice,
          // It says nothing where no tool may be called.
          parallelTools: names.length === 0 || toolChoice?.mode === 'none' ? undefined : request.parallelTools,
          extra: { dialect: 'openai-chat', fields: {} },
        } satisfies CanonRequest),
      )
    })
}

/** Requests of some features each: of all at once, most would be refused for the one that a provider cannot take. */
export function anyRequests(prover: ChatDialect): fc.Arbitrary<CanonRequest> {
  return fc
    .subarray([...REQUEST_FEATURES])
    .map((features) => new Set(features))
    .chain((features) => requests(features, prover))
}

function withoutUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value
}

function cacheMark(may: May): fc.Arbitrary<CacheMark | undefined> {
  return may('cache', fc.constantFrom<CacheMark>({ ttl: '5m' }, { ttl: '1h' }))
}

type Has = (feature: RequestFeature) => boolean

/** Rounds of a question, perhaps calls with their results, and an answer; the last question is open. */
function turns(may: May, has: Has, prover: ChatDialect): fc.Arbitrary<readonly Turn[]> {
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

/** Thoughts as they were given, with their proof; or bare, as clients keep them that know no proofs. */
function thought(may: May, prover: ChatDialect): fc.Arbitrary<ReasoningPart | undefined> {
  const proved = may('reasoning', fc.tuple(words, sealed))
  return fc.tuple(proved, may('bare_reasoning', words)).map(([given, bare]): ReasoningPart | undefined => {
    if (given !== undefined) {
      return { kind: 'reasoning', text: given[0], proof: { dialect: prover, value: given[1] } }
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

/** Calls of one assistant turn, and the turn of all their results. */
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

/** Ids that no other call of the conversation has. */
function uniqueCalls(all: readonly Turn[]): readonly Turn[] {
  return all.map((turn, at) => ({
    ...turn,
    parts: turn.parts.map((part) => {
      if (part.kind === 'tool-call') return { ...part, id: `call_${at}_${part.id}` }
      return part.kind === 'tool-result' ? { ...part, callId: `call_${at - 1}_${part.callId}` } : part
    }),
  }))
}

function tools(may: May, has: Has): fc.Arbitrary<readonly Tool[]> {
  if (!has('tools')) return fc.constant([])
  const details = fc.record({
    description: words,
    schema,
    strict: may('tool_strict', fc.constant(true)),
    custom: may('tool_custom', fc.constant({})),
    cache: cacheMark(may),
  })
  return fc.tuple(details, details).map((both) =>
    both.map(({ description, schema: given, strict, custom, cache }, at) =>
      custom === undefined
        ? withoutUndefined<Tool>({
            name: ['get_weather', 'search'][at] ?? '',
            description,
            schema: given,
            strict,
            cache,
          })
        : { name: ['get_weather', 'search'][at] ?? '', description, custom },
    ),
  )
}

function choice(may: May): fc.Arbitrary<((names: readonly string[]) => ToolChoice) | undefined> {
  const plain = may('tool_choice', fc.constantFrom<ToolChoice['mode']>('auto', 'none', 'required', 'named'))
  const allowed = may('allowed_tools', fc.boolean())
  return fc.tuple(plain, allowed).map(([mode, required]) => {
    if (required !== undefined)
      return (names: readonly string[]) => ({ mode: 'allowed', names: names.slice(0, 1), required })
    if (mode === undefined || mode === 'allowed') return undefined
    return ([name = '']: readonly string[]) => (mode === 'named' ? { mode, name } : { mode })
  })
}

function format(may: May): fc.Arbitrary<AnswerFormat | undefined> {
  return fc
    .tuple(may('json', fc.constant({ type: 'json' } as const)), may('schema', schema))
    .map(([json, given]) =>
      given === undefined ? json : { type: 'schema', schema: given, name: 'answer', strict: true },
    )
}

function wish(may: May): fc.Arbitrary<ReasoningWish | undefined> {
  return fc
    .tuple(
      may('effort', fc.constantFrom('low', 'medium', 'high')),
      may('budget', fc.integer({ min: 1_100, max: 1_900 })),
      may('adaptive', fc.constant(true)),
      may('off', fc.constant(true)),
    )
    .map(([effort, budget, adaptive, off]): ReasoningWish | undefined => {
      if (off !== undefined) return { off }
      if (adaptive !== undefined) return { adaptive }
      if (budget !== undefined) return { budget }
      return effort === undefined ? undefined : { effort }
    })
}

function sampling(may: May): fc.Arbitrary<Sampling> {
  const logprobs = may('logprobs', fc.integer({ min: 1, max: 5 }))
  const penalties = may('penalties', fc.tuple(fc.constantFrom(0.25, 0.5), fc.constantFrom(0.125, 0.75)))
  return fc
    .record({
      // Anthropic's newer models take only one of the two.
      temperature: may('temperature', fc.constantFrom(0.25, 0.5, 0.875)),
      topP: may('top_p', fc.constantFrom(0.3125, 0.9375)),
      topK: may('top_k', fc.integer({ min: 11, max: 60 })),
      stop: may('stop', fc.uniqueArray(words, { minLength: 1, maxLength: 2 })),
      n: may('n', fc.constantFrom(2, 3)),
      seed: may('seed', fc.integer({ min: 70_000, max: 80_000 })),
      logitBias: may('logit_bias', fc.constant({ '5023': -7 })),
      top: logprobs,
      penalties,
    })
    .map(({ top, penalties: given, ...plain }) =>
      withoutUndefined<Sampling>({
        ...plain,
        logprobs: top === undefined ? undefined : true,
        topLogprobs: top,
        presencePenalty: given?.[0],
        frequencyPenalty: given?.[1],
      }),
    )
}
