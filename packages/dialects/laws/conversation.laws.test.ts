import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isInexpressible, type UpstreamCodec } from '../src/canon/codec.ts'
import type { CanonRequest } from '../src/canon/request.ts'
import type { JsonObject } from '../src/json-value.ts'
import { closedCuts, conversations } from './arbitrary/conversations.ts'
import { UPSTREAM_CODECS } from './codecs.ts'
import { CONVERSATION_RULES, conversationFault, type ConversationRules } from './conversation-rules.ts'
import { TARGET } from './request-laws.ts'

const RUNS = { numRuns: 150 }

const PROVIDERS = UPSTREAM_CODECS.flatMap((codec) => {
  const rules = CONVERSATION_RULES[codec.dialect]
  return rules === undefined ? [] : [{ dialect: codec.dialect, codec, rules }]
})

/** Excludes the provider's own dialect, whose clients are trusted. */
function sent(codec: UpstreamCodec, request: CanonRequest): JsonObject {
  fc.pre(request.extra.dialect !== codec.dialect)
  const encoded = codec.encodeRequest(request, TARGET)
  if (isInexpressible(encoded)) throw new Error(`${encoded.field} ${encoded.rule}`)
  return encoded.body
}

const told = (rules: ConversationRules, body: JsonObject) =>
  rules.blocks(body).map(({ role, value }) => `${role} ${JSON.stringify(value)}`)

describe.each(PROVIDERS)('conversations at $dialect', ({ codec, rules }) => {
  test('whatever a client sends, each call has one result right behind it, no id repeats, and speakers take turns', () => {
    fc.assert(
      fc.property(conversations, (request) => {
        expect(conversationFault(sent(codec, request), rules)).toBeUndefined()
      }),
      RUNS,
    )
  })

  test('everything that was said arrives', () => {
    fc.assert(
      fc.property(conversations, (request) => {
        const whole = JSON.stringify(sent(codec, request))
        const parts = request.turns.flatMap((turn) => turn.parts)
        const results = parts.flatMap((part) => (part.kind === 'tool-result' ? part.parts : []))
        for (const part of [...parts, ...results]) {
          if (part.kind === 'text') expect(whole).toContain(JSON.stringify(part.text.trim()).slice(1, -1))
        }
      }),
      RUNS,
    )
  })

  test('a conversation that grows begins with the same bytes, so that prompt caches are hit', () => {
    fc.assert(
      fc.property(conversations, fc.nat(99), (request, at) => {
        const cuts = closedCuts(request.turns)
        const cut = cuts[at % Math.max(cuts.length, 1)]
        fc.pre(cut !== undefined)
        const [before, after] = [{ ...request, turns: request.turns.slice(0, cut) }, request].map((one) =>
          told(rules, sent(codec, one)),
        )
        expect(after?.slice(0, before?.length)).toStrictEqual(before)
      }),
      RUNS,
    )
  })

  test('the rules find a result that is missing, and an id that repeats', () => {
    const ids = ['a', 'b']
    const turns: CanonRequest['turns'] = [
      { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] },
      { role: 'assistant', parts: ids.map((id) => ({ kind: 'tool-call', id, name: 'f', args: '{}' })) },
      { role: 'tool', parts: ids.map((callId) => ({ kind: 'tool-result', callId, parts: [] })) },
    ]
    const request: CanonRequest = { ...CONVERSATION, turns }
    const body = sent(codec, request)
    const broken = (change: (text: string) => string) =>
      conversationFault(JSON.parse(change(JSON.stringify(body))), rules)
    expect(conversationFault(body, rules)).toBeUndefined()
    expect(broken((text) => text.replaceAll('"b"', '"a"'))).toMatch(/second/)
    const last = (text: string) => text.lastIndexOf('"b"')
    expect(broken((text) => `${text.slice(0, last(text))}"c"${text.slice(last(text) + 3)}`)).toMatch(/without a call/)
  })
})

const CONVERSATION: CanonRequest = {
  model: 'm',
  stream: false,
  system: [],
  turns: [],
  tools: [{ name: 'f' }],
  builtins: [],
  sampling: {},
  extra: { dialect: 'coze', fields: {} },
}
