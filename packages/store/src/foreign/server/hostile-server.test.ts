import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import { openForeignDatabase } from '../open-foreign-database.ts'

const PASSWORD = 'p%40ss-w0rd'
let server: Server | undefined
const sockets = new Set<Socket>()
const received: Buffer[] = []

afterEach(() => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  received.length = 0
  server?.close()
})

/** Listens on loopback; `talk` is called per connection, and what clients send is kept. */
async function listen(talk: (socket: Socket) => void): Promise<number> {
  const listening = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (bytes) => received.push(bytes))
    talk(socket)
  })
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const address = listening.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function problemOf(scheme: 'mysql' | 'postgres', port: number): Promise<string> {
  const source = `${scheme}://root-user:${PASSWORD}@127.0.0.1:${port}/oneapi`
  const result = await openForeignDatabase(source, {
    signal: new AbortController().signal,
    temporaryDirectory: tmpdir(),
  })
  if ('database' in result) throw new Error('it was opened')
  expect(result.problem).not.toMatch(/p%40ss|p@ss|root-user/)
  return result.problem
}

function packet(sequence: number, ...parts: readonly (Buffer | string | readonly number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as Buffer)))
  const head = Buffer.alloc(4)
  head.writeUIntLE(body.length, 0, 3)
  head[3] = sequence
  return Buffer.concat([head, body])
}

/** Protocol 10, with the capabilities of a server that allows everything. */
const GREETING = packet(
  0,
  [10],
  '5.7.0\0',
  [1, 0, 0, 0],
  'abcdefgh',
  [0],
  [0xff, 0xf7],
  [33],
  [2, 0],
  [0xff, 0x81],
  [21],
  Buffer.alloc(10),
  'ijklmnopqrst\0',
  'mysql_native_password\0',
)
const OK = [0, 0, 0, 2, 0, 0, 0]

/** Greets, accepts any password, and calls `onCommand` for each later command. */
function mysqlServer(socket: Socket, onCommand: (socket: Socket) => void): void {
  socket.write(GREETING)
  let isSignedIn = false
  socket.on('data', () => {
    if (isSignedIn) return onCommand(socket)
    isSignedIn = true
    socket.write(packet(2, OK))
  })
}

describe.each(['mysql', 'postgres'] as const)('a %s server', (scheme) => {
  test('that is not there, closes, or sends garbage is a problem and nothing else', async () => {
    const port = await listen((socket) => socket.end())
    expect(await problemOf(scheme, port)).toMatch(/server (closed the connection|failed)/)
    server?.close()
    expect(await problemOf(scheme, port)).toMatch(/server refuses connections/)
    const garbage = await listen((socket) => socket.end(Buffer.alloc(100_000, 0x4e)))
    expect(await problemOf(scheme, garbage)).toMatch(/server|connection/)
  })

  test('that never says a word is given up', { tags: 'slow' }, async () => {
    expect(await problemOf(scheme, await listen(() => {}))).toMatch(/server does not answer$/)
  })

  test('that sends without end is cut off', { tags: 'slow' }, async () => {
    const piece = Buffer.alloc(1 << 20)
    // Announces a message larger than any limit.
    const head = scheme === 'mysql' ? [0xff, 0xff, 0xff, 0] : [0x52, 0x7f, 0xff, 0xff, 0xff]
    const port = await listen((socket) => {
      socket.write(Buffer.from(head))
      const more = (): void => {
        while (!socket.destroyed && socket.write(piece));
        if (!socket.destroyed) socket.once('drain', more)
      }
      more()
    })
    expect(await problemOf(scheme, port)).toMatch(/server|connection/)
  })
})

describe('a MySQL server', () => {
  test('gets no file of this machine when it asks for one', async () => {
    const port = await listen((socket) =>
      mysqlServer(socket, () => socket.write(packet(1, [0xfb], import.meta.filename))),
    )
    expect(await problemOf('mysql', port)).toBe(
      'the MySQL server asked for a file from this machine, which was refused',
    )
    expect(Buffer.concat(received).includes('gets no file of this machine')).toBe(false)
  })

  test('gets no password in clear when it asks for one', async () => {
    const port = await listen((socket) => {
      socket.write(GREETING)
      socket.once('data', () => socket.write(packet(2, [0xfe], 'mysql_clear_password\0')))
    })
    expect(await problemOf('mysql', port)).toBe('the MySQL server requires a kind of sign-in that is not supported')
    expect(Buffer.concat(received).includes('p@ss-w0rd')).toBe(false)
  })

  test('that breaks its protocol anywhere ends a thread at most', async () => {
    const answers = [
      [1, [0x02], [1]],
      [1, [0xfd, 0xff, 0xff, 0xff]],
      [1, [0xff]],
      [1, Buffer.alloc(64, 0xfc)],
      [9, OK],
    ] as const
    for (const [sequence, ...parts] of answers) {
      const port = await listen((socket) =>
        mysqlServer(socket, () => {
          socket.write(packet(sequence, ...parts))
          socket.end(packet(2, Buffer.alloc(32, 0xfb)))
        }),
      )
      expect(await problemOf('mysql', port)).toMatch(/server|connection/)
      server?.close()
    }
  })
})

describe('an address', () => {
  const problem = async (source: string): Promise<unknown> =>
    await openForeignDatabase(source, { signal: new AbortController().signal, temporaryDirectory: tmpdir() })

  test.each([
    ['mysql://u:secret@host', 'does not contain a database'],
    [
      'mysql://u:secret@host/db?tls=maybe',
      'the parameter tls of the MySQL server’s address must be true, skip-verify or false',
    ],
    ['mysql://u:secret@host/db?other=1', 'unknown parameter'],
    ['mysql://u:sec#ret@host/db', 'is not valid'],
    ['postgres://u:secret@ho st/db', 'is not valid'],
    ['root:secret@tcp(localhost:3306)/oneapi', 'has the form mysql://user:password@host:3306/database'],
    ['mongodb://u:secret@host/db', 'an import reads mysql:// and postgres://, not mongodb://'],
  ])('%s is refused without being quoted', async (source, says) => {
    expect(await problem(source)).toEqual({ problem: expect.stringContaining(says.replace('’', "'")) })
    expect(JSON.stringify(await problem(source))).not.toMatch(/secret|sec#ret/)
  })
})
