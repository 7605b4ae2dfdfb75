import { describe, expect, test } from 'vitest'
import { isInexpressible } from '../src/canon/codec.ts'
import { lossesText } from '../src/canon/losses.ts'
import type { CanonRequest } from '../src/canon/request.ts'
import { UPSTREAM_CODECS } from './codecs.ts'
import { TARGET } from './request-laws.ts'
import { EMPTY_REQUEST } from './views.ts'

/** Settings that are easily dropped silently, sent to each provider's dialect by a client of another one. */
const CONVERSATION: CanonRequest = {
  ...EMPTY_REQUEST,
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
}

describe.each(UPSTREAM_CODECS.map((codec) => [codec.dialect, codec] as const))('%s', (_, codec) => {
  const encode = (request: Partial<CanonRequest>) => {
    const encoded = codec.encodeRequest({ ...CONVERSATION, ...request }, TARGET)
    if (isInexpressible(encoded)) throw new Error(`${encoded.field} ${encoded.rule}`)
    return { body: JSON.stringify(encoded.body), lost: lossesText(encoded.losses) }
  }

  test('lists log probabilities as lost where the answer has none', () => {
    const { body, lost } = encode({ sampling: { logprobs: true, topLogprobs: 3 } })
    expect([body.includes('logprobs'), lost]).toStrictEqual([false, 'logprobs dropped, top_logprobs dropped'])
  })

  test('lists no loss where nothing was requested, as LibreChat and Open WebUI do', () => {
    const idle = {
      n: 1,
      presencePenalty: 0,
      frequencyPenalty: 0,
      logprobs: false,
      topLogprobs: 0,
      logitBias: {},
      stop: [],
    }
    expect(
      encode({ sampling: idle, toolChoice: { mode: 'auto' }, modalities: ['text'], serviceTier: 'auto' }).lost,
    ).toBe('')
  })

  test.each([
    { mode: 'required' },
    { mode: 'named', name: 'find' },
    { mode: 'allowed', names: ['find'], required: true },
  ] as const)('lists as lost that a tool must be called where there are no tools: %o', (toolChoice) => {
    const { body, lost } = encode({ toolChoice })
    expect(body).not.toMatch(/tool_?choice|toolConfig/i)
    expect(lost).toMatch(/tool_choice/)
  })

  test('passes on the grammar of a free text tool, which Codex relies on for its patches, or lists it as lost', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: begin_patch' }
    const { body, lost } = encode({ tools: [{ name: 'apply_patch', description: 'Edit files.', custom: { format } }] })
    expect(body.includes('begin_patch') || lost.includes('tools dropped')).toBe(true)
  })

  test('names no tool of another provider that it does not have', () => {
    const search = { type: 'shell_20990101', name: 'shell' }
    const { body, lost } = encode({
      tools: [{ name: 'find' }],
      builtins: [{ dialect: 'anthropic-messages', purpose: 'other', name: 'shell_20990101', value: search }],
      toolChoice: { mode: 'named', name: 'shell' },
      extra: { dialect: 'anthropic-messages', fields: {} },
    })
    if (codec.dialect === 'anthropic-messages') expect(body).toContain('"tool_choice":{"type":"tool","name":"shell"}')
    else {
      expect(body).not.toContain('"shell"')
      expect(lost).toContain('tool_choice')
    }
  })
})
