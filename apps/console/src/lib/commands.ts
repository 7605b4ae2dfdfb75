import { createContext, useContext, useEffect, useEffectEvent } from 'react'
import { type Store, createStore } from './store.ts'

export const CommandContext = createContext<CommandRegistry | undefined>(undefined)

export function useCommandRegistry(): CommandRegistry {
  const registry = useContext(CommandContext)
  if (registry === undefined) throw new Error('useCommandRegistry needs a CommandContext above it')
  return registry
}

/** Registers a command while the component is mounted. `run` can close over fresh state. */
export function useCommand(command: Command): void {
  const registry = useCommandRegistry()
  const { id, label, group, keys } = command
  const run = useEffectEvent(() => command.run())
  useEffect(() => registry.register([{ id, label, group, keys, run: () => run() }]), [registry, id, label, group, keys])
}

export const ShortcutsEnabledContext = createContext<Store<boolean> | undefined>(undefined)

export function useShortcutsEnabled(): Store<boolean> {
  const store = useContext(ShortcutsEnabledContext)
  if (store === undefined) throw new Error('useShortcutsEnabled needs a ShortcutsEnabledContext above it')
  return store
}

/** An action as data, for the shortcuts, the help page and the palette. */
export interface Command {
  readonly id: string
  /** Verb and object in the visitor's language. */
  readonly label: string
  readonly group: string
  /** Key sequence in the notation of tinykeys: `g t`, `/`, `Shift+?`. Without keys, only the palette has the command. */
  readonly keys?: string | undefined
  readonly run: () => void
}

/** The commands of all mounted components. A later registration of the same keys takes precedence while it lasts. */
export interface CommandRegistry extends Pick<Store<readonly Command[]>, 'get' | 'subscribe'> {
  /** Returns a function that removes the commands. */
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

/** For the same keys, the command registered last. */
export function byKeys(commands: readonly Command[]): Map<string, Command> {
  return new Map(commands.flatMap((command) => (command.keys === undefined ? [] : [[command.keys, command] as const])))
}
