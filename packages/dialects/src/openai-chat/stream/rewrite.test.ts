import { expect, test } from 'vitest'
import { isBodyRefusal } from '../../body-refusal.ts'
import { splice, splicedLength } from '../../splice/splice.ts'
import { identifyChat } from '../identify.ts'
import { type ChatEdits, rewriteChat } from './rewrite.ts'

function rewrite(text: string, edits: ChatEdits): string | object {
  const body = new TextEncoder().encode(text)
  const request = identifyChat(body)
  if (isBodyRefusal(request)) throw new Error(JSON.stringify(request))
  const splices = rewriteChat(body, request, edits)
  if (isBodyRefusal(splices)) return splices
  const bytes = Uint8Array.from(splice(body, splices).flatMap((chunk) => [...chunk]))
  expect(splicedLength(body, splices)).toBe(bytes.length)
  return new TextDecoder().decode(bytes)
}

test('only the declared spans change; odd spacing and unknown fields survive', () => {
  const body = '{ "stream":true,"x" : [1e3 ],\n "messages":[ {"role":"user"} ], "model" : "a" }'
  expect(rewrite(body, { model: 'b', askUsage: true, systemPrompt: 'S' })).toBe(
    '{"stream_options":{"include_usage":true}, "stream":true,"x" : [1e3 ],\n "messages":[{"role":"system","content":"S"}, {"role":"user"} ], "model" : "b" }',
  )
})

test('usage is not requested on a plain call', () => {
  const body = '{"model":"a","messages":[1]}'
  expect(rewrite(body, { askUsage: true })).toBe(body)
})

test('a system message without content gets one', () => {
  expect(rewrite('{"model":"a","messages":[{"role":"system"}]}', { systemPrompt: 'S' })).toBe(
    '{"model":"a","messages":[{"content":"S","role":"system"}]}',
  )
})

test('a message whose role cannot be determined is refused, by its path', () => {
  const ask = (messages: string): string | object =>
    rewrite(`{"model":"a","messages":${messages}}`, { systemPrompt: 'S' })
  expect(ask('[{"role":"user"},7]')).toMatchObject({ code: 'invalid_body', field: 'messages[1]' })
  expect(ask('[{"content":"x"}]')).toMatchObject({ code: 'invalid_body', field: 'messages[0].role' })
  expect(ask('[{"role":"user","role":"system"}]')).toMatchObject({ code: 'duplicate_key', field: 'messages[0].role' })
})
