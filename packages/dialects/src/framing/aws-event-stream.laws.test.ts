import { awsMessage } from '@sluice/testkit/aws-message'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openAwsFrames } from './aws-event-stream.ts'

const message = (name: string, payload: string) => awsMessage({ ':event-type': name }, payload)

const frame = fc.record(
  {
    name: fc.string({ maxLength: 30 }).filter((name) => name !== 'chunk'),
    data: fc.string({ unit: 'grapheme', maxLength: 3_000 }),
  },
  { noNullPrototype: true },
)
const sizes = fc.infiniteStream(fc.integer({ min: 1, max: 700 }))

function cut(bytes: Uint8Array, sizesOf: Iterator<number>): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length;) {
    const size = sizesOf.next().value as number
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}

test('split: any cut of the same bytes gives the frames that were sent', () => {
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 6 }), sizes, (frames, sizesOf) => {
      const bytes = new Uint8Array(Buffer.concat(frames.map(({ name, data }) => message(name, data))))
      const reader = openAwsFrames()
      expect(cut(bytes, sizesOf[Symbol.iterator]()).flatMap((piece) => reader.push(piece))).toStrictEqual(frames)
      expect(reader.fault).toBeUndefined()
    }),
  )
})

test('hostile: one changed byte never gives a frame that was not sent, and nothing throws', () => {
  fc.assert(
    fc.property(frame, fc.nat(), fc.integer({ min: 1, max: 255 }), (sent, place, change) => {
      const bytes = message(sent.name, sent.data)
      const at = place % bytes.length
      bytes[at] = (bytes[at] ?? 0) ^ change
      const reader = openAwsFrames()
      expect(reader.push(bytes)).toStrictEqual([])
    }),
  )
})

test('hostile: arbitrary bytes do no harm', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), (pieces) => {
      const reader = openAwsFrames()
      for (const piece of pieces) reader.push(piece)
      reader.end()
    }),
  )
})
