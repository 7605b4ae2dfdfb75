import { expect, it } from 'vitest'
import { isInexpressible, type Target } from '../canon/codec.ts'
import type { CanonRequest } from '../canon/request.ts'
import { deeplUpstreamCodec } from './deepl.ts'

const TARGET: Target = { model: 'deepl-zh', stream: false, takes: {}, defaultMaxTokens: 1 }
const request = (more: Partial<CanonRequest> = {}): CanonRequest => ({
  model: 'deepl-zh',
  stream: false,
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Good morning' }] }],
  tools: [],
  builtins: [],
  sampling: {},
  extra: { dialect: 'openai-chat', fields: {} },
  ...more,
})

it('requests the last message in the language of the model', () => {
  expect(deeplUpstreamCodec.encodeRequest(request(), TARGET)).toEqual({
    body: { text: ['Good morning'], target_lang: 'ZH' },
    losses: [],
  })
})

it('lists that nothing else is translated', () => {
  const encoded = deeplUpstreamCodec.encodeRequest(
    request({ system: [{ kind: 'text', text: 'Be kind' }], sampling: { temperature: 1, n: 1 }, maxTokens: 5 }),
    TARGET,
  )
  if (isInexpressible(encoded)) throw new Error(encoded.rule)
  expect(encoded.losses.map(({ what }) => what)).toEqual(['messages', 'max_tokens', 'temperature'])
})

it.each([
  ['a model without a language', request(), { ...TARGET, model: 'deepl' }, 'model'],
  ['no message of the user', request({ turns: [] }), TARGET, 'messages'],
  [
    'a picture',
    request({ turns: [{ role: 'user', parts: [{ kind: 'image', source: { type: 'url', url: 'https://a/b' } }] }] }),
    TARGET,
    'messages[0].content[0]',
  ],
])('cannot be sent %s', (_, canonRequest, target, field) => {
  expect(deeplUpstreamCodec.encodeRequest(canonRequest, target)).toMatchObject({ field })
})

it('returns the translation', () => {
  const reply = { translations: [{ detected_source_language: 'EN', text: '早上好' }] }
  expect(deeplUpstreamCodec.decodeReply(reply)).toMatchObject([
    { type: 'start' },
    { type: 'text', delta: '早上好' },
    { type: 'block-end' },
    { type: 'finish', reason: 'stop' },
  ])
  expect(deeplUpstreamCodec.decodeReply({ message: 'Quota exceeded' })).toEqual([])
})
