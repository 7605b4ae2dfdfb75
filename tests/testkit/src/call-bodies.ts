/** A valid request for each billed path of the relay, for tests that iterate over paths. */
export interface CallBody {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer>
}

const BOUNDARY = 'form-boundary'
const SAMPLE_RATE = 8_000
const JSON_TYPE = { 'content-type': 'application/json' }

const JSON_BODIES: Readonly<Record<string, object>> = {
  '/v1/chat/completions': { messages: [{ role: 'user', content: 'Say something.' }] },
  '/v1/responses': { input: 'Say something.' },
  '/v1/responses/compact': { input: 'Say something.' },
  '/v1/responses/input_tokens': { input: 'Say something.' },
  '/v1/messages': { messages: [{ role: 'user', content: 'Say something.' }], max_tokens: 64 },
  '/v1/messages/count_tokens': { messages: [{ role: 'user', content: 'Say something.' }] },
  '/v1/completions': { prompt: 'Say something.', max_tokens: 16 },
  '/v1/embeddings': { input: 'some text' },
  '/v1/moderations': { input: 'some text' },
  '/v1/images/generations': { prompt: 'a sluice' },
  '/v1/rerank': { query: 'Which?', documents: ['a sluice', 'a gate'] },
  '/v2/rerank': { query: 'Which?', documents: ['a sluice', 'a gate'] },
  '/v1/audio/speech': { input: 'The gate opens.', voice: 'alloy' },
}
const FORMS: Readonly<Record<string, Readonly<Record<string, string | Uint8Array>>>> = {
  '/v1/audio/transcriptions': { file: waveFile(2_000) },
  '/v1/audio/translations': { file: waveFile(2_000) },
  '/v1/images/edits': { image: Buffer.from('not really a picture'), prompt: 'open the sluice' },
  '/v1/images/variations': { image: Buffer.from('not really a picture') },
}

export function callBody(path: string, model: string): CallBody | undefined {
  const fields = JSON_BODIES[path]
  if (fields !== undefined) return { headers: JSON_TYPE, body: JSON.stringify({ model, ...fields }) }
  const form = FORMS[path]
  return form && formBody({ model, ...form })
}

export function formBody(
  fields: Readonly<Record<string, string | Uint8Array>>,
  headers: Readonly<Record<string, string>> = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
): CallBody {
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const [type, end] = name === 'file' ? ['audio/wav', 'wav'] : ['image/png', 'png']
    const file = typeof value === 'string' ? '' : `; filename="${name}.${end}"\r\nContent-Type: ${type}`
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`
    return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')]
  })
  return { headers, body: new Uint8Array(Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])) }
}

/** Silence as 16-bit mono WAV. */
export function waveFile(ms: number): Uint8Array<ArrayBuffer> {
  const bytes = Math.round((ms / 1_000) * SAMPLE_RATE) * 2
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + bytes, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(SAMPLE_RATE, 24)
  head.writeUInt32LE(SAMPLE_RATE * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(bytes, 40)
  return new Uint8Array(Buffer.concat([head, Buffer.alloc(bytes)]))
}
