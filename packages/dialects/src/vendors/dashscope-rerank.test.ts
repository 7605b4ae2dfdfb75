import { expect, test } from 'vitest'
import { dashscopeRerank } from './dashscope-rerank.ts'

const request = { model: 'rr', query: 'q', documents: ['a', 'b'], top_n: 1, instruct: 'Rank.', max_chunks_per_doc: 3 }

test('a ranking in DashScope’s own envelope', () => {
  expect(dashscopeRerank.encode(request, 'gte-rerank-v2')).toStrictEqual({
    body: {
      model: 'gte-rerank-v2',
      input: { query: 'q', documents: ['a', 'b'] },
      parameters: { top_n: 1, instruct: 'Rank.' },
    },
    losses: [{ what: 'max_chunks_per_doc', became: 'dropped' }],
  })
  const reply = {
    output: { results: [{ index: 1, relevance_score: 0.7, document: { text: 'b' } }] },
    usage: { total_tokens: 79 },
    request_id: 'q-1',
  }
  expect(dashscopeRerank.decode(reply, request)).toMatchObject({
    reply: { id: 'q-1', model: 'rr', results: [{ index: 1, relevance_score: 0.7 }], usage: { total_tokens: 79 } },
    usage: { counts: { input: 79 } },
  })
})

test('an error with a success status is an error', () => {
  expect(dashscopeRerank.decode({ code: 'InvalidParameter', message: 'no' }, request)).toMatchObject({
    error: { message: 'no', code: 'InvalidParameter' },
  })
  expect(dashscopeRerank.decode({}, request)).toStrictEqual({ invalid: 'it contains no results' })
})
