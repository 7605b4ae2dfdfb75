import { expect, test } from 'vitest'
import { messagesUpstreamCodec } from '../../anthropic/codec.ts'
import { isBodyRefusal } from '../../body-refusal.ts'
import { geminiUpstreamCodec } from '../../gemini/codec.ts'
import type { JsonObject } from '../../json-value.ts'
import { chatClientCodec, chatUpstreamCodec } from '../../openai-chat/codec.ts'
import { responsesClientCodec } from '../../openai-responses/codec.ts'
import { type ClientCodec, isInexpressible, type UpstreamCodec } from '../codec.ts'
import { lossesText } from '../losses.ts'

const parameters = { type: 'object', properties: {} }
const CHAT = {
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [{ type: 'function', function: { name: 'f', parameters } }],
}
const RESPONSES = { input: 'Hi', tools: [{ type: 'function', name: 'f', parameters }] }

function sent(client: ClientCodec, body: JsonObject, to: UpstreamCodec) {
  const request = client.decodeRequest({ model: 'm', ...body }, {})
  if (isBodyRefusal(request)) throw new Error(JSON.stringify(request.params))
  const encoded = to.encodeRequest(request, { model: 'm', stream: false, takes: {}, defaultMaxTokens: 1_000 })
  if (isInexpressible(encoded)) throw new Error(encoded.rule)
  return { body: encoded.body, lost: lossesText(encoded.losses) }
}

test.each([
  ['chat', chatClientCodec, CHAT],
  ['Responses', responsesClientCodec, RESPONSES],
] as const)('a choice of %s that is validated is Gemini’s mode, and left to the model elsewhere', (_, client, body) => {
  const chosen = { ...body, tool_choice: 'validated' }
  const gemini = sent(client, chosen, geminiUpstreamCodec)
  expect(gemini.body['toolConfig']).toStrictEqual({ functionCallingConfig: { mode: 'VALIDATED' } })
  expect(gemini.lost).toBe('')
  const claude = sent(client, chosen, messagesUpstreamCodec)
  expect(claude.body['tool_choice']).toStrictEqual({ type: 'auto' })
  expect(claude.lost).toBe('tool_choice.validated dropped')
  expect(sent(client, { ...body, tool_choice: 'any' }, messagesUpstreamCodec).body['tool_choice']).toStrictEqual({
    type: 'any',
  })
})

test('without tools a validated choice means nothing to Gemini, and is listed', () => {
  const { body, lost } = sent(chatClientCodec, { ...CHAT, tools: [], tool_choice: 'validated' }, geminiUpstreamCodec)
  expect([body['toolConfig'], lost]).toStrictEqual([undefined, 'tool_choice.validated dropped'])
})

test('a choice that nobody publishes is refused by its field', () => {
  const refusal = chatClientCodec.decodeRequest({ model: 'm', ...CHAT, tool_choice: 'sometimes' }, {})
  expect(isBodyRefusal(refusal) && refusal.field).toBe('tool_choice')
})

test('a choice is no field of its own at a provider of chat', () => {
  const { body } = sent(responsesClientCodec, { ...RESPONSES, tool_choice: 'validated' }, chatUpstreamCodec)
  expect(body).toMatchObject({ tool_choice: 'auto' })
  expect(body).not.toHaveProperty(['tool_choice.validated'])
})
