import { type KeptConnection, openKeptConnection, reasonOf, type ValkeyClient } from './kept-connection.ts'

/** A Valkey server (or Redis 6 or later) that might be unreachable at any time: nothing here rejects or takes long. */
export interface Valkey {
  /** False while the server is unreachable or was too slow a moment ago; callers must then do without it. */
  readonly usable: boolean
  /** Runs a script; `name` is a key of `scripts`. Undefined when there is no answer in time: it might still have run. */
  run(name: string, keys: readonly string[], args: readonly string[]): Promise<unknown>
  /** Runs a script without waiting for its answer. */
  send(name: string, keys: readonly string[], args: readonly string[]): void
  /** Sends a text to all listeners, including this process; lost while the server is unreachable. */
  publish(topic: string, text: string): void
  listen(topic: string, listener: (text: string) => void): void
  /** Calls `task` whenever listening restarts, because messages might have been missed. */
  onListening(task: () => void): void
  close(): Promise<void>
}

export interface ValkeyOptions {
  /** `redis://[[user]:password@]host[:port][/number]`, or `rediss:` for TLS. */
  readonly url: string
  readonly scripts: Readonly<Record<string, string>>
  /** 50 ms by default: a decision that takes longer is made without the server. */
  readonly answerMs?: number
  readonly random: () => number
  readonly onUp: () => void
  /** `reason` contains no secret. */
  readonly onDown: (reason: string) => void
}

const ANSWER_MS = 50
/** Commands that no caller waits for can take this long before the server counts as unreachable. */
const SEND_MS = 2_000
/** Most commands in progress; beyond this number the server counts as too slow. */
const COMMANDS = 10_000
/** In characters; longer texts are neither sent nor delivered. */
const TEXT_LIMIT = 4_096

/**
 * Starts to connect without waiting for it. Uses two connections, because incoming messages on a listening connection would delay
 * commands. The library is loaded only here, so a gateway without Valkey does not load it.
 */
export async function openValkey(options: ValkeyOptions): Promise<Valkey> {
  const { url, scripts, answerMs = ANSWER_MS, random, onUp, onDown } = options
  const create = await loadClientFactory(url)
  // Published messages do not carry the database number, so the channel name must.
  const channel = `sluice:${new URL(url).pathname.slice(1) || '0'}:news`
  const listeners = new Map<string, (text: string) => void>()
  const tasks: (() => void)[] = []
  /** The server's names for the scripts. */
  const digests = new Map<string, string>()

  const commands: KeptConnection = openKeptConnection({
    create,
    random,
    onUp,
    onDown,
    prepare: async (client) => {
      for (const [name, script] of Object.entries(scripts)) {
        const digest = await client.sendCommand(['SCRIPT', 'LOAD', script])
        if (typeof digest === 'string') digests.set(name, digest)
      }
    },
  })
  const news: KeptConnection = openKeptConnection({
    create,
    random,
    onUp: () => {
      for (const task of tasks) task()
    },
    // The other connection reports that the server is down.
    onDown: () => {},
    prepare: (client) =>
      client.subscribe(channel, (said) => {
        const [topic = ''] = said.split(' ', 1)
        if (said.length <= TEXT_LIMIT) listeners.get(topic)?.(said.slice(topic.length + 1))
      }),
  })

  const evaluate = (name: string, keys: readonly string[], args: readonly string[], withinMs: number) => {
    const digest = digests.get(name)
    if (digest === undefined) return Promise.resolve(undefined)
    return ask(commands, ['EVALSHA', digest, String(keys.length), ...keys, ...args], withinMs)
  }

  return {
    get usable() {
      return commands.client !== undefined
    },
    run: (name, keys, args) => evaluate(name, keys, args, answerMs),
    send: (name, keys, args) => void evaluate(name, keys, args, SEND_MS),
    publish: (topic, text) => {
      const said = `${topic} ${text}`
      if (said.length <= TEXT_LIMIT) void ask(commands, ['PUBLISH', channel, said], SEND_MS)
    },
    listen: (topic, listener) => void listeners.set(topic, listener),
    onListening: (task) => void tasks.push(task),
    close: async () => {
      await Promise.all([commands.close(), news.close()])
    },
  }
}

async function loadClientFactory(url: string): Promise<() => ValkeyClient> {
  const { createClient } = await import('@redis/client')
  return () => {
    const client = createClient({
      url,
      socket: { reconnectStrategy: false, connectTimeout: 2_000 },
      commandsQueueMaxLength: COMMANDS,
      disableOfflineQueue: true,
      disableClientInfo: true,
      maintNotifications: 'disabled',
    })
    return {
      connect: () => client.connect(),
      destroy: () => {
        if (client.isOpen) client.destroy()
      },
      sendCommand: (args) => client.sendCommand(args),
      subscribe: (channel, listener) => client.subscribe(channel, listener),
      on: (event, listener) => client.on(event, listener),
    }
  }
}

/** Undefined when there was no answer in time. */
function ask(commands: KeptConnection, args: readonly string[], withinMs: number): Promise<unknown> {
  const { client } = commands
  if (client === undefined) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    let isSettled = false
    const settle = (reply: unknown): void => {
      isSettled = true
      clearTimeout(timer)
      resolve(reply)
    }
    const fail = (reason: string): void => {
      if (isSettled) return
      commands.drop(client, reason)
      settle(undefined)
    }
    // An answer that reached the socket while this process was busy is not late, so it is read first.
    const timer = setTimeout(() => setImmediate(fail, `no answer within ${withinMs} ms`), withinMs)
    client.sendCommand(args).then(settle, (error: unknown) => fail(reasonOf(error)))
  })
}
