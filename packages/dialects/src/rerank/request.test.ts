import { expect, test } from 'vitest'
import { readRerankRequest } from './request.ts'

const read = (fields: object) => readRerankRequest(new TextEncoder().encode(JSON.stringify(fields)))
const sound = { model: 'rerank-v3.5', query: 'Which?', documents: ['a', { text: 'b' }] }

test('the documents are counted, and the bytes of query and documents', () => {
  expect(read({ ...sound, top_n: 1 })).toStrictEqual({
    model: 'rerank-v3.5',
    documents: 2,
    queryBytes: 8,
    documentBytes: 18,
    steering: { models: [], cut: undefined, isDearer: false },
    spans: { model: { start: 9, end: 22 } },
  })
})

test('a query may be an object where a provider takes pictures', () => {
  expect(read({ ...sound, query: { image: 'https://a.example/b.png' } })).toMatchObject({ documents: 2 })
})

test.each([
  [{ model: undefined }, 'model', 'is required'],
  [{ query: null }, 'query', 'is required'],
  [{ query: '' }, 'query', 'must not be empty'],
  [{ query: 5 }, 'query', 'must be a string'],
  [{ documents: undefined }, 'documents', 'is required'],
  [{ documents: 'a' }, 'documents', 'must be a list'],
  [{ documents: [] }, 'documents', 'must not be empty'],
  [{ documents: ['a', 5] }, 'documents[1]', 'must be a string or an object'],
  [{ documents: Array.from({ length: 10_001 }, () => 'a') }, 'documents', 'must contain at most 10000 documents'],
])('%#: the fault is named', (change, field, rule) => {
  expect(read({ ...sound, ...change })).toStrictEqual({ code: 'invalid_body', params: { field, rule }, field })
})
