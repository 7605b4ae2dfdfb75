import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBodyRefusal } from '../../body-refusal.ts'
import { splice } from '../../splice/splice.ts'
import { identifyChat } from '../identify.ts'
import { type ChatEdits, rewriteChat } from './rewrite.ts'

interface Body {
  [key: string]: unknown
  model: string
  messages: { role: string; content: unknown }[]
  stream?: boolean
  stream_options?: { include_usage?: boolean; [key: string]: unknown } | null
}

const message = fc.record({
  role: fc.constantFrom('user', 'assistant', 'system', 'developer', 'tool'),
  content: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant(null), fc.constant([{ type: 'text', text: 'x' }])),
})
const options = fc.constantFrom<NonNullable<Body['stream_options']> | null>(
  null,
  {},
  { include_usage: false },
  { include_usage: true },
  { include_obfuscation: false },
  { include_obfuscation: false, include_usage: false },
)
const members = fc.record<Body, 'model' | 'messages'>(
  {
    model: fc.constantFrom('gpt-4o', 'm"\\\n', '\u6a21\u578b'),
    messages: fc.array(message, { minLength: 1, maxLength: 4 }),
    stream: fc.boolean(),
    stream_options: options,
    unknown: fc.jsonValue(),
  },
  { requiredKeys: ['model', 'messages'] },
)
/** Members in any order, with or without white space. */
const bodyText = fc
  .tuple(members, fc.constantFrom(undefined, 2, '\t'), fc.func(fc.integer()))
  .map(([body, indent, rank]) => {
    const entries = Object.entries(body).sort(([a], [b]) => rank(a) - rank(b))
    return JSON.stringify(Object.fromEntries(entries), null, indent)
  })
const edits = fc.record<ChatEdits, never>(
  {
    model: fc.constantFrom('gpt-4o', 'upstream-"name"'),
    askUsage: fc.boolean(),
    systemPrompt: fc.constantFrom('', 'Be "kind".\n', '\u5584'),
  },
  { requiredKeys: [] },
)

/** The same edits on the parsed value. */
function editValue(body: Body, { model, askUsage, systemPrompt }: ChatEdits): Body {
  const edited = structuredClone(body)
  if (model !== undefined) edited.model = model
  if (askUsage === true && edited.stream === true)
    edited.stream_options = { ...edited.stream_options, include_usage: true }
  if (systemPrompt !== undefined && systemPrompt !== '') {
    const system = edited.messages.find(({ role }) => role === 'system' || role === 'developer')
    if (system === undefined) edited.messages.unshift({ role: 'system', content: systemPrompt })
    else system.content = systemPrompt
  }
  return edited
}

test('a rewritten body parses to the edited value, and the original bytes are not touched', () => {
  fc.assert(
    fc.property(bodyText, edits, (text, wanted) => {
      const body = new TextEncoder().encode(text)
      const request = identifyChat(body)
      if (isBodyRefusal(request)) throw new Error(JSON.stringify(request))
      const splices = rewriteChat(body, request, wanted)
      if (isBodyRefusal(splices)) throw new Error(JSON.stringify(splices))
      const chunks = splice(body, splices)
      const rewritten = JSON.parse(
        new TextDecoder().decode(Uint8Array.from(chunks.flatMap((part) => [...part]))),
      ) as unknown
      expect(rewritten).toStrictEqual(editValue(JSON.parse(text) as Body, wanted))
      expect(new TextDecoder().decode(body)).toBe(text)
    }),
    { numRuns: 500 },
  )
})

test('a body that needs no edit is sent as the very same bytes', () => {
  fc.assert(
    fc.property(bodyText, (text) => {
      const body = new TextEncoder().encode(text)
      const request = identifyChat(body)
      if (isBodyRefusal(request)) throw new Error(JSON.stringify(request))
      const splices = rewriteChat(body, request, { model: request.model, systemPrompt: '' })
      expect(splices).toStrictEqual([])
    }),
  )
})
