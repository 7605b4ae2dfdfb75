import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { putBackBlobs, takeOutBlobs } from './blobs.ts'

const MARK = 'blob-0198f2-'
const bytes = (text: string) => new TextEncoder().encode(text)
const text = (of: Uint8Array) => new TextDecoder().decode(of)
const large = (letters: string) => letters.repeat(Math.ceil(80_000 / letters.length))

/** Parses a body without its blobs, and serializes it again. */
function rewrite(json: string): { readonly again: unknown; readonly parsedBytes: number } {
  const { body, blobs } = takeOutBlobs(bytes(json), MARK)
  const again: unknown = JSON.parse(text(putBackBlobs(JSON.stringify(JSON.parse(text(body))), MARK, blobs)))
  return { again, parsedBytes: body.length }
}

const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    large('/9j/'),
    `data:image/png;base64,${large('iVBORw0KGgo')}==`,
    large('prose with "quotes" \\ '),
    large('é'),
  ),
)

it('a body comes back the same, whatever it holds', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), fc.string(), (values, key) => {
      const json = JSON.stringify({ [key]: values, model: 'm' })
      expect(JSON.stringify(rewrite(json).again)).toBe(json)
    }),
    { numRuns: 300 },
  )
})

describe('what is taken out', () => {
  it('is base64, with or without its prefix', () => {
    for (const blob of [large('/9j/'), `data:image/png;base64,${large('/9j/')}`]) {
      expect(rewrite(JSON.stringify({ a: blob, b: [blob] })).parsedBytes).toBeLessThan(200)
    }
  })

  it('is never text, nor anything with escapes in it', () => {
    // Some providers accept a text only as text, so it is read even if it arrives as base64.
    const asBase64 = Buffer.from(large('Grüße, {"a":1}\n')).toString('base64')
    for (const kept of [
      large('some words '),
      `${large('/9j/')}\\n${large('/9j/')}`,
      large('{"a":1}'),
      asBase64,
      `data:application/json;base64,${asBase64}`,
    ]) {
      const json = JSON.stringify({ a: kept })
      expect(takeOutBlobs(bytes(json), MARK).blobs).toEqual([])
    }
  })

  it('can become a part of a name that takes few characters, or be cut', () => {
    const { body, blobs } = takeOutBlobs(bytes(JSON.stringify({ a: large('/9j/') })), MARK)
    const { a } = JSON.parse(text(body)) as { readonly a: string }
    const back = (json: string) => text(putBackBlobs(json, MARK, blobs))
    expect(back(`"${a.replace(/[^\w-]/g, '_')}"`)).toBe(`"${large('/9j/')}"`)
    for (let cut = 1; cut < a.length; cut++) expect(back(`["${a.slice(0, -cut)}","b"]`)).toMatch(/^\[".*","b"\]$/)
  })

  it('can be left out, or written twice, when the body is serialized again', () => {
    const { body, blobs } = takeOutBlobs(bytes(JSON.stringify({ a: large('/9j/') })), MARK)
    const { a } = JSON.parse(text(body)) as { readonly a: string }
    expect(text(putBackBlobs('{}', MARK, blobs))).toBe('{}')
    expect(JSON.parse(text(putBackBlobs(JSON.stringify([a, a]), MARK, blobs)))).toEqual([large('/9j/'), large('/9j/')])
  })
})
