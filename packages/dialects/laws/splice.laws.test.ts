import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMessagesRequest, setSystem } from '../src/anthropic/request.ts'
import { type BodyRefusal, isBodyRefusal } from '../src/body-refusal.ts'
import { readGeminiRequest, setSystemInstruction } from '../src/gemini/request.ts'
import type { JsonObject } from '../src/json-value.ts'
import { identifyChat } from '../src/openai-chat/identify.ts'
import { replaceText, rewriteChat } from '../src/openai-chat/stream/rewrite.ts'
import { readResponsesRequest, setInstructions } from '../src/openai-responses/request.ts'
import { type Splice, splice } from '../src/splice/splice.ts'
import { bodies } from './arbitrary/bodies.ts'
import { CLIENT_DIALECTS } from './client-dialects.ts'
import { joined } from './views.ts'

const MODEL = 'their-"model"'
const PROMPT = 'Be "kind".\n\u5584'

/** How a dialect sets the provider's model name and the operator's instructions, in bytes and in the value. */
interface Editing {
  readonly splices: (body: Uint8Array) => readonly Splice[] | BodyRefusal
  readonly edited: (body: JsonObject) => unknown
}

function or<Read extends object>(read: Read | BodyRefusal, edit: (request: Read) => readonly Splice[] | BodyRefusal) {
  return isBodyRefusal(read) ? read : edit(read)
}

const EDITING: Readonly<Record<string, Editing>> = {
  'openai-chat': {
    splices: (body) =>
      or(identifyChat(body), (request) => rewriteChat(body, request, { model: MODEL, systemPrompt: PROMPT })),
    edited: (body) => ({ ...body, model: MODEL, messages: withSystem(body['messages'] as JsonObject[]) }),
  },
  'openai-responses': {
    splices: (body) =>
      or(readResponsesRequest(body), (request) => [
        replaceText(request.spans.model, MODEL),
        setInstructions(request, PROMPT),
      ]),
    edited: (body) => ({ ...body, model: MODEL, instructions: PROMPT }),
  },
  'anthropic-messages': {
    splices: (body) =>
      or(readMessagesRequest(body), (request) => [replaceText(request.spans.model, MODEL), setSystem(request, PROMPT)]),
    edited: (body) => ({ ...body, model: MODEL, system: PROMPT }),
  },
  gemini: {
    splices: (body) => or(readGeminiRequest(body), (request) => [setSystemInstruction(request, PROMPT)]),
    edited: (body) => ({ ...body, systemInstruction: { parts: [{ text: PROMPT }] } }),
  },
}

function withSystem(messages: readonly JsonObject[]): readonly JsonObject[] {
  const at = messages.findIndex(({ role }) => role === 'system' || role === 'developer')
  const prompt = { role: 'system', content: PROMPT }
  return at < 0 ? [prompt, ...messages] : messages.with(at, { ...messages[at], content: PROMPT })
}

describe.each(CLIENT_DIALECTS)('bodies in $dialect', (spoken) => {
  const editing = EDITING[spoken.dialect]

  test('splice: a body that is passed on differs only in what was changed', () => {
    const indents = fc.constantFrom(undefined, 2, '\t')
    fc.assert(
      fc.property(
        bodies(spoken),
        fc.dictionary(
          fc.string().map((name) => `x_${name}`),
          fc.jsonValue(),
        ),
        indents,
        (body, more, indent) => {
          const text = JSON.stringify({ ...more, ...body }, null, indent)
          const bytes = new TextEncoder().encode(text)
          const splices = editing?.splices(bytes) ?? []
          if (isBodyRefusal(splices)) throw new Error(JSON.stringify(splices))
          const passed = joined(splice(bytes, splices))
          expect(JSON.parse(new TextDecoder().decode(passed))).toStrictEqual(
            editing?.edited(JSON.parse(text) as JsonObject),
          )
          expect(new TextDecoder().decode(bytes)).toBe(text)
          expect(untouched(bytes, passed, splices)).toBe(true)
        },
      ),
      { numRuns: 200 },
    )
  })
})

function untouched(before: Uint8Array, after: Uint8Array, splices: readonly Splice[]): boolean {
  let [at, to] = [0, 0]
  for (const { start, end, bytes } of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    while (at < start) if (before[at++] !== after[to++]) return false
    at = end
    to += bytes.length
  }
  while (at < before.length) if (before[at++] !== after[to++]) return false
  return to === after.length
}
