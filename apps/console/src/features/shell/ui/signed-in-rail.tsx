import { useNavigate } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useState, Suspense, useEffect } from 'react'
import { tinykeys } from 'tinykeys'
import * as v from 'valibot'
import { byKeys, type CommandRegistry } from '~/lib/commands.ts'
import { useCommand, useCommandRegistry, useShortcutsEnabled } from '~/lib/commands.ts'
import { useIsBelow } from '~/lib/dom/use-media.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { STORAGE_KEYS } from '~/lib/storage/keys.ts'
import { browserStorage, storedRecord } from '~/lib/storage/stored-record.ts'
import { IconButton } from '~/ui/button.tsx'
import { ChevronLeftIcon, ChevronRightIcon } from '~/ui/icons.tsx'
import type { NavigationEntry } from '../model/navigation.ts'
import { shellTexts } from '../texts/shell-texts.ts'
import { NavigationList, useNavigation } from './navigation-list.tsx'
import type { Overlay } from './shell-overlay.tsx'

export function SignedInRail() {
  return (
    <>
      <NavigationRail />
      <Shortcuts />
    </>
  )
}

function NavigationRail() {
  const t = useTexts(shellTexts)
  const record = storedRecord(browserStorage(), STORAGE_KEYS.rail, v.picklist(['open', 'collapsed']))
  const [choice, setChoice] = useState(() => record.read())
  const tablet = useIsBelow('desktop')
  const collapsed = choice === undefined ? tablet : choice === 'collapsed'
  const toggle = () => {
    const next = collapsed ? 'open' : 'collapsed'
    record.write(next)
    setChoice(next)
  }
  return (
    <nav
      aria-label={t.navigation}
      className={clsx(
        'border-line bg-surface hidden shrink-0 flex-col overflow-y-auto border-r px-2 py-3 md:flex',
        collapsed ? 'w-13' : 'w-48',
      )}
    >
      <NavigationList collapsed={collapsed} />
      <div className="mt-auto pl-0.5">
        <IconButton
          label={collapsed ? t.expandNavigation : t.collapseNavigation}
          aria-expanded={!collapsed}
          onClick={toggle}
        >
          {collapsed ? <ChevronRightIcon /> : <ChevronLeftIcon />}
        </IconButton>
      </div>
    </nav>
  )
}

const FETCH_AFTER_MS = 4_000

const fetchOverlays = () => import('./shell-overlay.tsx')

function Shortcuts() {
  const t = useTexts(shellTexts)
  const registry = useCommandRegistry()
  const enabled = useShortcutsEnabled()
  const entries = useNavigation()
  const { overlay, show } = useOverlay()
  useEffect(() => listenForShortcuts(registry, window, enabled.get), [registry, enabled])
  useCommand({ id: 'palette', label: t.palette, group: t.general, keys: '$mod+k', run: () => show('palette') })
  useCommand({ id: 'help', label: t.showShortcuts, group: t.general, keys: '[Shift]+?', run: () => show('help') })
  return (
    <>
      {entries.map((entry) => entry.keys !== undefined && <GoTo key={entry.id} entry={entry} keys={entry.keys} />)}
      <Suspense>{overlay}</Suspense>
    </>
  )
}

function useOverlay() {
  const [open, setOpen] = useState<Overlay>()
  const [parts, setParts] = useState<Awaited<ReturnType<typeof fetchOverlays>>>()
  useEffect(() => {
    const timer = setTimeout(() => void fetchOverlays().then(setParts, () => undefined), FETCH_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  const show = (overlay: Overlay) => {
    setOpen(overlay)
    if (parts === undefined) fetchOverlays().then(setParts, () => setOpen(undefined))
  }
  const close = () => setOpen(undefined)
  return {
    show,
    overlay: open !== undefined && parts !== undefined && <parts.ShellOverlay overlay={open} onClose={close} />,
  }
}

function GoTo({ entry, keys }: { entry: NavigationEntry; keys: string }) {
  const t = useTexts(shellTexts)
  const navigate = useNavigate()
  const { id, to } = entry
  useCommand({ id: `go.${id}`, label: t.nav[id], group: t.goTo, keys, run: () => void navigate({ to }) })
  return null
}

/** Longest pause between the keys of a sequence, in milliseconds. */
const SEQUENCE_MS = 1_000

/**
 * Runs commands on their keys until the returned function is called. Nothing runs while a modal dialog is open. Keys without Ctrl
 * or Cmd do nothing while text is being typed, and `enabled` switches them off altogether (WCAG 2.1.4).
 */
function listenForShortcuts(registry: CommandRegistry, target: Window, enabled: () => boolean): () => void {
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
