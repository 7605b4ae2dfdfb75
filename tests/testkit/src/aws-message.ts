import { crc32 } from 'node:zlib'

/** One message of an AWS event stream; all header values are strings. */
export function awsMessage(headers: Readonly<Record<string, string>>, payload: string): Uint8Array<ArrayBuffer> {
  const block = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)))
  const body = Buffer.from(payload)
  const bytes = Buffer.alloc(16 + block.length + body.length)
  bytes.writeUInt32BE(bytes.length, 0)
  bytes.writeUInt32BE(block.length, 4)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8)
  bytes.set(block, 12)
  bytes.set(body, 12 + block.length)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -4)), bytes.length - 4)
  return new Uint8Array(bytes)
}

export function awsEvent(type: string, event: object): Uint8Array<ArrayBuffer> {
  return awsMessage({ ':event-type': type, ':message-type': 'event' }, JSON.stringify(event))
}

export function awsException(type: string, message: string): Uint8Array<ArrayBuffer> {
  return awsMessage({ ':exception-type': type, ':message-type': 'exception' }, JSON.stringify({ message }))
}

function header(name: string, value: string): Buffer {
  const [key, text] = [Buffer.from(name), Buffer.from(value)]
  const head = Buffer.from([key.length])
  return Buffer.concat([head, key, Buffer.from([7, text.length >> 8, text.length & 0xff]), text])
}
