import { tinykeys } from 'tinykeys'
import { byKeys, type CommandRegistry } from './registry.ts'

/** Longest pause between the keys of a sequence, in milliseconds. */
const SEQUENCE_MS = 1_000

/**
 * Runs commands on their keys until the returned function is called. Keys do nothing while text is typed and while a
 * modal dialog is open, and `enabled` switches them off altogether (WCAG 2.1.4).
 */
export function listenForShortcuts(registry: CommandRegistry, target: Window, enabled: () => boolean): () => void {
  let stop = bind(registry, target, enabled)
  const unsubscribe = registry.subscribe(() => {
    stop()
    stop = bind(registry, target, enabled)
  })
  return () => {
    unsubscribe()
    stop()
  }
}

function bind(registry: CommandRegistry, target: Window, enabled: () => boolean): () => void {
  const bindings = [...byKeys(registry.get())].map(([keys, command]) => [
    keys,
    (event: KeyboardEvent) => {
      event.preventDefault()
      command.run()
    },
  ])
  return tinykeys(target, Object.fromEntries(bindings) as Record<string, (event: KeyboardEvent) => void>, {
    timeout: SEQUENCE_MS,
    ignore: (event) => !enabled() || isTyping(event) || target.document.querySelector('dialog:modal') !== null,
  })
}

function isTyping(event: KeyboardEvent): boolean {
  if (event.repeat || event.isComposing || event.defaultPrevented) return true
  const { target } = event
  return target instanceof Element && target.closest('input,select,textarea,[contenteditable]') !== null
}
