import { isInexpressible } from '@sluice/dialects/canon/codec'
import { fitRequest } from '@sluice/dialects/canon/fit-request'
import type { CanonRequest } from '@sluice/dialects/canon/request'
import { styleOf } from '@sluice/dialects/openai-chat/quirks/thinking'
import { describe, expect, test } from 'vitest'
import { adaptersOf } from '../adapters/adapters.ts'
import type { ChannelSetup } from '../channel-setup.ts'
import { kindOf } from '../kinds/all.ts'
import { BATCH_RULES, mostInputs } from './batch-rules.ts'
import { traitsOf } from './capabilities.ts'
import { VENDOR_RULES } from './rules.ts'

/** What a provider of a kind is sent for a client of another dialect: each rule, wherever its models are reached. */
const [OPENAI, AZURE, ANTHROPIC, ZHIPU, OPENROUTER, MOONSHOT, MISTRAL, AWS, DEEPSEEK, VERTEX, BAILIAN, OTHER] = [
  1, 3, 14, 16, 20, 25, 28, 33, 36, 42, 49, 50,
]
const KEYS: Readonly<Record<number, string>> = { [AWS]: 'AK|SK|eu-west-1', [VERTEX]: 'global|my-project|{}' }
const BASES: Readonly<Record<number, string>> = {
  [AZURE]: 'https://r.services.ai.azure.com',
  [OTHER]: 'https://x.example',
}
/** A dialect per client that the kind in question does not pass on. */
const CLIENTS = { gemini: '/v1beta/models/m:generateContent', 'openai-chat': '/v1/chat/completions' } as const

function sent(code: number, model: string, more: Partial<CanonRequest>, client: keyof typeof CLIENTS = 'gemini') {
  const kind = kindOf(code)
  if (kind === undefined) throw new Error(`no kind ${code}`)
  const setup: ChannelSetup = {
    kind,
    key: KEYS[code] ?? 'k',
    baseUrl: BASES[code] ?? '',
    config: {},
    other: '',
    inferenceProfileArnMap: null,
  }
  const adapters = adaptersOf(setup)
  if ('problem' in adapters) throw new Error(adapters.problem)
  const offered = adapters.adapter({ endpoint: 'chat_completions', path: CLIENTS[client], dialect: client }, model)
  const request: CanonRequest = {
    model,
    stream: false,
    system: [],
    turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
    tools: [],
    builtins: [],
    sampling: {},
    extra: { dialect: client, fields: {} },
    ...more,
  }
  const adapter = offered?.instead?.isNeeded(request) === true ? offered.instead.adapter : offered
  if (adapter?.form.kind !== 'translate') throw new Error('not a translation')
  const takes = traitsOf(model)
  const fitted = fitRequest(request, { takes, hasSwitch: styleOf(adapter.quirks) !== undefined })
  const { quirks } = adapter
  const encoded = adapter.form.codec.encodeRequest(fitted.request, {
    model,
    stream: false,
    takes,
    quirks,
    defaultMaxTokens: 100,
  })
  if (isInexpressible(encoded)) throw new Error(encoded.rule)
  const losses = [...fitted.losses, ...encoded.losses].map(({ what, became }) => `${what} ${became}`)
  return { body: encoded.body, losses: [...new Set(losses)] }
}

const TOOLS: Partial<CanonRequest> = {
  tools: [
    { name: 'f', schema: { type: 'object', properties: {} } },
    { name: 'g', schema: { type: 'object', properties: {} } },
  ],
}
const FORCED: Partial<CanonRequest> = { ...TOOLS, toolChoice: { mode: 'required' } }
const CLAUDE_KINDS = (name: string): readonly (readonly [number, string])[] => [
  [ANTHROPIC, name],
  [AZURE, name],
  [AWS, `us.anthropic.${name}-v1:0`],
  [VERTEX, `${name}@20260922`],
]

describe('thinking switched off', () => {
  const off: Partial<CanonRequest> = { reasoning: { off: true } }

  test.each(CLAUDE_KINDS('claude-opus-5-5'))(
    'of kind %i, %s: the least effort, because it always thinks',
    (kind, model) => {
      const { body, losses } = sent(kind, model, off)
      expect(body).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } })
      expect(losses).toEqual(['reasoning_effort changed'])
    },
  )
  test.each(CLAUDE_KINDS('claude-sonnet-5-5'))('of kind %i, %s: thoughts between calls only', (kind, model) => {
    expect(sent(kind, model, off)).toMatchObject({
      body: { thinking: { type: 'between_tools' } },
      losses: ['reasoning_effort changed'],
    })
  })
  test.each([
    ...CLAUDE_KINDS('claude-opus-5'),
    ...CLAUDE_KINDS('claude-sonnet-4-6'),
    ...CLAUDE_KINDS('claude-haiku-4-5'),
  ])('of kind %i, %s: disabled', (kind, model) => {
    expect(sent(kind, model, off)).toMatchObject({ body: { thinking: { type: 'disabled' } }, losses: [] })
  })
  test.each([
    [OPENAI, 'gpt-6.1-sol'],
    [OPENAI, 'gpt-6-astra-2026-10-01'],
  ])('of kind %i, %s: the least effort', (kind, model) => {
    expect(sent(kind, model, off)).toMatchObject({
      body: { reasoning_effort: 'low' },
      losses: ['reasoning_effort changed'],
    })
  })
})

describe('a call that must be made', () => {
  test.each([
    ...CLAUDE_KINDS('claude-opus-5-5'),
    ...CLAUDE_KINDS('claude-sonnet-5-5'),
    ...CLAUDE_KINDS('claude-fable-5-1'),
  ])('of kind %i, %s: may be made', (kind, model) => {
    const { body, losses } = sent(kind, model, FORCED)
    expect(body['tool_choice']).toEqual({ type: 'auto' })
    expect(losses).toEqual(['tool_choice changed'])
  })
  test('and is named: only that function is offered', () => {
    const { body } = sent(ANTHROPIC, 'claude-opus-5-5', { ...TOOLS, toolChoice: { mode: 'named', name: 'g' } })
    expect(body).toMatchObject({ tools: [{ name: 'g' }], tool_choice: { type: 'auto' } })
  })
  test.each([...CLAUDE_KINDS('claude-opus-5'), ...CLAUDE_KINDS('claude-sonnet-5')])(
    'of kind %i, %s: thinking, which is on by default, is off',
    (kind, model) => {
      const { body } = sent(kind, model, FORCED)
      expect(body).toMatchObject({ tool_choice: { type: 'any' }, thinking: { type: 'disabled' } })
    },
  )
  test.each([
    [DEEPSEEK, 'deepseek-v4-pro', { thinking: { type: 'disabled' } }],
    [MOONSHOT, 'kimi-k2.6', { thinking: { type: 'disabled' } }],
    [BAILIAN, 'qwen3.7-plus', { enable_thinking: false }],
  ])('of kind %i, %s: thinking is off, whether or not it was asked for', (kind, model, off) => {
    expect(sent(kind, model, FORCED)).toMatchObject({ body: { tool_choice: 'required', ...off }, losses: [] })
    expect(sent(kind, model, { ...FORCED, reasoning: { effort: 'high' } })).toMatchObject({
      body: { tool_choice: 'required', ...off },
      losses: ['reasoning_effort dropped'],
    })
  })
  test.each([
    [DEEPSEEK, 'deepseek-reasoner'],
    [BAILIAN, 'qwen3-235b-a22b-thinking-2507'],
  ])('of kind %i, %s, which always thinks: may be made', (kind, model) => {
    expect(sent(kind, model, FORCED)).toMatchObject({ body: { tool_choice: 'auto' }, losses: ['tool_choice changed'] })
  })
  test('of a server that nothing is known of: as asked, and its thinking is its own business', () => {
    expect(sent(OTHER, 'deepseek-v4-pro', FORCED).body).not.toHaveProperty('thinking')
    expect(sent(OTHER, 'home-made', FORCED)).toMatchObject({ body: { tool_choice: 'required' }, losses: [] })
  })
})

describe('an answer to be continued', () => {
  const prefilled: Partial<CanonRequest> = {
    turns: [
      { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] },
      { role: 'assistant', parts: [{ kind: 'text', text: 'Good' }] },
    ],
  }
  test.each([
    ...CLAUDE_KINDS('claude-opus-4-6'),
    ...CLAUDE_KINDS('claude-sonnet-5'),
    ...CLAUDE_KINDS('claude-haiku-5-5'),
    [OPENROUTER, 'anthropic/claude-opus-4.6'] as const,
    [OPENROUTER, 'anthropic/claude-4.7-opus'] as const,
  ])('of kind %i, %s: its client is told to ask for the rest', (kind, model) => {
    const { body, losses } = sent(kind, model, prefilled)
    expect((body['messages'] as unknown[]).at(-1)).toMatchObject({ role: 'user' })
    expect(losses).toEqual(['messages changed'])
  })
  test.each([
    ...CLAUDE_KINDS('claude-sonnet-4-5'),
    [OPENROUTER, 'anthropic/claude-sonnet-4.5'] as const,
    [ZHIPU, 'glm-5.2'] as const,
  ])('of kind %i, %s: as it is', (kind, model) => {
    const { body, losses } = sent(kind, model, prefilled)
    expect((body['messages'] as unknown[]).at(-1)).toMatchObject({ role: 'assistant' })
    expect(losses).toEqual([])
  })
  test('of Mistral: marked as the beginning of the answer', () => {
    expect(sent(MISTRAL, 'mistral-large-latest', prefilled)).toMatchObject({
      body: { messages: [{ role: 'user' }, { role: 'assistant', content: 'Good', prefix: true }] },
      losses: ['messages changed'],
    })
  })
})

describe('sampling', () => {
  const warm: Partial<CanonRequest> = { sampling: { temperature: 0.5, topP: 0.9, logitBias: { 1: 2 } } }

  test.each([
    [OPENAI, 'gpt-5.6-sol', {}, ['temperature dropped', 'top_p dropped', 'logit_bias dropped']],
    [OPENAI, 'gpt-5.6-luna', { reasoning: { off: true } }, ['logit_bias dropped']],
    [OPENAI, 'gpt-5.2', {}, ['logit_bias dropped']],
    [OPENAI, 'gpt-4o-2024-08-06', {}, []],
    [MOONSHOT, 'kimi-k2.6', {}, ['temperature dropped', 'top_p dropped']],
    [ANTHROPIC, 'claude-opus-4-7', {}, ['temperature dropped', 'top_p dropped', 'logit_bias dropped']],
    [ANTHROPIC, 'claude-sonnet-4-5', {}, ['top_p dropped', 'logit_bias dropped']],
    [OPENROUTER, 'anthropic/claude-sonnet-4.5', {}, []],
  ])('of kind %i, %s with %j', (kind, model, more, losses) => {
    const { body, losses: found } = sent(kind, model, { ...warm, ...more })
    expect(found.toSorted()).toEqual(losses.toSorted())
    expect('temperature' in body).toBe(!losses.includes('temperature dropped'))
  })
})

describe('efforts become the nearest that a model knows', () => {
  test.each([
    [OPENAI, 'gpt-5.6-terra', 'max', { reasoning: { effort: 'max' }, store: false }],
    [OPENAI, 'gpt-5.6-sol', 'xhigh', { reasoning_effort: 'xhigh' }],
    [OPENAI, 'gpt-5.5', 'max', { reasoning_effort: 'xhigh' }],
    [OPENAI, 'gpt-5.4-mini-2026-03-17', 'minimal', { reasoning_effort: 'low' }],
    [AZURE, 'gpt-5-mini', 'xhigh', { reasoning_effort: 'high' }],
    [ANTHROPIC, 'claude-opus-4-6', 'xhigh', { output_config: { effort: 'max' } }],
    [ANTHROPIC, 'claude-opus-4-7', 'xhigh', { output_config: { effort: 'xhigh' } }],
  ] as const)('of kind %i, %s: %s', (kind, model, effort, body) => {
    expect(sent(kind, model, { reasoning: { effort } })).toMatchObject({ body })
  })
  test.each([
    ['gemini-3-pro-preview', 'medium', 'HIGH'],
    ['gemini-3.1-pro-preview', 'medium', 'MEDIUM'],
    ['gemini-3.5-flash', 'minimal', 'MINIMAL'],
    ['gemini-3.8-flash', 'minimal', 'LOW'],
  ] as const)('of Vertex AI, %s: %s', (model, effort, thinkingLevel) => {
    const { body } = sent(VERTEX, model, { reasoning: { effort } }, 'openai-chat')
    expect(body).toMatchObject({ generationConfig: { thinkingConfig: { thinkingLevel } } })
  })
})

describe('an answer in a JSON schema', () => {
  const schema = {
    type: 'object',
    properties: {
      age: { type: 'integer', minimum: 0, description: 'In years.' },
      tags: { type: 'array', maxItems: 3 },
    },
    required: ['age'],
  }
  const format: Partial<CanonRequest> = { format: { type: 'schema', name: 'n', schema } }

  test.each(CLAUDE_KINDS('claude-opus-4-5'))('of kind %i, %s: bounds become words', (kind, model) => {
    const { body, losses } = sent(kind, model, format)
    expect(body['output_config']).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: {
            age: { type: 'integer', description: 'In years.\nIt keeps to {"minimum":0}.' },
            tags: { type: 'array', description: 'It keeps to {"maxItems":3}.' },
          },
          required: ['age'],
          additionalProperties: false,
        },
      },
    })
    expect(losses).toEqual(['response_format changed'])
  })
  test.each(['claude-3-7-sonnet-20250219', 'claude-sonnet-4-20250514'])(
    'of %s: the schema is put into words',
    (model) => {
      const { body, losses } = sent(ANTHROPIC, model, format)
      expect(body).not.toHaveProperty('output_config')
      expect(JSON.stringify(body['system'])).toContain('minimum')
      expect(losses).toEqual(['response_format changed', 'system changed'])
    },
  )
  test('a strict function’s as well', () => {
    const tools = [{ name: 'f', strict: true, schema }]
    const { body, losses } = sent(ANTHROPIC, 'claude-opus-5', { tools })
    expect(JSON.stringify(body['tools'])).toContain('"additionalProperties":false')
    expect(losses).toEqual(['tools[].function.parameters changed'])
  })
})

describe('the most inputs of one call for embeddings', () => {
  test.each([
    [1, 'text-embedding-3-large', 2_048],
    [24, 'gemini-embedding-001', 100],
    [42, 'gemini-embedding-001', 1],
    [42, 'text-embedding-005', 250],
    [33, 'cohere.embed-v4:0', 96],
    [33, 'amazon.titan-embed-text-v2:0', 1],
    [49, 'text-embedding-v2', 25],
    [49, 'text-embedding-v4', 10],
    [50, 'anything', undefined],
  ])('of kind %i, %s', (kind, model, most) => {
    expect(mostInputs(kind, model)).toBe(most)
  })
  test('are known for kinds that exist and embed', () => {
    for (const { kinds } of BATCH_RULES)
      for (const kind of kinds) expect(kindOf(kind)?.endpoints, `kind ${kind}`).toContain('embeddings')
  })
})

test('every vendor’s rules say where they were read', () => {
  for (const { vendor, sources } of VENDOR_RULES) expect(sources, vendor).toMatch(/\w{3}/)
})
