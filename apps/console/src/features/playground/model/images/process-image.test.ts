import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { COMPRESSION_MS, type ImageParts, processImage, READING_MS, signatureOf } from './process-image.ts'
import type { Reduce } from './reduce.ts'
import { DESKTOP_REDUCTION, MOBILE_REDUCTION, type Reduction } from './reduction.ts'

const REDUCED = { base64: 'data:image/jpeg;base64,AA==', thumbnail: 'data:image/jpeg;base64,BB==' }
const AS_IS = 'data:image/png;base64,CC=='
const file = new Blob(['x'])
const alive = new AbortController().signal

const works: Reduce = async () => REDUCED
const cannot: Reduce = async () => undefined
const breaks: Reduce = async () => {
  throw new Error('no worker here')
}
const hang = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
const hangs: Reduce = (_file, _reduction, signal) => hang(signal)

const parts = (changes: Partial<ImageParts>): ImageParts => ({
  reduce: [works],
  readAsIs: async () => AS_IS,
  mobile: false,
  ...changes,
})

describe('processing an image', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('reduces it with the first method that works, and leaves no timer behind', async () => {
    expect(await processImage(file, parts({ reduce: [cannot, works] }), alive)).toEqual({ kind: 'reduced', ...REDUCED })
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([
    [false, DESKTOP_REDUCTION],
    [true, MOBILE_REDUCTION],
  ])('chooses the target size (mobile: %s)', { tags: 'C9.10' }, async (mobile, expected) => {
    const requested: Reduction[] = []
    const asks: Reduce = async (_file, reduction) => {
      requested.push(reduction)
      return REDUCED
    }
    await processImage(file, parts({ mobile, reduce: [asks] }), alive)
    expect(requested).toEqual([expected])
  })

  it.each([
    [false, 30_000],
    [true, 15_000],
  ])(
    'limits the time for reducing it and then takes it as it is (mobile: %s, %i ms)',
    { tags: 'C8.4' },
    async (mobile, time) => {
      expect(COMPRESSION_MS[mobile ? 'mobile' : 'desktop']).toBe(time)
      const seen: string[] = []
      const processed = processImage(file, parts({ mobile, reduce: [hangs] }), alive).then(({ kind }) =>
        seen.push(kind),
      )
      await vi.advanceTimersByTimeAsync(time - 1)
      expect(seen).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      await processed
      expect(seen).toEqual(['as-is'])
    },
  )

  it('gives up on what cannot be read within 20 seconds', { tags: 'C8.4' }, async () => {
    expect(READING_MS).toBe(20_000)
    const processed = processImage(file, parts({ reduce: [breaks], readAsIs: (_file, signal) => hang(signal) }), alive)
    await vi.advanceTimersByTimeAsync(READING_MS)
    expect(await processed).toEqual({ kind: 'unreadable' })
  })

  it('says so when the bytes are not a picture', async () => {
    const processed = await processImage(file, parts({ reduce: [cannot], readAsIs: async () => undefined }), alive)
    expect(processed).toEqual({ kind: 'unreadable' })
  })

  it('stops when it is aborted', async () => {
    const controller = new AbortController()
    const processed = processImage(file, parts({ reduce: [hangs] }), controller.signal)
    controller.abort()
    await expect(processed).rejects.toThrow('aborted')
    expect(vi.getTimerCount()).toBe(0)
  })
})

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

describe('type of a picture by its first bytes', () => {
  it.each([
    ['\u00ff\u00d8\u00ff\u00e0', 'image/jpeg'],
    ['\u0089PNG\r\n\u001a\n', 'image/png'],
    ['GIF89a', 'image/gif'],
    ['RIFF\u0000\u0000\u0000\u0000WEBP', 'image/webp'],
    ['BM\u0000\u0000', undefined],
    ['<svg xmlns=', undefined],
    ['RIFF\u0000\u0000\u0000\u0000WAVE', undefined],
    ['', undefined],
  ])('%j: %s', (head, type) => {
    expect(signatureOf(bytes(head))).toBe(type)
  })
})
