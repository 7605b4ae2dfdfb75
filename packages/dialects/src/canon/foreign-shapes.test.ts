import { describe, expect, test } from 'vitest'
import { UPSTREAM_CODECS } from '../../laws/codecs.ts'
import { TARGET } from '../../laws/request-laws.ts'
import { CONTEXT, EMPTY_REQUEST } from '../../laws/views.ts'
import { messagesClientCodec, messagesUpstreamCodec } from '../anthropic/codec.ts'
import { isBodyRefusal } from '../body-refusal.ts'
import type { JsonObject } from '../json-value.ts'
import { chatClientCodec, chatUpstreamCodec } from '../openai-chat/codec.ts'
import { responsesUpstreamCodec } from '../openai-responses/codec.ts'
import { MARK_NAME, takeOutBlobs } from '../splice/blobs.ts'
import { isInexpressible, type UpstreamCodec } from './codec.ts'
import { lossesText } from './losses.ts'
import type { OpaquePart, Turn } from './parts.ts'
import { fold } from './reply.ts'
import { textForm } from './text-form.ts'

const SUMMARY = 'The user is called Ida and wants a red boat.'
const opaque = (name: string, value: JsonObject): OpaquePart => ({
  kind: 'opaque',
  dialect: 'anthropic-messages',
  name,
  value: { type: name, ...value },
})
const question: Turn = { role: 'user', parts: [{ kind: 'text', text: 'yes' }] }

function sent(codec: UpstreamCodec, turns: readonly Turn[]) {
  const encoded = codec.encodeRequest({ ...EMPTY_REQUEST, turns, stream: false }, TARGET)
  if (isInexpressible(encoded)) throw new Error(`${encoded.field} ${encoded.rule}`)
  return { body: JSON.stringify(encoded.body), lost: lossesText(encoded.losses) }
}

/** The others receive only the last question, and report the rest as lost. */
const CONVERSING = UPSTREAM_CODECS.filter(({ dialect }) => !['deepl', 'library-ask'].includes(dialect))

test.each(CONVERSING.map((codec) => [codec.dialect, codec] as const))(
  'the summary of a compacted conversation reaches %s',
  (dialect, codec) => {
    const summary = opaque('compaction', { content: SUMMARY, encrypted_content: 'sealed', signature: 'signed' })
    const { body, lost } = sent(codec, [question, { role: 'assistant', parts: [summary] }, question])
    expect(body).toContain(SUMMARY)
    if (dialect === 'anthropic-messages') expect(body).toContain('"encrypted_content":"sealed"')
    else expect([body.includes('sealed'), lost]).toStrictEqual([false, expect.stringContaining('compaction changed')])
  },
)

describe('the result of a tool', () => {
  const call: Turn = { role: 'assistant', parts: [{ kind: 'tool-call', id: 'c', name: 'find', args: '{}' }] }
  const result = (...parts: readonly OpaquePart[]): Turn => ({
    role: 'tool',
    parts: [{ kind: 'tool-result', callId: 'c', parts }],
  })

  test.each([
    [
      'search_result',
      { source: 'https://a.example', title: 'Boats', content: [{ type: 'text', text: 'They cost 4711.' }] },
      '4711',
    ],
    ['tool_reference', { tool_name: 'late' }, 'late'],
    ['a_block_of_next_year', { outcome: { lines: ['first'] } }, 'first'],
  ])('is not empty because it is a %s', (name, value, said) => {
    const { body, lost } = sent(chatUpstreamCodec, [question, call, result(opaque(name, value))])
    expect(JSON.parse(body)).toMatchObject({
      messages: [{}, {}, { role: 'tool', content: expect.stringContaining(said) as string }],
    })
    expect(lost).toBe(`${name} changed`)
  })
})

test('the output of a tool that only its own dialect has is shown after the results of all others', () => {
  const output: OpaquePart = {
    kind: 'opaque',
    dialect: 'openai-responses',
    name: 'shell_call_output',
    value: {
      type: 'shell_call_output',
      call_id: 's',
      output: [{ stdout: 'two files', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
  }
  const { body } = sent(messagesUpstreamCodec, [
    question,
    { role: 'assistant', parts: [{ kind: 'tool-call', id: 'c', name: 'find', args: '{}' }] },
    { role: 'tool', parts: [output, { kind: 'tool-result', callId: 'c', parts: [{ kind: 'text', text: 'found' }] }] },
  ])
  const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly content: readonly JsonObject[] }[] }
  expect(messages.at(-1)?.content.map(({ type }) => type)).toStrictEqual(['tool_result', 'text'])
  expect(messages.at(-1)?.content[1]?.['text']).toContain('two files')
})

test('what only its own provider can read is refused by its name', () => {
  const turns: readonly Turn[] = [{ role: 'user', parts: [opaque('container_upload', { file_id: 'file_1' })] }]
  expect(chatUpstreamCodec.encodeRequest({ ...EMPTY_REQUEST, turns }, TARGET)).toStrictEqual({
    field: 'messages[0].content[0]',
    rule: 'must not be a container_upload that only its original provider can read',
  })
})

test('what says nothing to a model is listed as dropped', () => {
  const hop = opaque('fallback', { from: { model: 'a' }, to: { model: 'b' } })
  const { body, lost } = sent(chatUpstreamCodec, [question, { role: 'assistant', parts: [hop] }])
  expect([body.includes('"b"'), lost]).toStrictEqual([false, 'fallback dropped'])
})

test('says what was done, and what went wrong', () => {
  const form = (name: string, value: JsonObject) => textForm(opaque(name, value)).text
  expect(form('apply_patch_call', { call_id: 'c', operation: { type: 'create_file', path: 'a', diff: '+b' } })).toBe(
    '[apply_patch_call]\ntype: create_file\npath: a\ndiff: +b',
  )
  expect(form('computer_call', { id: 'x', status: 'completed', action: { type: 'screenshot' } })).toBe(
    '[computer_call]\nscreenshot',
  )
  expect(form('apply_patch_call_output', { status: 'failed', output: 'no file' })).toBe(
    '[apply_patch_call_output]\nstatus: failed\noutput: no file',
  )
  expect(form('mcp_tool_result', { tool_use_id: 'c', is_error: false, content: [{ type: 'text', text: 'ok' }] })).toBe(
    '[mcp_tool_result]\nok',
  )
})

test('pictures inside a shape stay pictures, and other bytes are not put into words', () => {
  const data = 'iVBORw0KGgo='.repeat(40).replaceAll('=', 'A')
  const form = textForm(
    opaque('browser_state', {
      screenshot: { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
      dump: data,
    }),
  )
  expect(form.pictures).toStrictEqual([{ kind: 'image', source: { type: 'base64', mime: 'image/png', data } }])
  expect(form.text).toBe('[browser_state]\n(data)')
})

test('bytes that were taken out of the body before it was read are not put back into words', () => {
  const dump = Buffer.from(new Uint8Array(70_000)).toString('base64')
  const taken = takeOutBlobs(Buffer.from(JSON.stringify({ dump })), `${MARK_NAME}0192f3a1-`)
  const value = JSON.parse(new TextDecoder().decode(taken.body)) as JsonObject
  expect([taken.blobs.length, textForm({ name: 'memory', value }).text]).toStrictEqual([1, '[memory]\n(data)'])
})

describe('an answer', () => {
  const reply = (output: readonly JsonObject[]) =>
    fold(responsesUpstreamCodec.decodeReply({ id: 'r', status: 'completed', model: 'm', output }))
  const code = {
    type: 'code_interpreter_call',
    id: 'ci_1',
    status: 'completed',
    code: 'print(6*7)',
    container_id: 'cntr_1',
    outputs: [{ type: 'logs', logs: '42' }],
  }

  test.each([chatClientCodec, messagesClientCodec])(
    'shows clients of other dialects the code that was run (%#)',
    (client) => {
      const text = JSON.stringify(client.encodeReply(reply([code]), CONTEXT))
      expect(text).toContain('[code_interpreter_call]\\ncode: print(6*7)\\noutputs: 42')
      expect(text).not.toContain('cntr_1')
    },
  )

  test('leaves out searches, whose sources are cited', () => {
    const search = {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'search', query: 'boats' },
    }
    expect(JSON.stringify(chatClientCodec.encodeReply(reply([search]), CONTEXT))).not.toContain('boats')
  })

  test('shows the same in a stream', () => {
    const encoder = chatClientCodec.openEncoder(CONTEXT)
    const item = { type: 'opaque', block: 0, dialect: 'openai-responses', name: code.type, value: code } as const
    const bytes = [item, { type: 'block-end', block: 0 } as const].flatMap((event) => encoder.push(event))
    expect(new TextDecoder().decode(bytes[0])).toContain('print(6*7)')
  })
})

test('a tool that is added in the middle of a conversation is offered, and the model is told', () => {
  const definition = { name: 'late', description: 'Comes late.', input_schema: { type: 'object' } }
  const request = messagesClientCodec.decodeRequest(
    {
      model: 'm',
      max_tokens: 100,
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'system', content: [{ type: 'tool_addition', tool: { type: 'tool_definition', definition } }] },
        { role: 'user', content: 'Go' },
      ],
    },
    {},
  )
  if (isBodyRefusal(request)) throw new Error(JSON.stringify(request))
  expect(chatUpstreamCodec.encodeRequest(request, TARGET)).toMatchObject({
    body: {
      messages: [{ role: 'user' }, { role: 'system', content: '[tool_addition]\nlate' }, { role: 'user' }],
      tools: [{ function: { name: 'late' } }],
    },
    losses: [{ what: 'tool_addition', became: 'changed' }],
  })
  const own = messagesUpstreamCodec.encodeRequest(request, TARGET)
  expect(own).not.toHaveProperty('body.tools')
  expect(JSON.stringify(own)).toContain('"type":"tool_addition"')
})
