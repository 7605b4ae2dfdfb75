import { googleDocument } from '@sluice/testkit/channel-bodies'
import { expect, test } from 'vitest'
import { KINDS } from './kinds/all.ts'
import { hasModelList, isChatModel, modelListStep } from './offered-models.ts'

const account = (more: object = {}) => ({ baseUrl: '', other: '', config: {}, key: 'sk-upstream', ...more })

function stepOf(code: number, more: object = {}) {
  const step = modelListStep(code, account(more))
  if (step === undefined || 'rule' in step) throw new Error(`type ${code} has no list`)
  return step
}

test.each([
  [1, {}, 'https://api.openai.com/v1/models', 'authorization', 'Bearer sk-upstream'],
  [14, {}, 'https://api.anthropic.com/v1/models?limit=1000', 'x-api-key', 'sk-upstream'],
  [24, {}, 'https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000', 'x-goog-api-key', 'sk-upstream'],
  [35, {}, 'https://api.cohere.com/v1/models?page_size=1000', 'authorization', 'Bearer sk-upstream'],
  [40, {}, 'https://ark.cn-beijing.volces.com/api/v3/models', 'authorization', 'Bearer sk-upstream'],
  [
    50,
    { baseUrl: 'https://llm.example.org/v1' },
    'https://llm.example.org/v1/models',
    'authorization',
    'Bearer sk-upstream',
  ],
])('the list of type %i is requested where its vendor has it', (code, more, url, header, value) => {
  const step = stepOf(code, more)
  expect(step.url).toBe(url)
  expect(step.secretHeaders).toEqual({ [header]: value })
  expect(JSON.stringify(step.headers)).not.toContain('sk-upstream')
})

test('names are in the provider’s order, without Google’s collection', () => {
  expect(stepOf(1).read({ data: [{ id: 'b' }, { id: 'a' }, { no: 'id' }, 7] })).toEqual(['b', 'a'])
  expect(stepOf(24).read({ models: [{ name: 'models/gemini-x' }] })).toEqual(['gemini-x'])
  expect(stepOf(1).read({ models: [] })).toBeUndefined()
  expect(stepOf(1).read(undefined)).toBeUndefined()
})

test('types without such a list, and keys that are signed or exchanged, have no step', () => {
  expect(modelListStep(99, account())).toBeUndefined()
  for (const [code, more] of [
    [3, { baseUrl: 'https://r.openai.azure.com' }],
    [33, { key: 'AK|SK|eu-west-1' }],
    [42, { key: `eu|p|${googleDocument()}` }],
    [23, { key: '1250000000|AKIDsecret|secretkey' }],
  ] as const) {
    expect(modelListStep(code, account(more))).toBeUndefined()
  }
})

test('a channel whose list cannot be requested says which field is at fault', () => {
  expect(modelListStep(1, account({ key: '' }))).toMatchObject({ field: 'key' })
})

test('every type that says it has a list gives a step with a plain key', () => {
  for (const { code, keyPlaceholder } of KINDS.filter((kind) => hasModelList(kind.code))) {
    const key = keyPlaceholder === 'id.secret' ? 'id.secret' : 'sk-upstream'
    expect([code, modelListStep(code, account({ key, baseUrl: 'https://llm.example.org' }))]).toEqual([
      code,
      expect.objectContaining({ url: expect.stringContaining('https://llm.example.org/') }),
    ])
  }
})

test.each(['gpt-4o', 'claude-opus-5', 'deepseek-chat', 'o3'])('%s can be asked a question', (model) => {
  expect(isChatModel(model)).toBe(true)
})

test.each(['text-embedding-3-small', 'whisper-1', 'tts-1', 'gpt-image-1', 'bge-reranker-v2', 'veo-3', 'gpt-realtime'])(
  '%s cannot',
  (model) => {
    expect(isChatModel(model)).toBe(false)
  },
)
