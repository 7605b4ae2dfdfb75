import { array, assert, nat, property, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { GatheredBytes } from './gathered-bytes.ts'

const pieces = array(uint8Array({ maxLength: 300 }), { maxLength: 60 })

test('bytes that arrive in pieces are all there, in order, and take at most twice their size', { tags: 'S27' }, () => {
  assert(
    property(pieces, (parts) => {
      const bytes = new GatheredBytes()
      for (const part of parts) {
        bytes.add(part)
        expect(bytes.held).toBeLessThanOrEqual(2 * bytes.size)
      }
      expect(bytes.whole()).toEqual(Buffer.concat(parts))
      expect(bytes.size).toBe(bytes.whole().length)
    }),
  )
})

test('bytes that were announced are gathered in one memory, whether or not as many come', { tags: 'S27' }, () => {
  assert(
    property(pieces, nat(20_000), (parts, announced) => {
      const bytes = new GatheredBytes(announced)
      for (const part of parts) bytes.add(part)
      expect(bytes.whole()).toEqual(Buffer.concat(parts))
      if (bytes.size > 0 && bytes.size <= announced) expect(bytes.held).toBe(announced)
      else expect(bytes.held).toBeLessThanOrEqual(Math.max(announced, 2 * bytes.size))
    }),
  )
})
