import zlib from 'node:zlib'
import { expect, test } from 'vitest'
import { BodyClaim, BodyMemory } from './body-memory.ts'
import type { ContentCoding } from './content-coding.ts'
import { decodedBody } from './decoded-body.ts'

const LIMIT = 1_000_000
const OWNER = { network: '192.0.2.1', userId: 1 }
const claimOf = (ceiling = 10 * LIMIT) => new BodyClaim(new BodyMemory(ceiling, ceiling / 2), OWNER)

test.each([
  ['gzip', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['deflate', zlib.deflateRawSync],
  ['br', zlib.brotliCompressSync],
  ['zstd', zlib.zstdCompressSync],
] as const)('a body in %s is decoded', async (coding, code) => {
  const text = JSON.stringify({ text: 'ü'.repeat(50_000) })
  const decoded = await decodedBody(code(Buffer.from(text)), coding, LIMIT, claimOf())
  expect(Buffer.isBuffer(decoded) && decoded.toString()).toBe(text)
})

test.each([
  ['gzip', zlib.gzipSync],
  ['br', zlib.brotliCompressSync],
  ['zstd', zlib.zstdCompressSync],
] as const)('a small body in %s that expands to a large one is refused', { tags: 'S27' }, async (coding, code) => {
  const bomb = code(Buffer.alloc(50 * LIMIT, 'x'))
  expect(bomb.length).toBeLessThan(LIMIT / 10)
  expect(await decodedBody(bomb, coding, LIMIT, claimOf())).toEqual({
    code: 'body_too_large',
    params: { limit: LIMIT },
  })
})

test('what a body expands to counts against its owner’s share of the memory', { tags: 'S43' }, async () => {
  const memory = new BodyMemory(LIMIT, LIMIT / 4)
  const claim = new BodyClaim(memory, OWNER)
  const body = zlib.gzipSync(Buffer.alloc(LIMIT - 1, 'x'))
  expect(await decodedBody(body, 'gzip', LIMIT, claim)).toMatchObject({ code: 'rate_limited' })
  claim.release()
  const decoded = await decodedBody(
    zlib.gzipSync(Buffer.alloc(1_000, 'x')),
    'gzip',
    LIMIT,
    new BodyClaim(memory, OWNER),
  )
  expect(decoded).toHaveLength(1_000)
})

test.each(['gzip', 'deflate', 'br', 'zstd'] satisfies ContentCoding[])(
  'what is not %s, or is cut off, is refused by the name of its coding',
  async (coding) => {
    expect(await decodedBody(Buffer.from('{"model":"m"}'), coding, LIMIT, claimOf())).toEqual({
      code: 'body_not_decodable',
      params: { coding },
    })
    const whole = zlib.gzipSync('x'.repeat(10_000))
    expect(await decodedBody(whole.subarray(0, -9), 'gzip', LIMIT, claimOf())).toMatchObject({
      code: 'body_not_decodable',
    })
  },
)
