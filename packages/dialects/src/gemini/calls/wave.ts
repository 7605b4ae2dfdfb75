const HEAD_BYTES = 44
const BYTES_PER_SAMPLE = 2

/**
 * Samples of 16 bits on one channel, given as base64, as a WAVE file of `rate` samples per second; without a rate they stay raw.
 * Undefined when the input is not base64.
 */
export function waveOf(base64: string, rate: number | undefined): Uint8Array | undefined {
  const letters = decoded(base64)
  if (letters === undefined) return undefined
  const head = rate === undefined ? 0 : HEAD_BYTES
  const file = new Uint8Array(head + letters.length)
  for (let i = 0; i < letters.length; i++) file[head + i] = letters.charCodeAt(i)
  if (rate !== undefined) writeHead(new DataView(file.buffer), letters.length, rate)
  return file
}

function decoded(base64: string): string | undefined {
  try {
    return atob(base64)
  } catch {
    return undefined
  }
}

/** The canonical header: RIFF, one `fmt ` chunk for PCM, one `data` chunk. */
function writeHead(view: DataView, length: number, rate: number): void {
  writeText(view, 0, 'RIFF')
  view.setUint32(4, HEAD_BYTES - 8 + length, true)
  writeText(view, 8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * BYTES_PER_SAMPLE, true)
  view.setUint16(32, BYTES_PER_SAMPLE, true)
  view.setUint16(34, BYTES_PER_SAMPLE * 8, true)
  writeText(view, 36, 'data')
  view.setUint32(40, length, true)
}

function writeText(view: DataView, at: number, text: string): void {
  for (let i = 0; i < text.length; i++) view.setUint8(at + i, text.charCodeAt(i))
}
