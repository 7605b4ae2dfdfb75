import { expect, test } from 'vitest'
import { cohereEmbeddings } from './embeddings-call.ts'
import { cohereRerank } from './rerank-call.ts'

const none = { cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 }
const embedding = { model: 'embed', input: ['a', 'b'], dimensions: 256, input_type: 'search_query', user: 'u' }
const embedded = {
  id: 'e-1',
  embeddings: { float: [[0.5, -1], [2, 0]] }, // prettier-ignore
  texts: ['a', 'b'],
  meta: { billed_units: { input_tokens: 9 } },
}

test('embeddings are requested in the form that Cohere requires', () => {
  expect(cohereEmbeddings.encode(embedding, 'embed-v4.0')).toStrictEqual({
    body: {
      model: 'embed-v4.0',
      texts: ['a', 'b'],
      input_type: 'search_query',
      embedding_types: ['float'],
      output_dimension: 256,
    },
    losses: [{ what: 'user', became: 'dropped' }],
  })
  expect(cohereEmbeddings.encode({ input: 'a' }, 'm')).toMatchObject({
    body: { texts: ['a'], input_type: 'search_document' },
  })
})

test('token numbers cannot be sent', () => {
  expect(cohereEmbeddings.encode({ input: [1, 2] }, 'm')).toMatchObject({ field: 'input' })
})

test('vectors come back in OpenAI’s shape, with what was counted', () => {
  expect(cohereEmbeddings.decode(embedded, embedding)).toMatchObject({
    reply: {
      object: 'list',
      model: 'embed',
      data: [
        { object: 'embedding', index: 0, embedding: [0.5, -1] },
        { object: 'embedding', index: 1, embedding: [2, 0] },
      ],
      usage: { prompt_tokens: 9, total_tokens: 9 },
    },
    usage: { counts: { ...none, input: 9 } },
  })
})

test('vectors are base64 where the client asked for it', () => {
  const decoded = cohereEmbeddings.decode(embedded, { ...embedding, encoding_format: 'base64' })
  const floats = Buffer.from(new Float32Array([0.5, -1]).buffer).toString('base64')
  expect(decoded).toMatchObject({ reply: { data: [{ embedding: floats }, {}] } })
})

test.each([[{}], [{ embeddings: {} }], [{ embeddings: [[]] }], [{ embeddings: [['a']] }]])(
  '%j holds no vectors',
  (reply) => {
    expect(cohereEmbeddings.decode(reply, embedding)).toStrictEqual({ invalid: 'it contains no vectors' })
  },
)

const rerank = {
  model: 'rr',
  query: 'Which?',
  documents: ['a', { text: 'b', id: 2 }],
  top_n: 1,
  return_documents: true,
}

test('a ranking request sends texts, and the client gets its own documents back', () => {
  expect(cohereRerank.encode({ ...rerank, rank_fields: ['text'] }, 'rerank-v3.5')).toStrictEqual({
    body: { model: 'rerank-v3.5', query: 'Which?', documents: ['a', 'b'], top_n: 1 },
    losses: [{ what: 'rank_fields', became: 'dropped' }],
  })
  const reply = {
    id: 'r-1',
    results: [{ index: 1, relevance_score: 0.9 }],
    meta: { billed_units: { search_units: 1 } },
  }
  expect(cohereRerank.decode(reply, rerank)).toMatchObject({
    reply: {
      ...reply,
      model: 'rr',
      results: [{ index: 1, relevance_score: 0.9, document: { text: 'b', id: 2 } }],
    },
    usage: { counts: { ...none, input: 0, units: { search: 1 } } },
  })
})

test('documents without a text are sent as JSON, and a query that is not a text is refused', () => {
  expect(cohereRerank.encode({ ...rerank, documents: [{ title: 'x' }] }, 'm')).toMatchObject({
    body: { documents: ['{"title":"x"}'] },
    losses: [{ what: 'documents', became: 'changed' }],
  })
  expect(cohereRerank.encode({ ...rerank, query: { image: 'x' } }, 'm')).toMatchObject({ field: 'query' })
})

test.each([[{}], [{ results: 'x' }], [{ results: [1] }]])('%j holds no results', (reply) => {
  expect(cohereRerank.decode(reply, rerank)).toStrictEqual({ invalid: 'it contains no results' })
})
