import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { PREVIOUS } from '../calls/responses.ts'
import { recalledBody } from './recalled-body.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const item = fc.record({ type: fc.constant('message'), role: fc.constant('user'), content: fc.string() })
/** An element of the input: an item, or a reference to any number of items. */
const element = fc.oneof(
  fc.record({ own: item }),
  fc.record({ id: fc.string(), stands: fc.array(item, { maxLength: 3 }) }),
)
const input = fc.oneof(fc.string(), fc.array(element, { maxLength: 5 }), fc.constant(null), fc.constant(undefined))
/** The items of the earlier response, in pieces of several items or of none. */
const before = fc.option(fc.array(fc.array(item, { maxLength: 2 }), { maxLength: 4 }), { nil: undefined })
/** JSON writes −0 as 0. */
const others = fc
  .dictionary(fc.stringMatching(/^x_[a-z]{1,4}$/), fc.jsonValue(), { maxKeys: 3 })
  .map((more): object => JSON.parse(JSON.stringify(more)) as object)

test('items replace their references, earlier ones come first; nothing else changes', () => {
  fc.assert(
    fc.property(input, before, others, fc.constantFrom(0, 2), (asked, earlier, more, indent) => {
      const list = Array.isArray(asked) ? asked : []
      const sent = list.map((each) => ('own' in each ? each.own : { type: 'item_reference', id: each.id }))
      const body = {
        ...more,
        ...(earlier === undefined ? {} : { [PREVIOUS]: 'resp_1' }),
        ...(asked === undefined ? {} : { input: Array.isArray(asked) ? sent : asked }),
        model: 'm',
      }
      const items = new Map<string, readonly Uint8Array[]>(
        list.flatMap((each, index) => ('own' in each ? [] : [[`input[${index}].id`, each.stands.map(bytes)] as const])),
      )
      // Several items in one piece, as the input of an earlier request is cached.
      const joined = earlier?.map((group) => new TextEncoder().encode(JSON.stringify(group).slice(1, -1)))
      if (joined !== undefined) items.set(PREVIOUS, joined)
      const text = JSON.stringify(body, undefined, indent)
      const translated: unknown = JSON.parse(
        Buffer.concat(recalledBody(new TextEncoder().encode(text), items)).toString(),
      )
      const said = typeof asked === 'string' ? [{ type: 'message', role: 'user', content: asked }] : []
      const own = list.flatMap((each) => ('own' in each ? [each.own] : each.stands))
      expect(translated).toEqual({
        ...body,
        ...(earlier === undefined ? {} : { [PREVIOUS]: null }),
        input: [...(earlier?.flat() ?? []), ...said, ...own],
      })
    }),
  )
})
