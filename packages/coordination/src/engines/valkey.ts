import { type KeptConnection, keepConnection, reasonOf, type ValkeyClient } from './kept-connection.ts'

/** A server of Valkey (or Redis from 6 on) that may be away at any time: nothing here rejects, and nothing takes long. */
export interface Valkey {
  /** False while it is away, or was too slow a moment ago: do without it. */
  readonly usable: boolean
  /**
   * Runs a script; `name` is a key of the `scripts` it was opened with. Undefined when there is no answer in time: it may have
   * run all the same.
   */
  run(name: string, keys: readonly string[], args: readonly string[]): Promise<unknown>
  /** Runs a script whose answer nobody waits for. */
  send(name: string, keys: readonly string[], args: readonly string[]): void
  /** Tells all who listen, this process too; lost while the server is away. */
  publish(topic: string, text: string): void
  /** Calls `listener` for each text of a topic. */
  listen(topic: string, listener: (text: string) => void): void
  /** Calls `task` whenever news can be heard again: some may have been missed. */
  onListening(task: () => void): void
  close(): Promise<void>
}

export interface ValkeyOptions {
  /** `redis://[[user]:password@]host[:port][/number]`, or `rediss:` for TLS. */
  readonly url: string
  /** Lua, by name. */
  readonly scripts: Readonly<Record<string, string>>
  /** 50 ms unless told: a decision that takes longer is made without the server. */
  readonly answerMs?: number
  /** 0 to 1. */
  readonly random: () => number
  readonly onUp: () => void
  /** `reason` holds no secret. */
  readonly onDown: (reason: string) => void
}

const ANSWER_MS = 50
/** What nobody waits for may take longer before the server counts as away. */
const SEND_MS = 2_000
/** Commands on their way; beyond it the server counts as too slow. */
const COMMANDS = 10_000
/** Characters of a text; longer ones are not sent, and not listened to. */
const TEXT_LIMIT = 4_096

/**
 * Begins to connect and does not wait for it. Two connections, as one that listens is held up by what it hears. The library
 * is loaded here and nowhere else, so who does without Valkey does without it too.
 */
export async function openValkey(options: ValkeyOptions): Promise<Valkey> {
  const { url, scripts, answerMs = ANSWER_MS, random, onUp, onDown } = options
  const { createClient } = await import('@redis/client')
  const create = (): ValkeyClient => {
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
  // News do not know the number of a database, so that their channel must.
  const channel = `sluice:${new URL(url).pathname.slice(1) || '0'}:news`
  const listeners = new Map<string, (text: string) => void>()
  const tasks: (() => void)[] = []
  /** What the server calls the scripts. */
  const digests = new Map<string, string>()

  const commands: KeptConnection = keepConnection({
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
  const news: KeptConnection = keepConnection({
    create,
    random,
    onUp: () => {
      for (const task of tasks) task()
    },
    // The other connection says it.
    onDown: () => {},
    prepare: (client) =>
      client.subscribe(channel, (said) => {
        const [topic = ''] = said.split(' ', 1)
        if (said.length <= TEXT_LIMIT) listeners.get(topic)?.(said.slice(topic.length + 1))
      }),
  })

  /** Undefined when there was no answer in time. */
  const ask = (args: readonly string[], withinMs: number): Promise<unknown> => {
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
      // An answer that lies in the socket because this process was busy is not late: it is read first.
      const timer = setTimeout(() => setImmediate(fail, `no answer within ${withinMs} ms`), withinMs)
      client.sendCommand(args).then(settle, (error: unknown) => fail(reasonOf(error)))
    })
  }

  const evaluate = (name: string, keys: readonly string[], args: readonly string[], withinMs: number) => {
    const digest = digests.get(name)
    if (digest === undefined) return Promise.resolve(undefined)
    return ask(['EVALSHA', digest, String(keys.length), ...keys, ...args], withinMs)
  }

  return {
    get usable() {
      return commands.client !== undefined
    },
    run: (name, keys, args) => evaluate(name, keys, args, answerMs),
    send: (name, keys, args) => void evaluate(name, keys, args, SEND_MS),
    publish: (topic, text) => {
      const said = `${topic} ${text}`
      if (said.length <= TEXT_LIMIT) void ask(['PUBLISH', channel, said], SEND_MS)
    },
    listen: (topic, listener) => void listeners.set(topic, listener),
    onListening: (task) => void tasks.push(task),
    close: async () => {
      await Promise.all([commands.close(), news.close()])
    },
  }
}
