import { expect, test } from 'vitest'
import { fitRequest } from './fit-request.ts'
import type { CanonRequest } from './request.ts'

const REQUEST: CanonRequest = {
  model: 'm',
  stream: false,
  system: [],
  turns: [
    { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] },
    { role: 'assistant', parts: [{ kind: 'text', text: 'Good' }] },
  ],
  tools: [{ name: 'f' }],
  builtins: [],
  toolChoice: { mode: 'required' },
  format: { type: 'schema', schema: { type: 'object' } },
  reasoning: { off: true },
  sampling: {},
  extra: { dialect: 'openai-chat', fields: {} },
}

test('a model of which nothing is known, or that takes all, is sent the request itself', () => {
  for (const takes of [{}, { prefill: true, schemas: true }]) {
    const { request, losses } = fitRequest(REQUEST, { takes, hasSwitch: true })
    expect(request).toBe(REQUEST)
    expect(losses).toEqual([])
  }
})

test('what is changed for one rule is left alone by the others', () => {
  const takes = { forcedCalls: 'refused', thinkingOff: 'refused', prefill: false, schemas: false } as const
  const { request, losses } = fitRequest(REQUEST, { takes: { ...takes, efforts: ['low', 'high'] }, hasSwitch: false })
  expect(request).toMatchObject({ toolChoice: { mode: 'auto' }, reasoning: { effort: 'low' }, tools: REQUEST.tools })
  expect(request.turns.slice(0, 2)).toEqual(REQUEST.turns)
  expect(request).not.toHaveProperty('format')
  expect(losses.map(({ what }) => what)).toEqual([
    'tool_choice',
    'reasoning_effort',
    'messages',
    'response_format',
    'system',
  ])
  expect(fitRequest(request, { takes, hasSwitch: false }).losses).toEqual([])
})

test('an open call cannot be continued as an answer', () => {
  const call = { kind: 'tool-call', id: 'c', name: 'f', args: '{}' } as const
  const open = { ...REQUEST, turns: [...REQUEST.turns, { role: 'assistant', parts: [call] } as const] }
  expect(fitRequest(open, { takes: { prefill: false }, hasSwitch: false }).request).toBe(open)
})
