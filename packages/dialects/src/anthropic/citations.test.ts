import { expect, test } from 'vitest'
import { holdsForeignSignature } from '../canon/signature.ts'
import { encodeCitation } from './citations.ts'

test('a source of another provider has the members that clients require, and is recognized when it comes back', () => {
  const citation = encodeCitation({ url: 'https://a.b' })
  expect(citation).toMatchObject({ type: 'web_search_result_location', url: 'https://a.b', title: 'https://a.b' })
  expect(holdsForeignSignature(JSON.stringify(citation), 'anthropic-messages')).toBe(true)
})
