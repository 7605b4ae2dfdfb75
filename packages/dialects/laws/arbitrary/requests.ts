import * as fc from 'fast-check'
import type { ChatDialect, TextPart } from '../../src/canon/parts.ts'
import type { AnswerFormat, CanonRequest, ReasoningWish, Sampling, Tool, ToolChoice } from '../../src/canon/request.ts'
import { freeze } from '../freeze.ts'
import {
  cacheMark,
  type Has,
  type May,
  REQUEST_FEATURES,
  type RequestFeature,
  withoutUndefined,
} from './request-features.ts'
import { turns } from './turns.ts'
import { schema, words } from './words.ts'

/** Well-formed requests with only these features. Signatures in the history are those of the dialect `prover`. */
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
          // Meaningless where no tool may be called.
          parallelTools: names.length === 0 || toolChoice?.mode === 'none' ? undefined : request.parallelTools,
          extra: { dialect: 'openai-chat', fields: {} },
        } satisfies CanonRequest),
      )
    })
}

/** Each request has a few features: with all of them, most would be refused for the one that a provider does not support. */
export function anyRequests(prover: ChatDialect): fc.Arbitrary<CanonRequest> {
  return fc
    .subarray([...REQUEST_FEATURES])
    .map((features) => new Set(features))
    .chain((features) => requests(features, prover))
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
      // Anthropic's newer models accept only one of the two.
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
