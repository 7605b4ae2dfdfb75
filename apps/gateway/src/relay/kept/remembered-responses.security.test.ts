import { expect, test } from 'vitest'
import { openRememberedResponses, type RememberedResponse } from './remembered-responses.ts'

const BOUNDS = { ms: 1_000, bytes: 40_000, userBytes: 10_000, entryBytes: 5_000 }
const [MINE, OTHERS] = [1, 2]

function open() {
  const clock = { now: 0 }
  return { clock, memory: openRememberedResponses(() => clock.now, BOUNDS) }
}

/** A response with one item; with what is counted beside its bytes it takes 1,024 bytes more than said here. */
function response(id: string, answer = 100, input = 100): RememberedResponse {
  const bytes = new Uint8Array(answer)
  return { id, response: bytes, input: new Uint8Array(input), output: [{ id: `msg_${id}`, bytes: bytes.subarray(1) }] }
}

test('what another user was answered is as unknown as what nobody was (S11, S31)', () => {
  const { memory } = open()
  memory.remember(MINE, response('a'))
  expect(memory.find(MINE, 'a')?.id).toBe('a')
  expect(memory.findItem(MINE, 'msg_a')?.id).toBe('msg_a')
  for (const id of ['a', 'unknown']) {
    expect(memory.find(OTHERS, id)).toBeUndefined()
    expect(memory.findItem(OTHERS, `msg_${id}`)).toBeUndefined()
    expect(memory.forget(OTHERS, id)).toBe(false)
  }
  expect(memory.find(MINE, 'a')).toBeDefined()
})

test('an id that two users were answered is for each of them their own', () => {
  const { memory } = open()
  memory.remember(MINE, response('a', 10))
  memory.remember(OTHERS, response('a', 20))
  expect(memory.find(MINE, 'a')?.response).toHaveLength(10)
  memory.forget(OTHERS, 'a')
  expect(memory.findItem(MINE, 'msg_a')).toBeDefined()
})

test('a flood by one user drives out that user’s oldest, and nothing of anybody else (S27)', () => {
  const { memory } = open()
  memory.remember(OTHERS, response('theirs'))
  for (let i = 0; i < 10_000; i++) memory.remember(MINE, response(`r${i}`, 1_000, 476))
  const left = Array.from({ length: 10_000 }, (_, i) => i).filter((i) => memory.find(MINE, `r${i}`) !== undefined)
  expect(left).toEqual([9_996, 9_997, 9_998, 9_999])
  expect(memory.findItem(MINE, 'msg_r9995')).toBeUndefined()
  expect(memory.find(OTHERS, 'theirs')).toBeDefined()
})

test('a flood by many users drives out the oldest of all (S27)', () => {
  const { memory } = open()
  for (let user = 0; user < 1_000; user++) memory.remember(user, response('r', 1_000, 476))
  const left = Array.from({ length: 1_000 }, (_, user) => user).filter((user) => memory.find(user, 'r') !== undefined)
  expect(left).toEqual(Array.from({ length: 16 }, (_, i) => 984 + i))
})

test('many small items count for more than their bytes', () => {
  const { memory } = open()
  const bytes = new Uint8Array(10)
  const output = Array.from({ length: 100 }, (_, i) => ({ id: `i${i}`, bytes }))
  expect(memory.remember(MINE, { ...response('a'), output })).toBe(false)
  expect(memory.findItem(MINE, 'i0')).toBeUndefined()
})

test('the same response again takes the place of the first', () => {
  const { memory } = open()
  for (let i = 0; i < 100; i++) memory.remember(MINE, response('a', 100 + i))
  memory.remember(MINE, response('b'))
  expect(memory.find(MINE, 'a')?.response).toHaveLength(199)
  expect(memory.find(MINE, 'b')).toBeDefined()
})

test('an answer that is too large is not remembered; after a long input its items are, without it', () => {
  const { memory } = open()
  expect(memory.remember(MINE, response('a', 5_000))).toBe(false)
  expect(memory.find(MINE, 'a')).toBeUndefined()
  expect(memory.remember(MINE, response('b', 100, 5_000))).toBe(true)
  expect(memory.find(MINE, 'b')?.input).toBeUndefined()
  expect(memory.findItem(MINE, 'msg_b')).toBeDefined()
})

test('everything goes with its time, asked for or not', () => {
  const { memory, clock } = open()
  memory.remember(MINE, response('a'))
  clock.now = 500
  memory.remember(MINE, response('b'))
  clock.now = 999
  expect(memory.find(MINE, 'a')).toBeDefined()
  clock.now = 1_000
  memory.sweep()
  // Time that runs backwards brings nothing back: it is gone, not hidden.
  clock.now = 0
  expect(memory.find(MINE, 'a')).toBeUndefined()
  expect(memory.findItem(MINE, 'msg_a')).toBeUndefined()
  expect(memory.findItem(MINE, 'msg_b')).toBeDefined()
})

test('what is forgotten is gone with its items', () => {
  const { memory } = open()
  memory.remember(MINE, response('a'))
  expect(memory.forget(MINE, 'a')).toBe(true)
  expect(memory.find(MINE, 'a')).toBeUndefined()
  expect(memory.findItem(MINE, 'msg_a')).toBeUndefined()
  expect(memory.forget(MINE, 'a')).toBe(false)
})
