import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { withEdit, withMessage, withoutMessage } from '../branches.ts'
import type { ChatMessage, Conversation } from '../message.ts'
import { merged } from './history.ts'

const BEGUN: Conversation = { id: 'c', timestamp: 1, createdBy: 'alice', messages: [], leaves: [null], title: '' }

/** What one tab does; numbers select one of the existing messages. */
const step = fc.oneof(
  fc.record({ does: fc.constant('add' as const), at: fc.nat() }),
  fc.record({ does: fc.constant('edit' as const), at: fc.nat() }),
  fc.record({ does: fc.constant('remove' as const), at: fc.nat() }),
  fc.record({ does: fc.constant('rename' as const), at: fc.nat(3) }),
)
const steps = fc.array(step, { maxLength: 8 })
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function after(begun: Conversation, tab: string, done: readonly Step[]): Conversation {
  return done.reduce((now, { does, at }, index) => {
    const chosen = now.messages[at % Math.max(1, now.messages.length)]
    const name = `${tab}${index}`
    if (does === 'rename') return { ...now, title: `title ${at}` }
    if (does === 'add') return withMessage(now, 0, messageAfter(chosen?.id ?? null, name))
    if (chosen === undefined) return now
    return does === 'edit' ? withEdit(now, chosen.id, `edited by ${name}`, index) : withoutMessage(now, chosen.id)
  }, begun)
}

function messageAfter(parent: string | null, id: string): ChatMessage {
  return { id, parent, role: 'user', content: id, reasoning_content: null, timestamp: 1 }
}

const idsOf = ({ messages }: Conversation) => messages.map(({ id }) => id)
const twoTabs = fc.tuple(steps, steps, steps).map(([before, here, there]) => {
  const base = after(BEGUN, 'b', before)
  return { base, ours: after(base, 'o', here), theirs: after(base, 't', there) }
})

test('nothing that either tab added is lost, nothing that both kept is removed, nothing is duplicated', () => {
  fc.assert(
    fc.property(twoTabs, ({ base, ours, theirs }) => {
      const ids = idsOf(merged(base, ours, theirs))
      const before = new Set(idsOf(base))
      const wanted = [...idsOf(ours), ...idsOf(theirs)].filter(
        (id) => !before.has(id) || (idsOf(ours).includes(id) && idsOf(theirs).includes(id)),
      )
      expect(ids).toEqual(expect.arrayContaining(wanted))
      expect(new Set(ids).size).toBe(ids.length)
    }),
  )
})

test('a tab that did nothing changes nothing', () => {
  fc.assert(
    fc.property(twoTabs, ({ base, ours, theirs }) => {
      expect(merged(base, ours, base)).toEqual(ours)
      expect(merged(base, base, theirs)).toEqual({ ...theirs, messages: expect.arrayContaining([...theirs.messages]) })
      expect(idsOf(merged(base, base, theirs)).toSorted()).toEqual(idsOf(theirs).toSorted())
    }),
  )
})

test('both tabs end with the same messages, whoever writes last', () => {
  fc.assert(
    fc.property(twoTabs, ({ base, ours, theirs }) => {
      expect(idsOf(merged(base, ours, theirs)).toSorted()).toEqual(idsOf(merged(base, theirs, ours)).toSorted())
    }),
  )
})

test('what both tabs hold afterwards stays as it is when they meet again', () => {
  fc.assert(
    fc.property(twoTabs, ({ base, ours, theirs }) => {
      const met = merged(base, ours, theirs)
      expect(merged(ours, ours, met)).toEqual(met)
    }),
  )
})

test('every message follows an existing one, and every column ends at an existing one', () => {
  fc.assert(
    fc.property(twoTabs, ({ base, ours, theirs }) => {
      const result = merged(base, ours, theirs)
      const ids = new Set<string | null>([null, ...idsOf(result)])
      for (const { parent } of result.messages) expect(ids).toContain(parent)
      for (const leaf of result.leaves) expect(ids).toContain(leaf)
    }),
  )
})
