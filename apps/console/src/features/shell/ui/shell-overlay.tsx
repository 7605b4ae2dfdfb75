import { clsx } from 'clsx'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { byKeys } from '~/lib/commands.ts'
import { useCommandRegistry, useShortcutsEnabled } from '~/lib/commands.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useStore } from '~/lib/store.ts'
import { Dialog } from '~/ui/dialog.tsx'
import { SearchIcon } from '~/ui/icons.tsx'
import type { PaletteEntry, PalettePage } from '../model/fuzzy.ts'
import { paletteTexts } from '../texts/palette-texts.ts'
import { shellTexts } from '../texts/shell-texts.ts'
import { usePaletteEntries } from './use-palette-entries.ts'

/** Overlays that the shell opens over a page. */
export type Overlay = 'palette' | 'help'

/** Loaded when one of them is first needed, or when the first page has settled. */
export function ShellOverlay({ overlay, onClose }: { overlay: Overlay; onClose: () => void }) {
  return overlay === 'palette' ? <CommandPalette onClose={onClose} /> : <ShortcutHelp onClose={onClose} />
}

/** The keys that work on this page, from the same registry that runs them: those of the page first. */
function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const t = useTexts(shellTexts)
  const commands = [...byKeys(useStore(useCommandRegistry())).values()]
  const enabledStore = useShortcutsEnabled()
  const enabled = useStore(enabledStore)
  const ofTheShell = [t.goTo, t.general]
  const groups = new Set([
    ...commands.map(({ group }) => group).filter((group) => !ofTheShell.includes(group)),
    ...ofTheShell,
  ])
  return (
    <Dialog title={t.shortcuts} onClose={onClose}>
      {[...groups].map((group) => (
        <section key={group} className="mb-4">
          <h3 className="text-muted mb-1 text-xs font-medium">{group}</h3>
          <dl className="divide-line divide-y">
            {commands
              .filter((command) => command.group === group)
              .map(({ id, label, keys = '' }) => (
                <div key={id} className="flex items-center justify-between gap-4 py-1.5 text-sm">
                  <dt>{label}</dt>
                  <dd>
                    <Keys names={keyNames(keys, isMac(navigator.platform))} />
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="accent-accent-solid size-4"
          checked={enabled}
          onChange={(event) => enabledStore.set(event.target.checked)}
        />
        {t.shortcutsOn}
      </label>
    </Dialog>
  )
}

interface CommandPaletteProps {
  readonly onClose: () => void
}

/** Everything that one can go to, find or do, by typing. A combobox in a dialog; entries can open a page of further ones. */
function CommandPalette({ onClose }: CommandPaletteProps) {
  const t = useTexts(paletteTexts)
  const dialog = useRef<HTMLDialogElement>(null)
  const listId = useId()
  const [text, setText] = useState('')
  const [pages, setPages] = useState<readonly PalettePage[]>([])
  const [at, setAt] = useState(0)
  const page = pages.at(-1)
  const { entries, remark } = usePaletteEntries(text, page)
  const active = Math.min(at, entries.length - 1)
  useOpenDialog(dialog)

  const type = (next: string) => {
    setText(next)
    setAt(0)
  }
  const openPage = (next: readonly PalettePage[]) => {
    setPages(next)
    type('')
  }
  const choose = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return
    if (entry.page !== undefined) {
      entry.run?.()
      openPage([...pages, entry.page])
      return
    }
    // Closed first, so that the focus is back where it was before the command moves it.
    dialog.current?.close()
    onClose()
    entry.run?.()
  }
  const leave = () => (page === undefined ? onClose() : openPage(pages.slice(0, -1)))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const moved = movedTo(event.key, active, entries.length)
    if (moved !== undefined) setAt(moved)
    else if (event.key === 'Enter') choose(entries[active])
    else if (event.key === 'Backspace' && text === '' && page !== undefined) leave()
    else if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) onClose()
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      aria-label={t.title}
      onCancel={(event) => {
        event.preventDefault()
        leave()
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose()
      }}
      className="bg-raised border-line shadow-float mx-auto mt-[12dvh] mb-auto w-[min(36rem,calc(100vw-2rem))] overflow-hidden rounded-xl border p-0 animate-[rise_.15s] backdrop:bg-black/40"
    >
      <div className="border-line flex items-center gap-2.5 border-b px-4">
        <span className="text-muted flex">
          <SearchIcon />
        </span>
        <input
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog that is opened to type into
          autoFocus
          type="text"
          role="combobox"
          aria-label={page === undefined ? t.placeholder : t.within(page.title)}
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          placeholder={page === undefined ? t.placeholder : t.within(page.title)}
          value={text}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
          className="text-entry h-12 min-w-0 grow bg-transparent outline-none"
        />
      </div>
      <Results listId={listId} entries={entries} active={active} onActive={setAt} onChoose={choose} />
      <p role="status" className={clsx('text-muted text-sm', remark === '' ? 'sr-only' : 'px-4 pb-3')}>
        {remark === '' ? t.results(entries.length) : remark}
      </p>
      <p
        aria-hidden="true"
        className="border-line text-muted flex gap-4 border-t px-4 py-2 text-xs pointer-coarse:hidden"
      >
        <Hint keys="↑ ↓" text={t.move} />
        <Hint keys="Enter" text={t.run} />
        <Hint keys="Esc" text={page === undefined ? t.leave : t.back} />
      </p>
    </dialog>
  )
}

/** Opens with the component and restores the focus when it is removed. */
function useOpenDialog(dialog: React.RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const opened = dialog.current
    if (opened?.open === false) opened.showModal()
    return () => opened?.close()
  }, [dialog])
}

function movedTo(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at - 1 + count) % count
  if (key === 'PageDown') return Math.min(count - 1, at + 8)
  return key === 'PageUp' ? Math.max(0, at - 8) : undefined
}

interface ResultsProps {
  readonly listId: string
  readonly entries: readonly PaletteEntry[]
  readonly active: number
  readonly onActive: (index: number) => void
  readonly onChoose: (entry: PaletteEntry) => void
}

function Results({ listId, entries, active, onActive, onChoose }: ResultsProps) {
  const t = useTexts(paletteTexts)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active, entries])
  const groups = [...new Set(entries.map(({ group }) => group))]
  return (
    <div
      ref={list}
      id={listId}
      role="listbox"
      aria-label={t.title}
      className="max-h-[min(24rem,55dvh)] overflow-y-auto p-2 empty:p-0"
    >
      {groups.map((group) => (
        <div key={group} role="group" aria-label={group} className="mb-1">
          <p aria-hidden="true" className="text-muted px-2.5 py-1 text-xs font-medium">
            {group}
          </p>
          {entries.map((entry, index) => {
            if (entry.group !== group) return null
            return (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the combobox's
              <div
                key={entry.id}
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                onMouseDown={(event) => event.preventDefault()}
                onPointerMove={() => onActive(index)}
                onClick={() => onChoose(entry)}
                className="aria-selected:bg-hover flex min-h-8 cursor-pointer items-center gap-3 rounded-md px-2.5 py-1 text-sm pointer-coarse:min-h-11"
              >
                <span className="min-w-0 grow truncate">{entry.label}</span>
                {entry.hint !== undefined && <span className="text-muted shrink-0 text-xs">{entry.hint}</span>}
                {entry.keys !== undefined && <Keys names={keyNames(entry.keys, isMac(navigator.platform))} />}
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}

function Hint({ keys, text }: { keys: string; text: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <Keys names={keys.split(' ')} />
      {text}
    </span>
  )
}

/** Keys as they are printed on a keyboard. */
function Keys({ names }: { names: readonly string[] }) {
  return (
    <span className="flex shrink-0 gap-1">
      {names.map((name, index) => (
        <kbd
          key={index}
          className="border-line bg-subtle text-muted min-w-5 rounded border px-1 text-center font-mono text-xs leading-5"
        >
          {name}
        </kbd>
      ))}
    </span>
  )
}

/** The keys of a command one by one, as they are printed on a keyboard: `$mod+k` is Ctrl and K, or ⌘ and K on a Mac. */
export function keyNames(keys: string, isMac: boolean): readonly string[] {
  return keys
    .split(' ')
    .flatMap((press) => press.replace('[Shift]+', '').split(/\+(?=.)/))
    .map((key) => {
      if (key === '$mod') return isMac ? '⌘' : 'Ctrl'
      if (key === 'Shift') return isMac ? '⇧' : 'Shift'
      return key.length === 1 && keys.includes('+') ? key.toUpperCase() : key
    })
}

/** Whether this browser runs where Cmd replaces Ctrl. */
export function isMac(platform: string): boolean {
  return /^(Mac|iP(hone|ad|od))/.test(platform)
}
