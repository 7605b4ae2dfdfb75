import { expect, test } from 'vitest'
import { openAwsFrames } from './aws-event-stream.ts'
import { crc32 } from './aws-event-stream.ts'

/** Made by AWS's own encoder. */
const DELTA =
  '0000009400000057b4ab9aee0b3a6576656e742d74797065070011636f6e74656e74426c6f636b44656c74610d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576656e747b22636f6e74656e74426c6f636b496e646578223a302c2264656c7461223a7b2274657874223a224869227d7d1f944657'
const EXCEPTION =
  '00000090000000618e91a9b70f3a657863657074696f6e2d747970650700137468726f74746c696e67457863657074696f6e0d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d74797065070009657863657074696f6e7b226d657373616765223a22546f6f206d616e79207265717565737473227de67f8005'
const CHUNK =
  '0000007b0000004b0a2e96af0b3a6576656e742d747970650700056368756e6b0d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576656e747b226279746573223a2265794a306558426c496a6f6963476c755a794a39227da01f56c4'

const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const words = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, i) => bytes.writeUInt32BE(value, i * 4))
  return bytes
}
const head = (total: number, headers: number) => {
  const lengths = words(total, headers)
  return new Uint8Array(Buffer.concat([lengths, words(crc32(lengths))]))
}
const message = (headers: Buffer, payload: string) => {
  const body = Buffer.concat([
    head(16 + headers.length + payload.length, headers.length),
    headers,
    Buffer.from(payload),
  ])
  return new Uint8Array(Buffer.concat([body, words(crc32(body))]))
}
const header = (name: string, value: string) =>
  Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7, 0, value.length]), Buffer.from(value)])

test.each([
  ['an event', DELTA, { name: 'contentBlockDelta', data: '{"contentBlockIndex":0,"delta":{"text":"Hi"}}' }],
  ['an exception', EXCEPTION, { name: 'exception:throttlingException', data: '{"message":"Too many requests"}' }],
  ['a model’s own event in a chunk', CHUNK, { name: 'ping', data: '{"type":"ping"}' }],
])('reads %s', (_, hex, frame) => {
  const reader = openAwsFrames()
  expect(reader.push(bytesOf(hex))).toStrictEqual([frame])
  expect(reader.end()).toStrictEqual([])
  expect(reader.fault).toBeUndefined()
})

test('an error without a type of its own is returned as an exception', () => {
  const headers = [
    header(':message-type', 'error'),
    header(':error-code', 'InternalError'),
    header(':error-message', 'oh'),
  ]
  expect(openAwsFrames().push(message(Buffer.concat(headers), ''))).toStrictEqual([
    { name: 'exception:InternalError', data: '{"message":"oh"}' },
  ])
})

test('headers of other types than text are skipped', () => {
  const flag = Buffer.from([1, 0x61, 0])
  const long = Buffer.from([1, 0x62, 5, 0, 0, 0, 0, 0, 0, 0, 9])
  const blob = Buffer.from([1, 0x63, 6, 0, 2, 1, 2])
  const headers = Buffer.concat([flag, long, blob, header(':event-type', 'messageStop')])
  expect(openAwsFrames().push(message(headers, '{}'))).toStrictEqual([{ name: 'messageStop', data: '{}' }])
})

test('a chunk whose bytes are not base64 is returned as it is', () => {
  const frames = openAwsFrames().push(message(header(':event-type', 'chunk'), '{"bytes":"%%"}'))
  expect(frames).toStrictEqual([{ name: 'chunk', data: '{"bytes":"%%"}' }])
})

test.each([
  ['a damaged head', () => Uint8Array.of(...bytesOf(DELTA).subarray(0, 11), 0), 'the prelude of a message is damaged'],
  ['a damaged payload', () => bytesOf(DELTA.replace('4869', '4868')), 'a message is damaged'],
  ['a length above the limit', () => head(0xffffffff, 0), 'one message exceeds 16777216 bytes'],
  ['more headers than message', () => head(100, 99), 'the lengths in a message are inconsistent'],
  ['a message shorter than its frame', () => head(3, 0), 'the lengths in a message are inconsistent'],
  ['a header beyond its block', () => message(Buffer.from([200, 1]), ''), 'the headers of a message are damaged'],
  [
    'a header of an unknown type',
    () => message(Buffer.from([1, 0x61, 99]), ''),
    'the headers of a message are damaged',
  ],
  [
    'a value beyond its block',
    () => message(Buffer.from([1, 0x61, 7, 0, 9]), ''),
    'the headers of a message are damaged',
  ],
])('%s ends the reading, after the valid messages before it', (_, damaged, fault) => {
  const reader = openAwsFrames()
  expect(reader.push(new Uint8Array(Buffer.concat([bytesOf(DELTA), damaged()])))).toHaveLength(1)
  expect(reader.fault).toBe(fault)
  expect(reader.push(bytesOf(DELTA))).toStrictEqual([])
})

test('a message without its end is not returned', () => {
  const reader = openAwsFrames()
  expect(reader.push(bytesOf(DELTA).subarray(0, 140))).toStrictEqual([])
  expect(reader.end()).toStrictEqual([])
})
