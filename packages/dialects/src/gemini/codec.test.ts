import { expect, test } from 'vitest'
import { isBodyRefusal } from '../body-refusal.ts'
import type { AnswerContext, Frame, Target } from '../canon/codec.ts'
import type { AnswerEvent } from '../canon/events.ts'
import { fold } from '../canon/reply.ts'
import type { CanonRequest } from '../canon/request.ts'
import { wrapSignature } from '../canon/signature.ts'
import { asObject, type JsonObject } from '../json-value.ts'
import { geminiClientCodec, geminiUpstreamCodec } from './codec.ts'

const client = geminiClientCodec('sse')
const FACTS = { model: 'gemini-3-pro', stream: true }
const TARGET: Target = { model: 'gemini-3-pro-preview', stream: true, takes: {}, defaultMaxTokens: 4_096 }

function decode(body: JsonObject): CanonRequest {
  const request = client.decodeRequest(body, FACTS)
  if (isBodyRefusal(request)) throw new Error(JSON.stringify(request))
  return request
}

function encode(request: CanonRequest, target: Target = TARGET): { body: JsonObject; lost: readonly string[] } {
  const encoded = geminiUpstreamCodec.encodeRequest(request, target)
  if ('rule' in encoded) throw new Error(encoded.rule)
  return { body: encoded.body, lost: encoded.losses.map(({ what }) => what) }
}

const context: AnswerContext = {
  request: decode({ contents: [{ parts: [{ text: 'Hi' }] }] }),
  idSeed: 'seed',
  created: 1,
  now: () => 8,
  promptEstimate: 1,
  wantsUsage: true,
}

test('a request of every part comes back as it was said', () => {
  const body = {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'What is this, and what is the weather there?' },
          { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
          { fileData: { fileUri: 'gs://bucket/film.mp4', mimeType: 'video/mp4' } },
        ],
      },
      {
        role: 'model',
        parts: [
          { text: 'Paris, I think.', thought: true },
          { functionCall: { id: 'a', name: 'weather', args: { city: 'Paris' } }, thoughtSignature: 'c2ln' },
          { functionCall: { id: 'b', name: 'weather', args: { city: 'Rome' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'weather', response: { degrees: 20 } } },
          { functionResponse: { id: 'b', name: 'weather', response: { error: 'no such town' } } },
        ],
      },
    ],
    tools: [
      { functionDeclarations: [{ name: 'weather', description: 'Tells', parametersJsonSchema: { type: 'object' } }] },
      { googleSearch: { timeRangeFilter: {} } },
    ],
    toolConfig: {
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] },
      retrievalConfig: { a: 1 },
    },
    generationConfig: {
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      stopSequences: ['END'],
      seed: 7,
      maxOutputTokens: 100,
      responseModalities: ['TEXT'],
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object' },
      thinkingConfig: { thinkingLevel: 'LOW', includeThoughts: true },
      mediaResolution: 'MEDIA_RESOLUTION_LOW',
    },
    safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
    cachedContent: 'cachedContents/1',
    serviceTier: 'flex',
  }
  expect(encode(decode(body))).toStrictEqual({ body, lost: [] })
})

test('snake case, single objects and capital types are understood', () => {
  const request = decode({
    system_instruction: { parts: { text: 'Be brief.' } },
    contents: { parts: { text: 'Hi' } },
    tools: {
      function_declarations: {
        name: 'f',
        parameters: {
          type: 'OBJECT',
          properties: { type: { type: 'STRING', nullable: true, enum: ['a'] }, n: { type: 'ARRAY', minItems: '1' } },
        },
      },
    },
    generation_config: { max_output_tokens: 5, thinking_config: { thinking_budget: 0 } },
  })
  expect(request.system).toStrictEqual([{ kind: 'text', text: 'Be brief.' }])
  expect(request.tools[0]?.schema).toStrictEqual({
    type: 'object',
    properties: { type: { type: ['string', 'null'], enum: ['a', null] }, n: { type: 'array', minItems: 1 } },
  })
  expect([request.maxTokens, request.reasoning]).toStrictEqual([5, { off: true }])
})

test('results without ids find their calls by name and order', () => {
  const request = decode({
    contents: [
      { role: 'user', parts: [{ text: 'Go' }] },
      { role: 'model', parts: ['f', 'g', 'f'].map((name) => ({ functionCall: { name } })) },
      { role: 'function', parts: ['f', 'f', 'g'].map((name) => ({ functionResponse: { name, response: {} } })) },
    ],
  })
  const ids = request.turns.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'tool-call' ? part.id : part.kind === 'tool-result' ? part.callId : [])),
  )
  expect(ids).toStrictEqual(['call_1', 'call_2', 'call_3', 'call_1', 'call_3', 'call_2'])
})

test('a streamed answer that the client kept piece by piece is one turn again', () => {
  const pieces = [
    { text: 'I ', thought: true },
    { text: 'think', thought: true },
    {
      text: '',
      thought: true,
      thoughtSignature: wrapSignature({ dialect: 'anthropic-messages', value: 'sig' }, 'gemini'),
    },
    { text: 'He' },
    { text: 'llo' },
  ]
  const { turns } = decode({ contents: pieces.map((part) => ({ role: 'model', parts: [part] })) })
  expect(turns).toStrictEqual([
    {
      role: 'assistant',
      parts: [
        { kind: 'reasoning', text: 'I think', signature: { dialect: 'anthropic-messages', value: 'sig' } },
        { kind: 'text', text: 'Hello' },
      ],
    },
  ])
})

test.each([
  [{}, 'contents'],
  [{ contents: 'Hi' }, 'contents'],
  [{ contents: [{ role: 'assistant', parts: [] }] }, 'contents[0].role'],
  [{ contents: [{ parts: [{ text: 1 }] }] }, 'contents[0].parts[0].text'],
  [{ contents: [{ parts: [{ inlineData: { data: 'x' } }] }] }, 'contents[0].parts[0].inlineData.mimeType'],
  [{ contents: [{ parts: [{ text: 'x' }] }], generationConfig: { topK: 'x' } }, 'generationConfig.topK'],
  [
    { contents: [{ parts: [{ text: 'x' }] }], toolConfig: { functionCallingConfig: { mode: 'SOME' } } },
    'toolConfig.functionCallingConfig.mode',
  ],
])('%j is refused for %s', (body, field) => {
  const refusal = client.decodeRequest(body, FACTS)
  expect(isBodyRefusal(refusal) && refusal.field).toBe(field)
})

test('an unsigned call gets a substitute signature for the third generation, and none for the second', () => {
  const turns = decode({
    contents: [
      { role: 'user', parts: [{ text: 'Go' }] },
      { role: 'model', parts: [{ functionCall: { name: 'f' } }, { functionCall: { name: 'f' } }] },
    ],
  })
  const signatures = (model: string) =>
    (encode(turns, { ...TARGET, model }).body['contents'] as { parts: JsonObject[] }[])[1]?.parts.map(
      (part) => part['thoughtSignature'],
    )
  expect(signatures('gemini-3-pro')).toStrictEqual(['skip_thought_signature_validator', undefined])
  expect(signatures('gemini-2.5-pro')).toStrictEqual([undefined, undefined])
})

test.each([
  ['gemini-2.5-flash', { effort: 'high' }, { thinkingBudget: 24_576, includeThoughts: true }, ['reasoning_effort']],
  ['gemini-2.5-flash', { off: true }, { thinkingBudget: 0 }, []],
  ['gemini-2.5-pro', { off: true }, { thinkingBudget: 128, includeThoughts: true }, ['reasoning_effort']],
  ['gemini-2.5-pro', { adaptive: true }, { thinkingBudget: -1, includeThoughts: true }, []],
  ['gemini-3-pro', { effort: 'xhigh' }, { thinkingLevel: 'HIGH', includeThoughts: true }, ['reasoning_effort']],
  ['gemini-3-pro', { effort: 'low', summary: 'none' }, { thinkingLevel: 'LOW' }, []],
] as const)('%s is requested to think by %j', (model, reasoning, thinkingConfig, lost) => {
  const request: CanonRequest = { ...context.request, reasoning, extra: { dialect: 'openai-chat', fields: {} } }
  const encoded = encode(request, { ...TARGET, model })
  expect(asObject(encoded.body['generationConfig'])?.['thinkingConfig']).toStrictEqual(thinkingConfig)
  expect(encoded.lost).toStrictEqual(lost)
})

test('a file held by another provider cannot be sent', () => {
  const source = { type: 'file-id', id: 'file-1', dialect: 'openai-chat' } as const
  const turns = [{ role: 'user', parts: [{ kind: 'file', source }] }] as const
  expect(geminiUpstreamCodec.encodeRequest({ ...context.request, turns }, TARGET)).toMatchObject({
    field: 'messages[0].content[0]',
  })
})

const message = (parts: readonly JsonObject[], rest: JsonObject = {}): Frame => ({
  name: '',
  data: JSON.stringify({ candidates: [{ content: { parts, role: 'model' }, index: 0, ...rest }], responseId: 'r1' }),
})

function read(frames: readonly Frame[]): readonly AnswerEvent[] {
  const decoder = geminiUpstreamCodec.openDecoder()
  return [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()]
}

test('thoughts, text, calls and their signatures become blocks', () => {
  const { blocks, finish, id } = fold(
    read([
      message([{ text: 'Hm', thought: true }]),
      message([{ text: 'm.', thought: true }, { text: 'Look' }]),
      message([{ text: 'ing.', thoughtSignature: 'dGV4dA==' }]),
      message([{ functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'c2ln' }]),
      message([{ functionCall: { id: 'x', name: 'g' } }], { finishReason: 'STOP' }),
    ]),
  )
  expect(id).toBe('r1')
  expect(blocks).toStrictEqual([
    { kind: 'reasoning', text: 'Hmm.', signature: undefined },
    { kind: 'text', text: 'Looking.', citations: [] },
    { kind: 'reasoning', text: '', signature: { dialect: 'gemini', value: 'dGV4dA==' } },
    {
      kind: 'tool',
      id: 'call_r1_3',
      name: 'f',
      args: '{"a":1}',
      isCustom: false,
      signature: { dialect: 'gemini', value: 'c2ln' },
    },
    { kind: 'tool', id: 'x', name: 'g', args: '{}', isCustom: false, signature: undefined },
  ])
  expect(finish).toStrictEqual({ type: 'finish', reason: 'tool-calls', raw: 'STOP' })
})

test('a finish reason with every event ends the answer only with the stream', () => {
  const events = read([
    message([{ text: 'a' }], { finishReason: 'STOP' }),
    message([{ text: 'b' }], { finishReason: 'STOP' }),
  ])
  expect(fold(events).blocks).toStrictEqual([{ kind: 'text', text: 'ab', citations: [] }])
  expect(events.filter(({ type }) => type === 'finish')).toHaveLength(1)
})

test.each([
  [[message([{ text: 'a' }], { finishReason: 'MAX_TOKENS' })], 'length'],
  [[message([], { finishReason: 'SAFETY' })], 'content-filter'],
  [[message([{ text: 'a' }], { finishReason: 'MALFORMED_FUNCTION_CALL' })], 'stop'],
  [[{ name: '', data: '{"promptFeedback":{"blockReason":"JAILBREAK"}}' }], 'content-filter'],
  [[message([], { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'bad call' })], 'bad call'],
  [[{ name: '', data: '[{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}]' }], 'overloaded'],
  [[{ name: '', data: '<html>' }], 'the provider sent an event that cannot be read'],
  [[message([{ text: 'a' }])], undefined],
])('%j ends with %s', (frames, end) => {
  const last = read(frames).at(-1)
  const translated = last?.type === 'finish' ? last.reason : last?.type === 'error' ? last.error.message : undefined
  expect(translated).toBe(end)
})

test('sources of grounded text are returned as characters', () => {
  const text = 'Größe: 5. Done.'
  const grounding = {
    groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }],
    groundingSupports: [{ segment: { startIndex: 0, endIndex: 11, text: 'Größe: 5.' }, groundingChunkIndices: [0, 9] }],
  }
  const frame = message([{ text }], { finishReason: 'STOP', groundingMetadata: grounding })
  const [block] = fold(read([frame, frame])).blocks
  expect(block?.kind === 'text' && block.citations).toStrictEqual([
    { url: 'https://a.example', title: 'A', quote: 'Größe: 5.', start: 0, end: 9 },
  ])
})

const ANSWER: readonly AnswerEvent[] = [
  { type: 'start', id: 'up', model: 'm' },
  { type: 'reasoning', block: 0, delta: 'Hm' },
  { type: 'proof', block: 0, signature: { dialect: 'anthropic-messages', value: 'sig' } },
  { type: 'block-end', block: 0 },
  { type: 'text', block: 1, delta: 'Hi' },
  { type: 'citation', block: 1, citation: { url: 'https://a.example', quote: 'Hi' } },
  { type: 'block-end', block: 1 },
  { type: 'tool-start', block: 2, id: 'a', name: 'f', signature: { dialect: 'gemini', value: 'c2ln' } },
  { type: 'tool-start', block: 3, id: 'b', name: 'g' },
  { type: 'tool-args', block: 3, delta: '{}' },
  { type: 'tool-args', block: 2, delta: '{"x":' },
  { type: 'block-end', block: 3 },
  { type: 'tool-args', block: 2, delta: '1}' },
  { type: 'block-end', block: 2 },
]
const FINISH = { type: 'finish', reason: 'tool-calls', raw: 'tool_use' } as const
const COUNTS = { input: 5, cachedInput: 2, cacheWrite5m: 1, cacheWrite1h: 0, output: 9, reasoning: 4 }

function write(framing: 'sse' | 'json-array'): string {
  const encoder = geminiClientCodec(framing).openEncoder(context)
  const pieces = ANSWER.flatMap((event) =>
    event.type === 'usage' || event.type === 'finish' || event.type === 'error' ? [] : encoder.push(event),
  )
  const { forward, terminal } = encoder.finish(FINISH, COUNTS)
  return Buffer.concat([...pieces, ...forward, terminal]).toString()
}

test('a stream of events and one as a list say the same', () => {
  const events = write('sse')
    .trim()
    .split('\n\n')
    .map((event) => JSON.parse(event.replace(/^data: /, '')) as unknown)
  expect(JSON.parse(write('json-array'))).toStrictEqual(events)
  expect(events.at(-1)).toStrictEqual({
    candidates: [
      {
        content: { parts: [{ text: '' }], role: 'model' },
        finishReason: 'STOP',
        index: 0,
        groundingMetadata: {
          groundingChunks: [{ web: { uri: 'https://a.example', title: 'https://a.example' } }],
          groundingSupports: [{ segment: { text: 'Hi' }, groundingChunkIndices: [0] }],
        },
      },
    ],
    usageMetadata: {
      promptTokenCount: 8,
      cachedContentTokenCount: 2,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 4,
      totalTokenCount: 17,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: 8 }],
      cacheTokensDetails: [{ modality: 'TEXT', tokenCount: 2 }],
      candidatesTokensDetails: [{ modality: 'TEXT', tokenCount: 5 }],
    },
    modelVersion: 'm',
    responseId: 'up',
  })
})

test('a whole answer holds what its stream says', () => {
  const usage = { report: { counts: COUNTS, reportedNanoUsd: undefined, own: {} }, type: 'usage' } as const
  const reply = client.encodeReply(fold([...ANSWER, usage, FINISH]), context)
  const streamed = read(
    write('sse')
      .split('\n\n')
      .filter(Boolean)
      .map((event) => ({ name: '', data: event.slice(6) })),
  )
  const whole = fold(geminiUpstreamCodec.decodeReply(reply))
  expect(fold(streamed)).toStrictEqual(whole)
  expect(whole.blocks.map(({ kind }) => kind)).toStrictEqual(['reasoning', 'text', 'tool', 'tool', 'text'])
})
