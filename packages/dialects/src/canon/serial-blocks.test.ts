import { expect, it } from 'vitest'
import type { ContentEvent } from './events.ts'
import { SerialBlocks } from './serial-blocks.ts'

const start = (block: number): ContentEvent => ({ type: 'tool-start', block, id: `c${block}`, name: 'f' })
const args = (block: number, delta: string): ContentEvent => ({ type: 'tool-args', block, delta })
const end = (block: number): ContentEvent => ({ type: 'block-end', block })

it('passes on blocks that do not overlap as they come', () => {
  const serial = new SerialBlocks()
  const events = [start(0), args(0, '{}'), end(0), start(1), end(1)]
  expect(events.map((event) => serial.push(event))).toEqual(events.map((event) => [event]))
})

it('keeps later blocks back until the one before them has ended', () => {
  const serial = new SerialBlocks()
  const given = [start(0), start(1), args(1, '{'), start(2), end(2), args(0, '{}'), args(1, '}'), end(1), end(0)]
  expect(given.flatMap((event) => serial.push(event))).toEqual([
    start(0),
    args(0, '{}'),
    end(0),
    start(1),
    args(1, '{'),
    args(1, '}'),
    end(1),
    start(2),
    end(2),
  ])
})

it('goes on with a block that is still open', () => {
  const serial = new SerialBlocks()
  expect([start(0), start(1), end(0)].map((event) => serial.push(event))).toEqual([[start(0)], [], [end(0), start(1)]])
  expect(serial.push(args(1, '{}'))).toEqual([args(1, '{}')])
})
