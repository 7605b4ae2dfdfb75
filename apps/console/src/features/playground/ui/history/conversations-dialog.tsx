import { type KeyboardEvent, useId, useRef, useState, useEffect } from 'react'
import {
  MOST_BYTES,
  MOST_CONVERSATIONS,
  type Summary,
} from '~/features/playground/model/history/conversation-summary.ts'
import type { StoredConversation } from '~/features/playground/model/history/records.ts'
import { createTextSearch, type Hit } from '~/features/playground/model/history/text-search.ts'
import { historyTexts } from '~/features/playground/texts/history-texts.ts'
import { formatBytes } from '~/lib/format/units.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useStore } from '~/lib/store.ts'
import { Button } from '~/ui/button.tsx'
import { useConfirm } from '~/ui/confirm.tsx'
import { Dialog } from '~/ui/dialog.tsx'
import { FilterField } from '~/ui/filter-field.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Switch } from '~/ui/switch.tsx'
import { useRestingText } from '~/ui/use-resting-text.ts'
import { ImportButton } from '../export/import-button.tsx'
import { usePlaygroundState, usePlayground, useConversations } from '../use-playground.ts'
import { ConversationRow } from './conversation-row.tsx'

export function ConversationsDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(historyTexts)
  const { history, open, place } = useConversations()
  const { entries, failed } = useStore(history)
  const { conversation } = usePlaygroundState()
  const actions = useListActions()
  const [text, setText] = useState('')
  const typed = useRestingText(text, setText)
  const [now] = useState(() => Date.now())
  const hits = useHits(entries, text)
  const found = entries.filter(({ id, title }) => hits.has(id) || title.toLowerCase().includes(text.toLowerCase()))
  const list = useRef<HTMLDivElement>(null)
  const choose = (id: string) => {
    void open(id)
    onClose()
  }
  return (
    <Dialog
      title={t.title}
      onClose={onClose}
      footer={
        <Footer
          entries={entries}
          place={place}
          onImported={onClose}
          onRemoveAll={() => actions.removeAll(entries.map(({ id }) => id))}
        />
      }
    >
      <div className="flex flex-col gap-3" onKeyDown={(event) => moveAmongRows(event, list.current)}>
        {failed && <Notice tone="bad">{t.failed}</Notice>}
        {actions.deletion !== undefined && (
          <Notice tone="info">
            {t.removed(actions.deletion.count)}{' '}
            <button type="button" className="font-medium underline" onClick={actions.deletion.undo}>
              {t.undo}
            </button>
          </Notice>
        )}
        <FilterField firstFocus label={t.search} typed={typed} />
        <div ref={list} className="max-h-[50dvh] overflow-y-auto">
          {found.length === 0 && (
            <p role="status" className="text-muted px-2.5 py-4 text-sm">
              {text === '' ? t.none : t.noneFound(text)}
            </p>
          )}
          {grouped(found, now).map(([name, members]) => (
            <Group key={name} label={t.groups[name]}>
              {members.map((entry) => (
                <ConversationRow
                  key={entry.id}
                  entry={entry}
                  shown={entry.id === conversation.id}
                  hit={hits.get(entry.id)}
                  onOpen={() => choose(entry.id)}
                  onRename={(title) => actions.rename(entry.id, title)}
                  onPin={() => actions.pin(entry.id, !entry.pinned)}
                  onRemove={() => actions.remove(entry.id)}
                />
              ))}
            </Group>
          ))}
        </div>
        <TemporarySwitch />
      </div>
    </Dialog>
  )
}

function Group({ label, children }: { label: string; children: React.ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="text-muted px-2.5 pt-2 pb-1 text-xs font-medium">
        {label}
      </h3>
      <ul>{children}</ul>
    </section>
  )
}

function TemporarySwitch() {
  const t = useTexts(historyTexts)
  const { temporary, setTemporary } = useConversations()
  const { conversation } = usePlaygroundState()
  const on = useStore(temporary) === conversation.id
  const id = useId()
  return (
    <div className="border-line flex items-center gap-3 border-t pt-3">
      <div className="grow">
        <label htmlFor={id} className="text-sm font-medium">
          {t.temporary}
        </label>
        <p id={`${id}-help`} className="text-muted text-xs">
          {t.temporaryHelp}
        </p>
      </div>
      <Switch
        id={id}
        aria-describedby={`${id}-help`}
        checked={on}
        onChange={(event) => setTemporary(event.target.checked)}
      />
    </div>
  )
}

interface FooterProps {
  readonly entries: readonly Summary[]
  readonly place: 'browser' | 'page'
  readonly onImported: () => void
  readonly onRemoveAll: () => void
}

function Footer({ entries, place, onImported, onRemoveAll }: FooterProps) {
  const t = useTexts(historyTexts)
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  const kept = t.keptHere(
    String(entries.length),
    String(MOST_CONVERSATIONS),
    formatBytes(bytes),
    formatBytes(MOST_BYTES),
  )
  return (
    <>
      <p className="text-muted w-full text-xs">{place === 'browser' ? kept : t.keptNot}</p>
      <ImportButton onImported={onImported}>
        {(choose, label) => <Button onClick={choose}>{label}</Button>}
      </ImportButton>
      {entries.length > 0 && <Button onClick={onRemoveAll}>{t.removeAll}</Button>}
    </>
  )
}

function moveAmongRows(event: KeyboardEvent, list: HTMLElement | null): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-conversation]') ?? [])]
  const isInMenu = event.target instanceof Element && event.target.closest('[role=menu]') !== null
  if (isInMenu || rows.length === 0) return
  event.preventDefault()
  const at = rows.findIndex((row) => row === document.activeElement)
  rows[Math.min(rows.length - 1, Math.max(0, event.key === 'ArrowDown' ? at + 1 : at - 1))]?.focus()
}

const GROUPS = ['pinned', 'today', 'yesterday', 'week', 'month', 'older'] as const
export type GroupName = (typeof GROUPS)[number]

const DAY_MS = 86_400_000

/** By days of the browser's zone. `now` is in unix milliseconds. */
export function groupOf({ pinned, changedAt }: Summary, now: number): GroupName {
  if (pinned) return 'pinned'
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  if (changedAt >= midnight) return 'today'
  // Rounded, because days of 23 and 25 hours count as one day too.
  const days = Math.round((midnight - new Date(changedAt).setHours(0, 0, 0, 0)) / DAY_MS)
  if (days <= 1) return 'yesterday'
  if (days <= 7) return 'week'
  return days <= 30 ? 'month' : 'older'
}

/** Each group in the order given; empty groups are left out. */
function grouped(entries: readonly Summary[], now: number): readonly (readonly [GroupName, readonly Summary[]])[] {
  const byName = Map.groupBy(entries, (entry) => groupOf(entry, now))
  return GROUPS.flatMap((name) => {
    const members = byName.get(name)
    return members === undefined ? [] : [[name, members] as const]
  })
}

const NONE: ReadonlyMap<string, Hit> = new Map()

/** Conversations that contain the text, by id. While these are unknown, those of the previous text. */
function useHits(entries: readonly Summary[], text: string): ReadonlyMap<string, Hit> {
  const { history } = useConversations()
  const [search] = useState(() => createTextSearch((id) => history.read(id)))
  const [hits, setHits] = useState(NONE)
  useEffect(() => {
    if (text === '') return
    const ending = new AbortController()
    const run = async () => {
      const found = await search(entries, text, ending.signal)
      if (!ending.signal.aborted) setHits(found)
    }
    void run()
    return () => ending.abort()
  }, [search, entries, text])
  return text === '' ? NONE : hits
}

export interface Deletion {
  readonly count: number
  readonly undo: () => void
}

/** The dialog itself reports a deletion, because a toast below a dialog cannot be pressed. */
function useListActions() {
  const t = useTexts(historyTexts)
  const ask = useConfirm()
  const playground = usePlayground()
  const { history } = useConversations()
  const [deletion, setDeletion] = useState<Deletion>()
  const shownId = () => playground.get().conversation.id
  const restore = async (removed: readonly StoredConversation[], shown: string | undefined) => {
    await history.restore(removed)
    const back = removed.find(({ summary }) => summary.id === shown)
    if (back !== undefined) playground.open(back.conversation)
  }
  const remove = async (ids: readonly string[]) => {
    const shown = shownId()
    const removed = await history.remove(ids)
    if (ids.includes(shown)) playground.clear()
    setDeletion({
      count: removed.length,
      undo: () => {
        setDeletion(undefined)
        void restore(removed, ids.includes(shown) ? shown : undefined)
      },
    })
  }
  return {
    /** Undefined when nothing was deleted, or the deletion was undone. */
    deletion,
    pin: (id: string, pinned: boolean) => void history.pin(id, pinned),
    rename: (id: string, title: string) => {
      if (id === shownId()) playground.rename(title)
      else void history.rename(id, title)
    },
    remove: (id: string) => void remove([id]),
    removeAll: (ids: readonly string[]) =>
      ask({
        title: t.removeAllTitle,
        text: t.removeAllText(ids.length),
        confirm: t.removeAll,
        danger: true,
        run: () => remove(ids),
      }),
  }
}
