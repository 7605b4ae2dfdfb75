import { expect, test } from 'vitest'
import { createCachedResponses, type CachedResponse } from './cached-responses.ts'

const BOUNDS = { ms: 1_000, bytes: 40_000, userBytes: 10_000, entryBytes: 5_000 }
const [MINE, OTHERS] = [1, 2]

function open() {
  const clock = { now: 0 }
  return { clock, cachedResponses: createCachedResponses(() => clock.now, BOUNDS) }
}

/** A response with one item; its overhead counts as 1,024 further bytes. */
function response(id: string, answer = 100, input = 100): CachedResponse {
  const bytes = new Uint8Array(answer)
  return { id, response: bytes, input: new Uint8Array(input), output: [{ id: `msg_${id}`, bytes: bytes.subarray(1) }] }
}

test('an answer to another user is as unknown as one that never existed', { tags: ['S11', 'S31'] }, () => {
  const { cachedResponses } = open()
  cachedResponses.remember(MINE, response('a'))
  expect(cachedResponses.find(MINE, 'a')?.id).toBe('a')
  expect(cachedResponses.findItem(MINE, 'msg_a')?.id).toBe('msg_a')
  for (const id of ['a', 'unknown']) {
    expect(cachedResponses.find(OTHERS, id)).toBeUndefined()
    expect(cachedResponses.findItem(OTHERS, `msg_${id}`)).toBeUndefined()
    expect(cachedResponses.forget(OTHERS, id)).toBe(false)
  }
  expect(cachedResponses.find(MINE, 'a')).toBeDefined()
})

test('an id that two users received is for each of them their own', () => {
  const { cachedResponses } = open()
  cachedResponses.remember(MINE, response('a', 10))
  cachedResponses.remember(OTHERS, response('a', 20))
  expect(cachedResponses.find(MINE, 'a')?.response).toHaveLength(10)
  cachedResponses.forget(OTHERS, 'a')
  expect(cachedResponses.findItem(MINE, 'msg_a')).toBeDefined()
})

test('a flood by one user evicts that user’s oldest, and nothing of any other user', { tags: 'S27' }, () => {
  const { cachedResponses } = open()
  cachedResponses.remember(OTHERS, response('theirs'))
  for (let i = 0; i < 10_000; i++) cachedResponses.remember(MINE, response(`r${i}`, 1_000, 476))
  const left = Array.from({ length: 10_000 }, (_, i) => i).filter(
    (i) => cachedResponses.find(MINE, `r${i}`) !== undefined,
  )
  expect(left).toEqual([9_996, 9_997, 9_998, 9_999])
  expect(cachedResponses.findItem(MINE, 'msg_r9995')).toBeUndefined()
  expect(cachedResponses.find(OTHERS, 'theirs')).toBeDefined()
})

test('a flood by many users evicts the oldest of all', { tags: 'S27' }, () => {
  const { cachedResponses } = open()
  for (let user = 0; user < 1_000; user++) cachedResponses.remember(user, response('r', 1_000, 476))
  const left = Array.from({ length: 1_000 }, (_, user) => user).filter(
    (user) => cachedResponses.find(user, 'r') !== undefined,
  )
  expect(left).toEqual(Array.from({ length: 16 }, (_, i) => 984 + i))
})

test('many small items count for more than their bytes', () => {
  const { cachedResponses } = open()
  const bytes = new Uint8Array(10)
  const output = Array.from({ length: 100 }, (_, i) => ({ id: `i${i}`, bytes }))
  expect(cachedResponses.remember(MINE, { ...response('a'), output })).toBe(false)
  expect(cachedResponses.findItem(MINE, 'i0')).toBeUndefined()
})

test('the same response again replaces the first', () => {
  const { cachedResponses } = open()
  for (let i = 0; i < 100; i++) cachedResponses.remember(MINE, response('a', 100 + i))
  cachedResponses.remember(MINE, response('b'))
  expect(cachedResponses.find(MINE, 'a')?.response).toHaveLength(199)
  expect(cachedResponses.find(MINE, 'b')).toBeDefined()
})

test('an answer that is too large is not cached; after a long input its items are, without it', () => {
  const { cachedResponses } = open()
  expect(cachedResponses.remember(MINE, response('a', 5_000))).toBe(false)
  expect(cachedResponses.find(MINE, 'a')).toBeUndefined()
  expect(cachedResponses.remember(MINE, response('b', 100, 5_000))).toBe(true)
  expect(cachedResponses.find(MINE, 'b')?.input).toBeUndefined()
  expect(cachedResponses.findItem(MINE, 'msg_b')).toBeDefined()
})

test('everything expires, requested or not', () => {
  const { cachedResponses, clock } = open()
  cachedResponses.remember(MINE, response('a'))
  clock.now = 500
  cachedResponses.remember(MINE, response('b'))
  clock.now = 999
  expect(cachedResponses.find(MINE, 'a')).toBeDefined()
  clock.now = 1_000
  cachedResponses.sweep()
  // Setting the clock back restores nothing: the entry is gone, not hidden.
  clock.now = 0
  expect(cachedResponses.find(MINE, 'a')).toBeUndefined()
  expect(cachedResponses.findItem(MINE, 'msg_a')).toBeUndefined()
  expect(cachedResponses.findItem(MINE, 'msg_b')).toBeDefined()
})

test('a response that is removed takes its items with it', () => {
  const { cachedResponses } = open()
  cachedResponses.remember(MINE, response('a'))
  expect(cachedResponses.forget(MINE, 'a')).toBe(true)
  expect(cachedResponses.find(MINE, 'a')).toBeUndefined()
  expect(cachedResponses.findItem(MINE, 'msg_a')).toBeUndefined()
  expect(cachedResponses.forget(MINE, 'a')).toBe(false)
})
