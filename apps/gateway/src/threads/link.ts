/** Functions that the other thread can call. Arguments and results are copied, so they are plain data. */
export type Services = Readonly<Record<string, (...args: never[]) => unknown>>

/** A `MessagePort`, or a `Worker` from the outside. */
export interface Port {
  postMessage(message: unknown): void
  on(event: 'message', listener: (message: readonly unknown[]) => void): unknown
}

/** One end of the connection between two threads. What one turn of the event loop sends travels in one message, in its order. */
export interface Link<Theirs extends Services> {
  /** Rejects with what the function threw, or when the other thread has ended. */
  call<Name extends keyof Theirs & string>(
    name: Name,
    ...args: Parameters<Theirs[Name]>
  ): Promise<Awaited<ReturnType<Theirs[Name]>>>
  /** Calls without an answer. What the function throws is reported on its own side. */
  tell<Name extends keyof Theirs & string>(name: Name, ...args: Parameters<Theirs[Name]>): void
  /** The same, for what nobody waits for: it travels with the next message, at the latest after 20 ms. To wake a thread costs most. */
  report<Name extends keyof Theirs & string>(name: Name, ...args: Parameters<Theirs[Name]>): void
  /** Rejects every call, now and later: the other thread has ended. */
  cut(): void
}

const LAZY_MS = 20
/** Numbers from 1 are calls; their negatives are answers. */
const TELL = 0

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

export function openLink<Theirs extends Services>(
  port: Port,
  ours: Services,
  onError: (error: unknown) => void,
): Link<Theirs> {
  const waiting = new Map<number, Waiting>()
  /** Three values for each: number, name or whether it succeeded, arguments or result. */
  let out: unknown[] = []
  let isDue = false
  let lazily: NodeJS.Timeout | undefined
  let last = 0
  let isCut = false

  const flush = (): void => {
    isDue = false
    clearTimeout(lazily)
    lazily = undefined
    const message = out
    out = []
    if (message.length > 0) port.postMessage(message)
  }
  const send = (number: number, what: unknown, value: unknown): void => {
    if (isCut) return
    out.push(number, what, value)
    if (!isDue) setImmediate(flush)
    isDue = true
  }
  const answer = async (number: number, name: string, args: readonly never[]): Promise<void> => {
    try {
      send(-number, true, await ours[name]?.(...args))
    } catch (error) {
      send(-number, false, error instanceof Error ? error : new Error(String(error)))
    }
  }
  const receive = (number: number, what: unknown, value: unknown): void => {
    if (number < TELL) {
      const call = waiting.get(-number)
      waiting.delete(-number)
      if (what === true) call?.resolve(value)
      else call?.reject(value as Error)
    } else if (number > TELL) {
      void answer(number, what as string, value as readonly never[])
    } else {
      try {
        ours[what as string]?.(...(value as readonly never[]))
      } catch (error) {
        onError(error)
      }
    }
  }

  port.on('message', (message) => {
    for (let i = 0; i < message.length; i += 3) receive(message[i] as number, message[i + 1], message[i + 2])
  })
  return {
    call: (name, ...args) =>
      new Promise((resolve, reject) => {
        if (isCut) return reject(new Error(ENDED))
        last += 1
        waiting.set(last, { resolve: resolve as Waiting['resolve'], reject })
        send(last, name, args)
      }),
    tell: (name, ...args) => send(TELL, name, args),
    report: (name, ...args) => {
      if (isCut) return
      out.push(TELL, name, args)
      if (!isDue) lazily ??= setTimeout(flush, LAZY_MS)
    },
    cut: () => {
      isCut = true
      for (const { reject } of waiting.values()) reject(new Error(ENDED))
      waiting.clear()
    },
  }
}

const ENDED = 'the other thread has ended'
