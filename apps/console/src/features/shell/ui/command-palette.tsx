import { clsx } from 'clsx'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { SearchIcon } from '~/ui/icons.tsx'
import type { PaletteEntry, PalettePage } from '../model/fuzzy.ts'
import { paletteTexts } from '../texts/palette-texts.ts'
import { usePaletteEntries } from './use-palette-entries.ts'

/** A combobox in a dialog, in which an entry can open a page of further entries. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const t = useTexts(paletteTexts)
  const dialog = useRef<HTMLDialogElement>(null)
  const listId = useId()
  const palette = usePalette(dialog, onClose)
  const { page, remark, entries } = palette
  useOpenDialog(dialog)
  return (
    <dialog
      ref={dialog}
      aria-label={t.title}
      onCancel={(event) => {
        event.preventDefault()
        palette.leave()
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose()
      }}
      className="bg-raised border-line shadow-float mx-auto mt-[12dvh] mb-auto w-[min(36rem,calc(100vw-2rem))] overflow-hidden rounded-xl border p-0 animate-[rise_.15s] backdrop:bg-black/40"
    >
      <PaletteInput listId={listId} palette={palette} />
      <Results listId={listId} palette={palette} />
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

type Palette = ReturnType<typeof usePalette>

function usePalette(dialog: RefObject<HTMLDialogElement | null>, onClose: () => void) {
  const [text, setText] = useState('')
  const [pages, setPages] = useState<readonly PalettePage[]>([])
  const [at, setAt] = useState(0)
  const page = pages.at(-1)
  const { entries, remark } = usePaletteEntries(text, page)
  const active = Math.min(at, entries.length - 1)
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
  return { text, type, page, entries, remark, active, setAt, choose, leave, onKeyDown }
}

interface PalettePartProps {
  readonly listId: string
  readonly palette: Palette
}

function PaletteInput({ listId, palette: { text, type, page, active, onKeyDown } }: PalettePartProps) {
  const t = useTexts(paletteTexts)
  const label = page === undefined ? t.placeholder : t.within(page.title)
  return (
    <div className="border-line flex items-center gap-2.5 border-b px-4">
      <span className="text-muted flex">
        <SearchIcon />
      </span>
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog that is opened to type into
        autoFocus
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="go"
        placeholder={label}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
        className="text-entry h-12 min-w-0 grow bg-transparent outline-none"
      />
    </div>
  )
}

function useOpenDialog(dialog: RefObject<HTMLDialogElement | null>): void {
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

function Results({ listId, palette: { entries, active, setAt, choose } }: PalettePartProps) {
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
                onPointerMove={() => setAt(index)}
                onClick={() => choose(entry)}
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

export function Keys({ names }: { names: readonly string[] }) {
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

/** Keys as printed on a keyboard: `$mod+k` is Ctrl and K, or ⌘ and K on a Mac. */
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

export function isMac(platform: string): boolean {
  return /^(Mac|iP(hone|ad|od))/.test(platform)
}
