import { createStore, type Store } from '../store/store.ts'

/** Something the visitor can do, as data: shortcuts, the help page and the palette read the same list. */
export interface Command {
  readonly id: string
  /** Verb and object in the visitor's language. */
  readonly label: string
  /** Heading of the help page under which it is listed. */
  readonly group: string
  /** Key sequence in the notation of tinykeys: `g t`, `/`, `Shift+?`. Without one the command is in the palette only. */
  readonly keys?: string | undefined
  readonly run: () => void
}

/** The commands of everything that is mounted. A later registration of the same keys wins while it lasts. */
export interface CommandRegistry extends Pick<Store<readonly Command[]>, 'get' | 'subscribe'> {
  /** Returns the function that removes them. */
  register(commands: readonly Command[]): () => void
}

export function createCommandRegistry(): CommandRegistry {
  const store = createStore<readonly Command[]>([])
  return {
    get: store.get,
    subscribe: store.subscribe,
    register(commands) {
      store.set([...store.get(), ...commands])
      return () => store.set(store.get().filter((command) => !commands.includes(command)))
    },
  }
}

/** The commands by their keys, the most recently registered winning. */
export function byKeys(commands: readonly Command[]): Map<string, Command> {
  return new Map(commands.flatMap((command) => (command.keys === undefined ? [] : [[command.keys, command] as const])))
}
