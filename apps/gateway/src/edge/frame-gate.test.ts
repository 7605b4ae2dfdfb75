import { expect, test } from 'vitest'
import { FrameGate } from './frame-gate.ts'

const LIMIT = 1_000
const [TEXT, CONTINUATION, CLOSE, PING] = [1, 0, 8, 9]

/** A client's frame, masked with zeros. */
function frame(opcode: number, payload: string, isFinal = true): Buffer {
  const { length } = payload
  const size =
    length < 126
      ? Buffer.from([0x80 | length])
      : length < 65_536
        ? Buffer.from([0x80 | 126, length >> 8, length & 0xff])
        : Buffer.concat([Buffer.from([0x80 | 127]), bigEndian(length)])
  return Buffer.concat([Buffer.from([opcode | (isFinal ? 0x80 : 0)]), size, Buffer.alloc(4), Buffer.from(payload)])
}

function bigEndian(length: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(length))
  return bytes
}

/** The frames that pass when everything is sent in pieces of this size. */
function passed(frames: readonly Buffer[], pieceSize: number) {
  const asked: number[] = []
  let broken = 0
  const admits = (bytes: number) => {
    asked.push(bytes)
    return bytes <= LIMIT
  }
  const gate = new FrameGate({ admits, onBroken: () => (broken += 1) })
  const sent = Buffer.concat(frames)
  const fed: Buffer[] = []
  for (let at = 0; at < sent.length; at += pieceSize) {
    gate.pass(sent.subarray(at, at + pieceSize), (piece) => void fed.push(Buffer.from(piece)))
  }
  return { fed: Buffer.concat(fed), asked, broken }
}

test.each([1, 3, 7, 1_000_000])(
  'a message that is too large is left out, in pieces of %i bytes',
  { tags: 'S43' },
  (size) => {
    const [first, ping, last] = [frame(TEXT, 'a'.repeat(200)), frame(PING, 'x'), frame(TEXT, 'end')]
    const large = [frame(TEXT, 'b'.repeat(LIMIT + 1)), frame(TEXT, 'c'.repeat(70_000))]
    const { fed, asked, broken } = passed([first, ...large, ping, last], size)
    expect(fed.equals(Buffer.concat([first, ping, last]))).toBe(true)
    expect([asked, broken]).toEqual([[200, LIMIT + 1, 70_000, 3], 0])
  },
)

test('a message in several frames is counted as a whole, and one that is too large breaks the connection', () => {
  const start = frame(TEXT, 'a'.repeat(600), false)
  const small = [start, frame(PING, ''), frame(CONTINUATION, 'b'.repeat(400)), frame(TEXT, 'next')]
  expect(passed(small, 50)).toEqual({ fed: Buffer.concat(small), asked: [600, 1_000, 4], broken: 0 })
  const large = passed([start, frame(CONTINUATION, 'b'.repeat(401), false), frame(TEXT, 'next')], 50)
  expect(large).toEqual({ fed: start, asked: [600, 1_001], broken: 1 })
})

test.each([1, 100])('nothing passes after a close, in pieces of %i bytes', (size) => {
  const close = frame(CLOSE, '\x03x')
  expect(passed([close, frame(TEXT, 'late')], size).fed).toEqual(close)
  expect(passed([frame(CLOSE, ''), frame(TEXT, 'late')], size).fed).toEqual(frame(CLOSE, ''))
})
