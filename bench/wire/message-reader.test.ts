import { expect, it } from 'vitest'
import { MessageReader } from './message-reader.ts'

/** The body that a reader finds in these pieces, and the piece that completes the message. */
function readAll(pieces: readonly string[]) {
  const reader = new MessageReader()
  const read = pieces.map((piece) => ({ body: reader.read(Buffer.from(piece)).toString(), whole: reader.isWhole }))
  return { body: read.map(({ body }) => body).join(''), wholeAfter: read.findIndex(({ whole }) => whole) + 1, reader }
}

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n'

it('ends a body with a length after its last byte', () => {
  const { body, wholeAfter, reader } = readAll([`${HEAD}Content-Length: 5\r\n\r\nab`, 'cd', 'e'])
  expect({ body, wholeAfter }).toEqual({ body: 'abcde', wholeAfter: 3 })
  expect(reader.head).toContain('200 OK')
})

it('counts the length of a body in bytes', () => {
  expect(readAll([`${HEAD}content-length: 4\r\n\r\n`, '水', 'a']).wholeAfter).toBe(3)
})

it('ends chunks with the last of them, wherever the pieces are cut', () => {
  const message = `${HEAD}Transfer-Encoding: chunked\r\n\r\n9\r\ndata: 0\r\n\r\n0\r\n\r\n`
  for (let at = 1; at < message.length; at++) {
    expect(readAll([message.slice(0, at), message.slice(at)]).wholeAfter).toBe(2)
  }
  expect(readAll(message.split('')).wholeAfter).toBe(message.length)
})

it('knows a chunked body without chunks and a message without a body', () => {
  expect(readAll([`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, '0\r\n\r\n']).wholeAfter).toBe(2)
  expect(readAll(['GET / HTTP/1.1\r\nHost: a\r\n', '\r\n']).wholeAfter).toBe(2)
})
