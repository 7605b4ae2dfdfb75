import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { draftOf, searchOf, explainBody } from './explain-question.ts'
import { explainSearch } from './explain-search.ts'

const read = (query: object) => v.parse(explainSearch, query)

describe('the question of the what-if form', () => {
  it.each([
    { model: 'm' },
    { model: 'm', user: 7, path: '/v1/messages' },
    { model: 'm', token: 8, session: 'talk' },
    { model: 'm', group: 'vip', channel: 3 },
  ])('goes into the address and comes back as %j', (query) => {
    expect(searchOf(draftOf(read(query)))).toEqual(read(query))
  })

  it('assumes the group default and the chat path unless the address says otherwise', () => {
    expect(explainBody(read({ model: 'm' }))).toEqual({
      model: 'm',
      group: 'default',
      path: '/v1/chat/completions',
      session: '',
    })
    expect(explainBody(read({ model: 'm', user: 7, channel: 3 }))).toMatchObject({ user_id: 7, channel: 3 })
    expect(explainBody(read({ model: 'm', token: 8 }))).toMatchObject({ token_id: 8 })
  })

  it('names every field that keeps it from being asked', () => {
    const draft = draftOf(read({}))
    expect(searchOf(draft)).toEqual(new Set(['model']))
    expect(searchOf({ ...draft, model: 'm', whose: 'user', id: '0', channel: 'x' })).toEqual(new Set(['id', 'channel']))
    expect(searchOf({ ...draft, model: 'm', id: 'unread', channel: ' ' })).not.toBeInstanceOf(Set)
  })
})
