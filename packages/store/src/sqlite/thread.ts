import { parentPort, workerData } from 'node:worker_threads'
import { openForeignConnection, openSqliteConnection } from './connection.ts'
import type {
  CallMessage,
  ErrorMessage,
  OpenForeignProgram,
  OpenProgram,
  OpenUnconnectedProgram,
  ProgramMethods,
  ReplyMessage,
  ThreadStart,
} from './program.ts'

/** Entry of a database thread: opens the connection, loads its program, answers calls. See `host.ts` for the other side. */
const port = parentPort
if (port === null) throw new Error('sqlite/thread.ts runs in a worker thread only')

const { file, program, access } = workerData as ThreadStart
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
const reply = (message: ReplyMessage): void => port.postMessage(message)

interface Opened {
  readonly connection: { close(): void }
  readonly methods: ProgramMethods
}

const openers: Readonly<Record<ThreadStart['access'], (module: unknown) => Opened>> = {
  own: (module) => {
    const connection = openSqliteConnection(file)
    return { connection, methods: (module as { open: OpenProgram }).open(connection) }
  },
  foreign: (module) => {
    const connection = openForeignConnection(file)
    return { connection, methods: (module as { open: OpenForeignProgram }).open(connection) }
  },
  none: (module) => ({
    connection: { close: () => {} },
    methods: (module as { open: OpenUnconnectedProgram }).open(file),
  }),
}

try {
  const module: unknown = await import(program)
  const { connection, methods } = openers[access](module)
  port.on('message', ([id, method, args]: CallMessage) => {
    if (id === 0) {
      connection.close()
      port.close()
      return
    }
    try {
      const call = methods[method]
      if (call === undefined) throw new Error(`the database program has no method ${method}`)
      const result = call(...(args as never[]))
      if (!(result instanceof Promise)) return reply([id, result])
      result.then(
        (value) => reply([id, value]),
        (error: unknown) => reply([id, undefined, describe(error)]),
      )
    } catch (error) {
      reply([id, undefined, describe(error)])
    }
  })
  // Garbage from the start would stay, because a thread allocates little. Node has `gc` only under `--expose-gc`, which our
  // launcher sets.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  reply([0, undefined])
} catch (error) {
  reply([0, undefined, describe(error)])
}

function describe(error: unknown): ErrorMessage {
  if (!(error instanceof Error))
    return { message: String(error), stack: undefined, errcode: undefined, code: undefined }
  const errcode = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined
  const code = errcode === undefined && 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { message: error.message, stack: error.stack, errcode, code }
}
