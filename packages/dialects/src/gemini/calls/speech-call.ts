import type { CallTranslation, DecodedCall, Encoded } from '../../canon/codec.ts'
import { Losses } from '../../canon/losses.ts'
import { errorInside } from '../../canon/upstream-error.ts'
import { asObject, type JsonObject } from '../../json-value.ts'
import { usageOfReply } from '../../usage/usage-report.ts'
import { geminiUsage } from '../usage.ts'

/** The nearest of Gemini's voices for OpenAI's, which its SDKs require. */
const VOICES: Readonly<Record<string, string>> = {
  alloy: 'Kore',
  ash: 'Orus',
  ballad: 'Enceladus',
  coral: 'Leda',
  echo: 'Charon',
  fable: 'Puck',
  nova: 'Aoede',
  onyx: 'Fenrir',
  sage: 'Zephyr',
  shimmer: 'Callirrhoe',
  verse: 'Iapetus',
}
/** Samples per second if the provider states no rate. */
const USUAL_RATE = 24_000

/** `/v1/audio/speech` as `generateContent` of a Gemini model that speaks. Its raw samples are returned as WAVE. */
export const geminiSpeech: CallTranslation = {
  encode(request): Encoded {
    const losses = new Losses()
    const { model: _, input, voice, instructions, response_format: format, stream_format: __, ...rest } = request
    for (const [name, value] of Object.entries(rest)) if (value !== null) losses.dropped(name)
    if (format !== 'wav' && format !== 'pcm') losses.changed('response_format')
    const text = typeof instructions === 'string' && instructions !== '' ? `${instructions}: ${String(input)}` : input
    const speechConfig = { voiceConfig: { prebuiltVoiceConfig: { voiceName: voiceOf(voice, losses) } } }
    return {
      body: {
        contents: [{ role: 'user', parts: [{ text }] }],
        generationConfig: { responseModalities: ['AUDIO'], speechConfig },
      },
      losses: losses.list(),
    }
  },
  decode(reply, request): DecodedCall | { readonly invalid: string } {
    const usage = usageOfReply(geminiUsage, reply)
    const error = errorInside(reply)
    if (error !== undefined) return { reply: {}, usage, error }
    const { samples, rate } = soundOf(reply)
    if (samples === '') return { invalid: 'it contains no audio' }
    const isRaw = request['response_format'] === 'pcm'
    const bytes = waveOf(samples, isRaw ? undefined : rate)
    if (bytes === undefined) return { invalid: 'its audio is not base64' }
    return { reply: {}, usage, file: { bytes, contentType: isRaw ? 'audio/pcm' : 'audio/wav' } }
  },
}

/** Gemini's own voices keep their names. */
function voiceOf(voice: unknown, losses: Losses): string {
  const name = typeof voice === 'string' ? voice : 'alloy'
  const nearest = Object.hasOwn(VOICES, name) ? VOICES[name] : undefined
  if (nearest !== undefined) losses.changed('voice')
  return nearest ?? name
}

function soundOf({ candidates }: JsonObject): { readonly samples: string; readonly rate: number } {
  const first = asObject(Array.isArray(candidates) ? candidates[0] : undefined)
  const parts = asObject(first?.['content'])?.['parts']
  for (const part of Array.isArray(parts) ? parts : []) {
    const { mimeType, data } = asObject(asObject(part)?.['inlineData']) ?? {}
    if (typeof mimeType !== 'string' || typeof data !== 'string' || !mimeType.startsWith('audio/')) continue
    return { samples: data, rate: Number(/rate=(\d{4,6})/.exec(mimeType)?.[1] ?? USUAL_RATE) }
  }
  return { samples: '', rate: USUAL_RATE }
}

const HEAD_BYTES = 44
const BYTES_PER_SAMPLE = 2

/** Converts base64 of 16-bit mono samples to WAVE; without a `rate` (samples per second) they stay raw. Undefined if not base64. */
function waveOf(base64: string, rate: number | undefined): Uint8Array | undefined {
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
