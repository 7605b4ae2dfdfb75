import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { longestAudioMs, readAudioMs } from './audio-length.ts'

const ascii = (text: string) => [...new TextEncoder().encode(text)]
const big = (value: number, size = 4) =>
  Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** (size - 1 - i)) % 256)
const little = (value: number, size = 4) => big(value, size).toReversed()
const file = (...parts: (readonly number[])[]) => new Uint8Array(parts.flat())
const zeros = (count: number) => Array.from({ length: count }, () => 0)

function wave(rate: number, dataBytes: number, claimed = dataBytes): Uint8Array {
  const format = [
    ...little(1, 2),
    ...little(1, 2),
    ...little(rate / 2),
    ...little(rate),
    ...little(2, 2),
    ...little(16, 2),
  ]
  return file(
    ascii('RIFF'),
    little(0),
    ascii('WAVE'),
    ascii('LIST'),
    little(3),
    zeros(4),
    ascii('fmt '),
    little(16),
    format,
    ascii('data'),
    little(claimed),
    zeros(dataBytes),
  )
}

test('WAV: data over byte rate, after other chunks; a size that is not there is not believed', () => {
  expect(readAudioMs(wave(16_000, 24_000))).toBe(1_500)
  expect(readAudioMs(wave(16_000, 24_000, 0xffffffff))).toBe(1_500)
  expect(longestAudioMs(wave(16_000, 24_000))).toBe(1_500)
})

test('WAV: all of its data chunks count, and of two formats the longer one', { tags: 'S40' }, () => {
  const { buffer } = wave(16_000, 24_000)
  const whole = new Uint8Array(buffer)
  const data = whole.subarray(whole.length - 24_000 - 8)
  const short = wave(16_000, 24_000, 2)
  const second = Uint8Array.of(...short.subarray(0, short.length - 24_000 + 2), ...data)
  expect(readAudioMs(second)).toBe(1_501)
  expect(longestAudioMs(wave(16_000, 24_000, 2))).toBe(1_500)
  const format = whole.slice(whole.findIndex((_, at) => isFormat(whole, at)))
  const [fast, slow] = [format.slice(0, 24), format.slice(0, 24)]
  new DataView(fast.buffer).setUint32(12, 768_000, true)
  const head = whole.subarray(0, 12)
  const ofBoth = (one: Uint8Array, other: Uint8Array) => readAudioMs(Uint8Array.of(...head, ...one, ...other, ...data))
  expect([ofBoth(fast, slow), ofBoth(slow, fast)]).toEqual([1_500, 1_500])
})

test('WAV: coded sound is as long as its bytes allow, whatever size it claims for its samples', { tags: 'S40' }, () => {
  const coded = wave(16_000, 24_000)
  const at = coded.findIndex((_, index) => isFormat(coded, index))
  new DataView(coded.buffer).setUint16(at + 8, 0x55, true)
  expect(readAudioMs(coded)).toBeUndefined()
  expect(longestAudioMs(coded)).toBe(Math.ceil(coded.length / 0.75))
})

const isFormat = (file: Uint8Array, at: number) =>
  new TextDecoder('latin1').decode(file.subarray(at, at + 4)) === 'fmt '

test('WAV: a byte rate that makes the sound shorter is not believed', () => {
  const lying = wave(16_000, 24_000)
  new DataView(lying.buffer).setUint32(40, 0xffffffff, true)
  expect(readAudioMs(lying)).toBe(1_500)
  expect(longestAudioMs(lying)).toBe(1_500)
})

test('MP3: a Xing header that counts fewer frames than the densest sound has is not believed', () => {
  const xing = [0xff, 0xfb, 0x90, 0x00, ...zeros(32), ...ascii('Xing'), ...big(1), ...big(1)]
  expect(readAudioMs(file(xing, zeros(400_000 - xing.length)))).toBe(10_000)
})

test('FLAC: samples over sample rate', () => {
  // 44,100 Hz in 20 bits, then channels and depth, then 36 bits of samples: 132,300.
  const stream = [...zeros(10), 0x0a, 0xc4, 0x42, 0xf0, ...big(132_300), ...zeros(20)]
  expect(readAudioMs(file(ascii('fLaC'), [0, 0, 0, 34], stream))).toBe(3_000)
})

test('Ogg: the position of the last page', () => {
  const page = (position: number) => [...ascii('OggS'), 0, 0, ...little(position), ...zeros(4), ...zeros(13), 1]
  const opus = file(page(0), ascii('OpusHead'), zeros(20), page(48_000 * 7), zeros(50))
  expect(readAudioMs(opus)).toBe(7_000)
})

test('MP3: size over bit rate, after a tag; or the frames that a Xing header counts', () => {
  // MPEG 1 layer III, 128 kbit/s, 44,100 Hz.
  const frame = [0xff, 0xfb, 0x90, 0x00]
  expect(readAudioMs(file(frame, zeros(15_996)))).toBe(1_000)
  const tag = [...ascii('ID3'), 4, 0, 0, 0, 0, 0, 100]
  expect(readAudioMs(file(tag, zeros(100), frame, zeros(15_996)))).toBe(1_000)
  const xing = [...frame, ...zeros(32), ...ascii('Xing'), ...big(1), ...big(383), ...zeros(100)]
  expect(readAudioMs(file(xing))).toBe(Math.ceil((383 * 1_152_000) / 44_100))
})

test('MP4: duration over time scale', () => {
  const mvhd = [...big(108), ...ascii('mvhd'), 0, 0, 0, 0, ...zeros(8), ...big(1_000), ...big(2_500), ...zeros(80)]
  const moov = [...big(116), ...ascii('moov'), ...mvhd]
  expect(readAudioMs(file(big(16), ascii('ftypM4A '), zeros(4), moov))).toBe(2_500)
})

test('anything else has no known length, but can be no longer than speech at 6 kbit/s', () => {
  expect(readAudioMs(file(zeros(100)))).toBeUndefined()
  expect(longestAudioMs(file(zeros(7_500)))).toBe(10_000)
})

test('hostile bytes never throw, whatever they claim to be', () => {
  const starts = ['RIFF0000WAVE', 'RIFF0000WAVEfmt ', 'fLaC', 'OggS', '0000ftyp', 'ID3', '']
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 400 }), (start, noise) => {
      const ms = readAudioMs(new Uint8Array([...ascii(start), ...noise]))
      expect(ms === undefined || (Number.isSafeInteger(ms) && ms > 0)).toBe(true)
    }),
  )
})
