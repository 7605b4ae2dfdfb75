import { describe, expect, it, test } from 'vitest'
import type { ModelTraits } from '../../canon/codec.ts'
import { lossesText } from '../../canon/losses.ts'
import type { JsonObject } from '../../json-value.ts'
import { applyQuirks } from './apply-quirks.ts'
import type { Quirk } from './quirk.ts'

function fit(body: JsonObject, quirks: readonly Quirk[], takes: ModelTraits = {}) {
  const { body: fitted, losses } = applyQuirks(body, quirks, { model: 'm', takes })
  return [fitted, lossesText(losses)]
}

describe('settings', () => {
  test.each<readonly [Quirk, JsonObject, JsonObject, string]>([
    ['max-tokens-only', { max_completion_tokens: 9 }, { max_tokens: 9 }, ''],
    [
      'max-tokens-only',
      { max_completion_tokens: 9, max_tokens: 5 },
      { max_tokens: 5 },
      'max_completion_tokens dropped',
    ],
    ['no-stream-options', { stream: true, stream_options: { include_usage: true } }, { stream: true }, ''],
    ['no-store', { store: true, metadata: { a: 'b' }, top_k: 4 }, { top_k: 4 }, 'store dropped, metadata dropped'],
    ['no-store', { store: false, verbosity: null }, {}, ''],
    ['clamp-sampling', { temperature: 0, top_p: 1 }, { temperature: 0.01 }, 'temperature changed'],
    ['clamp-sampling', { temperature: 1.5, top_p: 0.5 }, { temperature: 0.99, top_p: 0.5 }, 'temperature changed'],
    [
      'known-fields-only',
      { user: 'u', seed: 7, tools: [], safe_prompt: true },
      { safe_prompt: true, random_seed: 7 },
      'user dropped',
    ],
    ['no-logprobs', { logprobs: true, logit_bias: {}, n: 1 }, {}, 'logprobs dropped, logit_bias dropped'],
    ['tool-stream', { stream: true, tools: [{}] }, { stream: true, tools: [{}], tool_stream: true }, ''],
  ])('%s: %o', (quirk, body, expected, losses) => {
    expect(fit(body, [quirk])).toStrictEqual([expected, losses])
  })

  it('leaves sampling out for models that do not let a client choose it', () => {
    const body = { temperature: 0.5, presence_penalty: 0 }
    expect(fit(body, ['fixed-sampling'], { sampling: 'none' })).toStrictEqual([{}, 'temperature dropped'])
    expect(fit(body, ['fixed-sampling'], { sampling: 'all' })).toStrictEqual([body, ''])
  })

  it('leaves sampling out for models that do not let a client choose it while they think', () => {
    const takes = { sampling: 'unless-thinking' } as const
    const body = { temperature: 0.5, reasoning_effort: 'high' }
    expect(fit(body, ['fixed-sampling'], takes)).toStrictEqual([{ reasoning_effort: 'high' }, 'temperature dropped'])
    const plain = { temperature: 0.5, reasoning_effort: 'none' }
    expect(fit(plain, ['fixed-sampling'], takes)).toStrictEqual([plain, ''])
  })

  test.each<readonly [ModelTraits['sampling'], JsonObject, JsonObject, string]>([
    ['all', { max_tokens: 5 }, { max_tokens: 5 }, ''],
    ['all', { max_completion_tokens: 9, max_tokens: 9 }, { max_completion_tokens: 9 }, ''],
    ['all', { max_completion_tokens: 9, max_tokens: 5 }, { max_completion_tokens: 9 }, 'max_tokens dropped'],
    ['all', { max_completion_tokens: null, max_tokens: 5 }, { max_completion_tokens: null, max_tokens: 5 }, ''],
    [undefined, { max_completion_tokens: 9, max_tokens: null }, { max_completion_tokens: 9 }, ''],
    ['none', { max_tokens: 5 }, { max_completion_tokens: 5 }, ''],
    ['unless-thinking', { max_tokens: 5 }, { max_completion_tokens: 5 }, ''],
  ])('sampling %s, one-cap: %o', (sampling, body, expected, losses) => {
    expect(fit(body, ['one-cap'], { sampling })).toStrictEqual([expected, losses])
  })
})

describe('messages', () => {
  const fitOne = (message: JsonObject, ...quirks: readonly Quirk[]) => {
    const [body, losses] = fit({ messages: [message] }, quirks)
    return [(body as { messages: unknown[] }).messages[0], losses]
  }

  test.each<readonly [Quirk, JsonObject, JsonObject, string]>([
    ['no-developer', { role: 'developer', content: 'x' }, { role: 'system', content: 'x' }, ''],
    [
      'string-content',
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'user', content: 'a\nb' },
      '',
    ],
    [
      'string-tool-content',
      { role: 'tool', tool_call_id: 'x', content: [{ type: 'text', text: 'a' }] },
      { role: 'tool', tool_call_id: 'x', content: 'a' },
      '',
    ],
    [
      'no-null-content',
      { role: 'assistant', content: null, tool_calls: [] },
      { role: 'assistant', content: '', tool_calls: [] },
      '',
    ],
    [
      'needs-reasoning',
      { role: 'assistant', content: null, tool_calls: [{}] },
      { role: 'assistant', content: null, tool_calls: [{}], reasoning_content: '' },
      '',
    ],
    [
      'no-logprobs',
      { role: 'user', name: 'ann', content: 'x' },
      { role: 'user', content: 'x' },
      'messages[].name dropped',
    ],
    [
      'known-fields-only',
      { role: 'assistant', content: 'x', refusal: null, annotations: [], reasoning_content: 'Hm.' },
      { role: 'assistant', content: 'x' },
      'reasoning_content dropped',
    ],
  ])('%s: %o', (quirk, message, expected, losses) => {
    expect(fitOne(message, quirk)).toStrictEqual([expected, losses])
  })

  it('keeps lists that hold more than text', () => {
    const message = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }
    expect(fitOne(message, 'string-content')).toStrictEqual([message, ''])
  })

  it('gives calls and their results the same short ids', () => {
    const messages = [
      { role: 'assistant', tool_calls: [{ id: 'call_with_a_long_name' }, { id: 'abcdefgh1' }] },
      { role: 'tool', tool_call_id: 'call_with_a_long_name', content: 'x' },
      { role: 'tool', tool_call_id: 'abcdefgh1', content: 'x' },
    ]
    const [body] = fit({ messages }, ['short-tool-ids'])
    const made = expect.stringMatching(/^[A-Za-z0-9]{9}$/)
    expect(body).toMatchObject({
      messages: [
        { tool_calls: [{ id: made }, { id: 'abcdefgh1' }] },
        { tool_call_id: made },
        { tool_call_id: 'abcdefgh1' },
      ],
    })
    const ids = new Set(JSON.stringify(body).match(/(?<="(?:id|tool_call_id)":")\w+/g))
    expect(ids.size).toBe(2)
  })
})

describe('tools and formats', () => {
  it('leaves out strictness', () => {
    const tool = { type: 'function', function: { name: 'f', strict: true } }
    expect(fit({ tools: [tool] }, ['no-strict-tools'])).toStrictEqual([
      { tools: [{ type: 'function', function: { name: 'f' } }] },
      'tools[].strict dropped',
    ])
  })

  it('puts a schema into words, after the instructions if there are some', () => {
    const format = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } }
    const rule = 'Answer with one JSON object that matches this JSON Schema:\n{"type":"object"}'
    const ask = { role: 'user', content: 'x' }
    expect(fit({ response_format: format, messages: [ask] }, ['no-json-schema'])).toStrictEqual([
      { response_format: { type: 'json_object' }, messages: [{ role: 'system', content: rule }, ask] },
      'response_format changed',
    ])
    const [body] = fit({ response_format: format, messages: [{ role: 'system', content: 'Be brief.' }, ask] }, [
      'no-json-schema',
    ])
    expect(body).toMatchObject({ messages: [{ role: 'system', content: `Be brief.\n\n${rule}` }, ask] })
  })
})

describe('thinking', () => {
  const EFFORTS = { efforts: ['low', 'high'] } as const
  test.each<readonly [Quirk, JsonObject, ModelTraits, JsonObject, string]>([
    ['thinking-type', { reasoning_effort: 'none' }, {}, { thinking: { type: 'disabled' } }, ''],
    [
      'thinking-type',
      { reasoning_effort: 'high' },
      EFFORTS,
      { thinking: { type: 'enabled' }, reasoning_effort: 'high' },
      '',
    ],
    [
      'thinking-type',
      { thinking: { type: 'enabled', budget_tokens: 9_000, clear_thinking: false } },
      { thinking: 'switch' },
      { thinking: { type: 'enabled', clear_thinking: false } },
      'reasoning budget changed, reasoning_effort changed',
    ],
    ['enable-thinking', { reasoning: { enabled: false } }, {}, { enable_thinking: false }, ''],
    [
      'enable-thinking',
      { reasoning_effort: 'low' },
      {},
      { enable_thinking: true, thinking_budget: 2_048 },
      'reasoning_effort changed',
    ],
    ['enable-thinking', { thinking_budget: 500 }, {}, { enable_thinking: true, thinking_budget: 500 }, ''],
    [
      'enable-thinking',
      { reasoning_effort: 'max' },
      EFFORTS,
      { enable_thinking: true, reasoning_effort: 'high' },
      'reasoning_effort changed',
    ],
    ['reasoning-object', { reasoning_effort: 'low' }, {}, { reasoning: { effort: 'low' } }, ''],
    [
      'reasoning-object',
      { thinking: { type: 'enabled', budget_tokens: 3_000 }, reasoning: { exclude: true } },
      {},
      { reasoning: { exclude: true, max_tokens: 3_000 } },
      '',
    ],
    [
      'reasoning-enabled',
      { reasoning_effort: 'low' },
      EFFORTS,
      { reasoning: { enabled: true }, reasoning_effort: 'low' },
      '',
    ],
    [
      'google-thinking',
      { thinking_budget: 700 },
      {},
      { extra_body: { google: { thinking_config: { include_thoughts: true, thinking_budget: 700 } } } },
      '',
    ],
    ['google-thinking', { reasoning_effort: 'none' }, {}, { reasoning_effort: 'none' }, ''],
    ['reasoning-split', { reasoning_effort: 'low' }, {}, { reasoning_split: true }, 'reasoning_effort dropped'],
    ['reasoning-split', {}, {}, { reasoning_split: true }, ''],
    ['enable-thinking', { reasoning_effort: 'low' }, { thinking: 'forced' }, {}, 'reasoning_effort dropped'],
    ['enable-thinking', { reasoning_effort: 'none' }, { thinking: 'none' }, {}, ''],
    [
      'thinking-type',
      { reasoning_effort: 'none' },
      { thinking: 'effort', efforts: ['low', 'max'] },
      { reasoning_effort: 'low' },
      'reasoning_effort changed',
    ],
    [
      'thinking-type',
      { thinking: { type: 'enabled' }, reasoning_effort: 'minimal' },
      { thinking: 'switch', efforts: ['none', 'high'] },
      { thinking: { type: 'enabled' }, reasoning_effort: 'high' },
      'reasoning_effort changed',
    ],
    ['thinking-type', { temperature: 1 }, {}, { temperature: 1 }, ''],
    ['thinking-type', { reasoning_effort: 7 }, {}, { reasoning_effort: 7 }, ''],
  ])('%s: %o of a model with %o', (quirk, body, takes, expected, losses) => {
    expect(fit(body, [quirk], takes)).toStrictEqual([expected, losses])
  })
})
