import { tinykeys } from 'tinykeys'
import { byKeys, type CommandRegistry } from './registry.ts'

/** Longest pause between the keys of a sequence, in milliseconds. */
const SEQUENCE_MS = 1_000

/**
 * Runs commands on their keys until the returned function is called. Nothing runs while a modal dialog is open. Keys without Ctrl
 * or Cmd do nothing while text is being typed, and `enabled` switches them off altogether (WCAG 2.1.4).
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
    ignore: (event) =>
      isNoPress(event) ||
      (!(event.ctrlKey || event.metaKey) && (!enabled() || isTyping(event))) ||
      target.document.querySelector('dialog:modal') !== null,
  })
}

function isNoPress(event: KeyboardEvent): boolean {
  return event.repeat || event.isComposing || event.defaultPrevented
}

function isTyping(event: KeyboardEvent): boolean {
  const { target } = event
  return target instanceof Element && target.closest('input,select,textarea,[contenteditable]') !== null
}
