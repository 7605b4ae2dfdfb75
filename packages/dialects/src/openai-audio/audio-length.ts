/** The lowest rate at which speech is ever coded: 6 kbit/s, where Opus starts. */
const LEAST_BYTES_PER_SECOND = 750

/** From the file's own header, rounded up: WAV, FLAC, Ogg (Opus, Vorbis), MP3 and MP4. Undefined without a plausible length. */
export function readAudioMs(file: Uint8Array): number | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const seconds = secondsOf(file, view)
  return seconds !== undefined && seconds > 0 && seconds < 1e7 ? Math.ceil(seconds * 1_000) : undefined
}

/** The longest possible duration of a file of this size. The samples of a WAV have a fixed size, so its bound is tighter. */
export function longestAudioMs(file: Uint8Array): number {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const { rate, rest } = isTagged(file, 0, 'RIFF') && isTagged(file, 8, 'WAVE') ? wavSound(file, view) : NO_WAV
  const seconds = rate > 0 && rest > 0 ? rest / rate : file.length / LEAST_BYTES_PER_SECOND
  return Math.ceil(seconds * 1_000)
}

function secondsOf(file: Uint8Array, view: DataView): number | undefined {
  if (isTagged(file, 0, 'RIFF') && isTagged(file, 8, 'WAVE')) return wavSeconds(file, view)
  if (isTagged(file, 0, 'fLaC')) return flacSeconds(file, view)
  if (isTagged(file, 0, 'OggS')) return oggSeconds(file, view)
  if (isTagged(file, 4, 'ftyp')) return mp4Seconds(file, view)
  return mp3Seconds(file, view)
}

/** RIFF: bytes of the data chunks divided by the bytes per second. */
function wavSeconds(file: Uint8Array, view: DataView): number | undefined {
  const { bytes, rate } = wavSound(file, view)
  return rate === 0 ? undefined : bytes / rate
}

interface WavSound {
  readonly bytes: number
  /** Bytes per second; 0 if not believable. */
  readonly rate: number
  /** Bytes after the header of the first data chunk. */
  readonly rest: number
}

const NO_WAV: WavSound = { bytes: 0, rate: 0, rest: 0 }

/**
 * All data chunks count, because players continue with the next one; of several formats, the one with the longest duration does. A
 * chunk may claim more bytes than there are.
 */
function wavSound(file: Uint8Array, view: DataView): WavSound {
  let rate = Infinity
  let bytes = 0
  let rest = 0
  for (let at = 12; at + 8 <= file.length;) {
    const size = view.getUint32(at + 4, true)
    if (isTagged(file, at, 'fmt ') && at + 24 <= file.length)
      rate = Math.min(rate, wavBytesPerSecond(file, view, at + 8))
    if (isTagged(file, at, 'data')) {
      bytes += Math.min(size, file.length - at - 8)
      rest ||= file.length - at - 8
    }
    at += 8 + size + (size & 1)
  }
  return { bytes, rest, rate: Number.isFinite(rate) ? rate : 0 }
}

/**
 * Computed from the number and size of the samples, as players do: the stated byte rate, which players ignore, could claim that an
 * hour lasts a second. Returns 0 for coded audio, which lasts longer than its stated sample size implies.
 */
function wavBytesPerSecond(file: Uint8Array, view: DataView, format: number): number {
  const tag = view.getUint16(format, true)
  const isExtensible = tag === WAV_EXTENSIBLE && format + WAV_SUBFORMAT + 2 <= file.length
  if (!WAV_SAMPLES.includes(isExtensible ? view.getUint16(format + WAV_SUBFORMAT, true) : tag)) return 0
  const samples = view.getUint32(format + 4, true) * view.getUint16(format + 2, true)
  const bits = view.getUint16(format + 14, true)
  return samples * (bits < 8 ? bits / 8 : Math.ceil(bits / 8))
}

/** Whole numbers, floating-point numbers, A-law and µ-law. */
const WAV_SAMPLES: readonly number[] = [1, 3, 6, 7]
const WAV_EXTENSIBLE = 0xfffe
const WAV_SUBFORMAT = 24

/** STREAMINFO: 20 bits of sample rate, 36 bits of sample count. */
function flacSeconds(file: Uint8Array, view: DataView): number | undefined {
  if (file.length < 26) return undefined
  const rate = view.getUint32(18) >>> 12
  const samples = (view.getUint8(21) & 0x0f) * 2 ** 32 + view.getUint32(22)
  return rate === 0 ? undefined : samples / rate
}

/** From the last page's end position; Opus always counts 48,000 samples per second, Vorbis uses its own rate. */
function oggSeconds(file: Uint8Array, view: DataView): number | undefined {
  const rate = isTagged(file, 28, 'OpusHead') ? 48_000 : isTagged(file, 29, 'vorbis') ? view.getUint32(40, true) : 0
  if (rate === 0) return undefined
  for (let at = file.length - 27; at >= 0 && at > file.length - 131_072; at--) {
    if (isTagged(file, at, 'OggS')) return Number(view.getBigUint64(at + 6, true)) / rate
  }
  return undefined
}

/** `moov.mvhd`: time scale and duration. */
function mp4Seconds(file: Uint8Array, view: DataView): number | undefined {
  const moov = findBox(file, view, 'moov', 0, file.length)
  const mvhd = moov && findBox(file, view, 'mvhd', moov.start, moov.end)
  if (mvhd === undefined || mvhd.end - mvhd.start < 32) return undefined
  const isLong = view.getUint8(mvhd.start) === 1
  const scale = view.getUint32(mvhd.start + (isLong ? 20 : 12))
  const length = isLong ? Number(view.getBigUint64(mvhd.start + 24)) : view.getUint32(mvhd.start + 16)
  return scale === 0 ? undefined : length / scale
}

function findBox(file: Uint8Array, view: DataView, tag: string, from: number, end: number) {
  for (let at = from; at + 8 <= end;) {
    const size = view.getUint32(at)
    if (size < 8) return undefined
    if (isTagged(file, at + 4, tag)) return { start: at + 8, end: Math.min(at + size, end) }
    at += size
  }
  return undefined
}

/** Layer III in kbit/s: MPEG 1, then MPEG 2 and 2.5. */
const BIT_RATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const
const SAMPLE_RATES = [44_100, 48_000, 32_000] as const

/** Bit/s of the densest layer III: a frame count that implies more than this is not believed. */
const MOST_MP3_BITS = 320_000

/** Layer III: the frame count of a Xing or Info header, otherwise the size divided by the first frame's bit rate. */
function mp3Seconds(file: Uint8Array, view: DataView): number | undefined {
  const start = isTagged(file, 0, 'ID3') && file.length > 10 ? 10 + syncSafe(view, 6) : 0
  if (start + 4 > file.length) return undefined
  const head = view.getUint32(start)
  const version = (head >>> 19) & 3
  const sampleRate = SAMPLE_RATES[(head >>> 10) & 3]
  const bitRate = BIT_RATES[version === 3 ? 0 : 1][(head >>> 12) & 15]
  if (head >>> 21 !== 0x7ff || ((head >>> 17) & 3) !== 1 || version === 1) return undefined
  if (sampleRate === undefined || bitRate === undefined || bitRate === 0) return undefined
  const rate = version === 3 ? sampleRate : version === 2 ? sampleRate / 2 : sampleRate / 4
  const isMono = ((head >>> 6) & 3) === 3
  const xing = start + 4 + (version === 3 ? (isMono ? 17 : 32) : isMono ? 9 : 17)
  const bits = (file.length - start) * 8
  const isCounted = isTagged(file, xing, 'Xing') || isTagged(file, xing, 'Info')
  if (isCounted && xing + 12 <= file.length && (view.getUint32(xing + 4) & 1) === 1) {
    const counted = (view.getUint32(xing + 8) * (version === 3 ? 1_152 : 576)) / rate
    return Math.max(counted, bits / MOST_MP3_BITS)
  }
  return bits / (bitRate * 1_000)
}

/** Four bytes of seven bits each. */
function syncSafe(view: DataView, at: number): number {
  return [0, 1, 2, 3].reduce((sum, i) => sum * 128 + (view.getUint8(at + i) & 0x7f), 0)
}

function isTagged(file: Uint8Array, at: number, tag: string): boolean {
  if (at < 0 || at + tag.length > file.length) return false
  for (let i = 0; i < tag.length; i++) {
    if (file[at + i] !== tag.charCodeAt(i)) return false
  }
  return true
}
