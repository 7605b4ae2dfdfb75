import { expect, test } from 'vitest'
import { bedrockEmbeddings, bedrockPictures, bedrockRerank } from './calls.ts'

const TITAN = 'amazon.titan-embed-text-v2:0'

test('Titan embeds one text and counts its tokens', () => {
  const request = { model: 'titan', input: ['a'], dimensions: 512, normalize: true }
  expect(bedrockEmbeddings.encode(request, TITAN)).toStrictEqual({
    body: { inputText: 'a', dimensions: 512, normalize: true },
    losses: [],
  })
  expect(bedrockEmbeddings.decode({ embedding: [0.5], inputTextTokenCount: 3 }, request)).toMatchObject({
    reply: { data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 3 } },
    usage: { counts: { input: 3 } },
  })
  expect(bedrockEmbeddings.encode({ input: ['a', 'b'] }, TITAN)).toMatchObject({
    field: 'input',
    rule: 'must contain a single text: the provider embeds one per call',
  })
})

test.each([
  ['amazon.titan-embed-text-v1', { inputText: 'a' }, ['dimensions']],
  ['amazon.titan-embed-image-v1', { inputText: 'a', embeddingConfig: { outputEmbeddingLength: 256 } }, []],
])('%s has its own sizes', (model, body, lost) => {
  const losses = lost.map((what) => ({ what, became: 'dropped' }))
  expect(bedrockEmbeddings.encode({ input: 'a', dimensions: 256 }, model)).toStrictEqual({ body, losses })
})

test('Cohere’s models take their own body without the model’s name, and their lists are read in either form', () => {
  const request = { model: 'm', input: ['a'] }
  expect(bedrockEmbeddings.encode(request, 'cohere.embed-v4:0')).toStrictEqual({
    body: { texts: ['a'], input_type: 'search_document', embedding_types: ['float'] },
    losses: [],
  })
  for (const embeddings of [[[0.5]], { float: [[0.5]] }]) {
    const decoded = bedrockEmbeddings.decode({ embeddings }, request)
    expect(decoded).toMatchObject({ reply: { data: [{ embedding: [0.5] }] }, usage: undefined })
  }
})

test('a ranking names the version where Cohere’s models require it', () => {
  const request = { query: 'q', documents: ['a'], top_n: 1, max_tokens_per_doc: 9 }
  const losses = [{ what: 'max_tokens_per_doc', became: 'dropped' }]
  const body = { query: 'q', documents: ['a'], top_n: 1 }
  expect(bedrockRerank.encode(request, 'amazon.rerank-v1:0')).toStrictEqual({ body, losses })
  expect(bedrockRerank.encode(request, 'cohere.rerank-v3-5:0')).toStrictEqual({
    body: { api_version: 2, ...body },
    losses,
  })
  expect(bedrockRerank.decode({ results: [{ index: 0, relevanceScore: 0.5 }] }, request)).toMatchObject({
    reply: { results: [{ index: 0, relevance_score: 0.5 }] },
    usage: undefined,
  })
})

test('pictures by size and quality', () => {
  const request = {
    prompt: 'a gate',
    n: 2,
    size: '1280x720',
    quality: 'hd',
    seed: 7,
    style: 'vivid',
    response_format: 'url',
  }
  expect(bedrockPictures.encode(request, 'amazon.nova-canvas-v1:0')).toStrictEqual({
    body: {
      taskType: 'TEXT_IMAGE',
      textToImageParams: { text: 'a gate' },
      imageGenerationConfig: { numberOfImages: 2, width: 1280, height: 720, quality: 'premium', seed: 7 },
    },
    losses: [
      { what: 'response_format', became: 'changed' },
      { what: 'style', became: 'dropped' },
    ],
  })
  expect(bedrockPictures.encode({ prompt: 'a', n: 6 }, 'm')).toMatchObject({ field: 'n' })
  expect(bedrockPictures.encode({ prompt: 'a', size: 'auto', quality: 'low' }, 'm')).toMatchObject({
    body: { imageGenerationConfig: { numberOfImages: 1, quality: 'standard' } },
    losses: [{ what: 'quality', became: 'changed' }],
  })
})

test('each picture that arrived is counted; none is an error where the provider gives the reason', () => {
  expect(bedrockPictures.decode({ images: ['AA', 'BB'] }, {})).toMatchObject({
    reply: { data: [{ b64_json: 'AA' }, { b64_json: 'BB' }] },
    usage: { counts: { units: { image: 2 } } },
  })
  expect(bedrockPictures.decode({ images: [], error: 'blocked' }, {})).toMatchObject({
    error: { message: 'blocked', code: 400 },
  })
  expect(bedrockPictures.decode({}, {})).toStrictEqual({ invalid: 'it does not contain any images' })
})
