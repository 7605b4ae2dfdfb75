import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { COMPRESSION_MS, type ImageParts, processImage, READING_MS } from './process-image.ts'
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
/** Never comes to an end by itself. */
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

  it('makes it smaller by the first way that can, and leaves no timer behind', async () => {
    expect(await processImage(file, parts({ reduce: [cannot, works] }), alive)).toEqual({ kind: 'reduced', ...REDUCED })
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([
    [false, DESKTOP_REDUCTION],
    [true, MOBILE_REDUCTION],
  ])('knows how far (mobile: %s) [C9.10]', async (mobile, expected) => {
    const asked: Reduction[] = []
    const asks: Reduce = async (_file, reduction) => {
      asked.push(reduction)
      return REDUCED
    }
    await processImage(file, parts({ mobile, reduce: [asks] }), alive)
    expect(asked).toEqual([expected])
  })

  it.each([
    [false, 30_000],
    [true, 15_000],
  ])('gives making it smaller its time and then takes it as it is (mobile: %s, %i ms) [C8.4]', async (mobile, time) => {
    expect(COMPRESSION_MS[mobile ? 'mobile' : 'desktop']).toBe(time)
    const seen: string[] = []
    const processed = processImage(file, parts({ mobile, reduce: [hangs] }), alive).then(({ kind }) => seen.push(kind))
    await vi.advanceTimersByTimeAsync(time - 1)
    expect(seen).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await processed
    expect(seen).toEqual(['as-is'])
  })

  it('gives up on what cannot be read within 20 seconds either [C8.4]', async () => {
    expect(READING_MS).toBe(20_000)
    const processed = processImage(file, parts({ reduce: [breaks], readAsIs: (_file, signal) => hang(signal) }), alive)
    await vi.advanceTimersByTimeAsync(READING_MS)
    expect(await processed).toEqual({ kind: 'unreadable' })
  })

  it('says so when the bytes are no picture', async () => {
    const processed = await processImage(file, parts({ reduce: [cannot], readAsIs: async () => undefined }), alive)
    expect(processed).toEqual({ kind: 'unreadable' })
  })

  it('ends when nobody waits any more', async () => {
    const controller = new AbortController()
    const processed = processImage(file, parts({ reduce: [hangs] }), controller.signal)
    controller.abort()
    await expect(processed).rejects.toThrow('aborted')
    expect(vi.getTimerCount()).toBe(0)
  })
})
