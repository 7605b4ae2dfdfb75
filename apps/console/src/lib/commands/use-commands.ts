import { createContext, useContext, useEffect, useEffectEvent } from 'react'
import type { Store } from '../store/store.ts'
import type { Command, CommandRegistry } from './registry.ts'

export const CommandContext = createContext<CommandRegistry | undefined>(undefined)

export function useCommandRegistry(): CommandRegistry {
  const registry = useContext(CommandContext)
  if (registry === undefined) throw new Error('useCommandRegistry needs a CommandContext above it')
  return registry
}

/** Registers one command while the component is mounted. `run` can close over fresh state. */
export function useCommand(command: Command): void {
  const registry = useCommandRegistry()
  const { id, label, group, keys } = command
  const run = useEffectEvent(() => command.run())
  useEffect(() => registry.register([{ id, label, group, keys, run: () => run() }]), [registry, id, label, group, keys])
}

/** Whether single-key shortcuts are on. */
export const ShortcutsEnabledContext = createContext<Store<boolean> | undefined>(undefined)

export function useShortcutsEnabled(): Store<boolean> {
  const store = useContext(ShortcutsEnabledContext)
  if (store === undefined) throw new Error('useShortcutsEnabled needs a ShortcutsEnabledContext above it')
  return store
}
