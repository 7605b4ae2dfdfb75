import { connect, type Socket } from 'node:net'
import { MessageReader } from './message-reader.ts'

/** Shared by all connections, because each piece is processed before the next one is read. */
const READ = Buffer.allocUnsafe(65_536)

/**
 * Sends one body repeatedly to one address, with each of several sets of headers in turn, on persistent connections; prefers an idle
 * one over a new one.
 */
export class Caller {
  readonly #url: URL
  readonly #requests: readonly Buffer[]
  readonly #idle: Connection[] = []
  #next = 0

  constructor(url: string, headers: readonly Readonly<Record<string, string>>[], body: string) {
    this.#url = new URL(url)
    const { host, pathname, search } = this.#url
    this.#requests = headers.map((each) => {
      const lines = Object.entries({ host, ...each, 'content-length': Buffer.byteLength(body) })
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
      return Buffer.from(`POST ${pathname}${search} HTTP/1.1\r\n${head}\r\n${body}`)
    })
  }

  /**
   * Calls `onBody` for each piece of the body, whose bytes are overwritten afterwards. Resolves to the reason for which the answer
   * failed, or '' when it is complete and has status 200.
   */
  call(onBody: (piece: Buffer) => void): Promise<string> {
    return new Promise((resolve) => {
      const connection = this.#idle.pop() ?? this.#open()
      const request = this.#requests[this.#next++ % this.#requests.length]
      if (request === undefined) throw new Error('there are no headers to send')
      connection.send(request, onBody, (failure) => {
        if (connection.isOpen) this.#idle.push(connection)
        resolve(failure)
      })
    })
  }

  #open(): Connection {
    const forget = (closed: Connection) => {
      const at = this.#idle.indexOf(closed)
      if (at !== -1) this.#idle.splice(at, 1)
    }
    return new Connection(this.#url, forget)
  }
}

const nothing = () => {}

class Connection {
  readonly #socket: Socket
  #reader = new MessageReader()
  #onBody: (piece: Buffer) => void = nothing
  #onEnd: (failure: string) => void = nothing

  constructor({ hostname, port }: URL, onClosed: (connection: Connection) => void) {
    this.#socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: { buffer: READ, callback: (length) => this.#read(READ.subarray(0, length)) },
    })
    let problem = 'the connection was closed before the answer was whole'
    this.#socket.once('error', (error) => (problem = error.message))
    this.#socket.once('close', () => {
      onClosed(this)
      this.#end(problem)
    })
  }

  get isOpen(): boolean {
    return this.#socket.writable && this.#socket.readable
  }

  send(request: Buffer, onBody: (piece: Buffer) => void, onEnd: (failure: string) => void): void {
    this.#reader = new MessageReader()
    this.#onBody = onBody
    this.#onEnd = onEnd
    this.#socket.write(request)
  }

  #read(piece: Buffer): boolean {
    const reader = this.#reader
    const body = reader.read(piece)
    if (body.length > 0) this.#onBody(body)
    if (reader.isWhole) {
      if (/^connection: *close/im.test(reader.head)) this.#socket.end()
      const status = reader.head.slice(9, 12)
      this.#end(status === '200' ? '' : `status ${status}: ${body.toString().slice(0, 500)}`)
    }
    return true
  }

  #end(failure: string): void {
    const onEnd = this.#onEnd
    this.#onEnd = nothing
    this.#onBody = nothing
    onEnd(failure)
  }
}
