import { expect, test } from 'vitest'
import { holdsForeignProof } from '../canon/proof.ts'
import { encodeCitation } from './citations.ts'

test('a source of another provider has the members that clients insist on, and is found when it comes back', () => {
  const citation = encodeCitation({ url: 'https://a.b' })
  expect(citation).toMatchObject({ type: 'web_search_result_location', url: 'https://a.b', title: 'https://a.b' })
  expect(holdsForeignProof(JSON.stringify(citation), 'anthropic-messages')).toBe(true)
})
