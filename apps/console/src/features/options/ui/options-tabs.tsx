import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { CallFailed, useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useLeaveGuard } from '~/lib/navigation/use-leave-guard.ts'
import { createStore } from '~/lib/store.ts'
import { IconButton, buttonClass } from '~/ui/button.tsx'
import { TextInput } from '~/ui/field.tsx'
import { LeaveDialog } from '~/ui/form/form-shell.tsx'
import { SectionNav } from '~/ui/form/section-nav.tsx'
import { CloseIcon } from '~/ui/icon.tsx'
import { LoadNotice } from '~/ui/load-failure.tsx'
import { Notice } from '~/ui/notice.tsx'
import { useSearchKey } from '~/ui/search-frame.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { useRestingText } from '~/ui/use-resting-text.ts'
import { optionListQuery, type StoredOptions } from '../calls.ts'
import { type OptionsTabId, placedCards, type PlacedCard, valueOf } from '../model/placed-settings.ts'
import { isUnchanged } from '../model/setting-value.ts'
import type { Setting } from '../model/setting.ts'
import { optionTexts } from '../texts/option-texts.ts'
import { SettingsCard } from './settings-card.tsx'
import { useSettingTexts } from './use-setting.ts'
import { type Drafts, DraftsContext, useDrafts } from './use-store-option.ts'

export function OperationTab() {
  return <OptionsTab tab="operation" />
}

export function SystemTab() {
  return <OptionsTab tab="system" />
}

export function OtherTab() {
  return <OptionsTab tab="other" />
}

function OptionsTab({ tab }: { readonly tab: OptionsTabId }) {
  const t = useTexts(optionTexts)
  const query = useQuery(optionListQuery(useCall()))
  const { error, data } = query
  if (data !== undefined && Object.keys(data.values).length > 0) return <LoadedTab tab={tab} options={data} />
  const isRefused = error instanceof CallFailed && error.failure.kind === 'refused'
  if (data !== undefined || isRefused) return <Notice tone="info">{t.none}</Notice>
  return query.isError ? <LoadNotice query={query} text={t.loadFailed} /> : <TabSkeleton />
}

function LoadedTab({ tab, options }: { readonly tab: OptionsTabId; readonly options: StoredOptions }) {
  const t = useTexts(optionTexts)
  const [drafts] = useState(() => createStore<Drafts>(new Map()))
  const [text, setText] = useFindText()
  const cards = placedCards(options.values)
  const own = cards.filter((card) => card.tab === tab)
  return (
    <DraftsContext value={drafts}>
      <SettingsSearch text={text} onText={setText} />
      {text.trim() === '' ? (
        <div className="grid items-start gap-6 xl:grid-cols-[11rem_minmax(0,1fr)]">
          <div className="sticky top-4 max-xl:hidden">
            <SectionNav label={t.sections} sections={own.map(({ id }) => ({ id, title: t.cards[id] }))} />
          </div>
          <div className="flex min-w-0 flex-col gap-5">
            {own.map((card) => (
              <SettingsCard key={card.id} card={card} options={options} />
            ))}
          </div>
        </div>
      ) : (
        <FoundSettings cards={cards} text={text} options={options} />
      )}
      <UnsavedGuard cards={cards} options={options} tab={tab} />
    </DraftsContext>
  )
}

function TabSkeleton() {
  return (
    <div className="flex flex-col gap-5">
      <Skeleton className="h-8 w-80 max-w-full" />
      <Skeleton className="h-80 w-full" />
      <Skeleton className="h-80 w-full" />
    </div>
  )
}

interface SettingsSearchProps {
  readonly text: string
  readonly onText: (text: string) => void
}

function SettingsSearch({ text, onText }: SettingsSearchProps) {
  const t = useTexts(optionTexts)
  const input = useSearchKey({ id: 'options.search', label: t.searchCommand, group: t.commands })
  return (
    <div role="search" className="relative max-w-80">
      <TextInput
        ref={input}
        type="text"
        enterKeyHint="search"
        aria-label={t.search}
        placeholder={t.search}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onText('')
        }}
      />
      {text !== '' && (
        <span className="absolute inset-y-0 end-0.5 flex items-center">
          <IconButton
            label={t.clearSearch}
            onClick={() => {
              onText('')
              input.current?.focus()
            }}
          >
            <CloseIcon />
          </IconButton>
        </span>
      )}
    </div>
  )
}

/**
 * Applies at once, and goes into the address a moment later, so that the result can be shared. Back, Forward and links change it as
 * well.
 */
function useFindText(): readonly [string, (text: string) => void] {
  const navigate = useNavigate({ from: '/settings' })
  const { find } = useSearch({ from: '/protected/settings' })
  const { text, setText } = useRestingText(
    find,
    (wanted) => void navigate({ search: (now) => ({ ...now, find: wanted }), replace: true, resetScroll: false }),
  )
  return [text, setText]
}

interface UnsavedGuardProps {
  readonly cards: readonly PlacedCard[]
  readonly options: StoredOptions
  readonly tab: OptionsTabId
}

/** Keeps unsaved entries from being lost when the user leaves the tab. Searching and following anchors do not leave it. */
function UnsavedGuard({ cards, options, tab }: UnsavedGuardProps) {
  const drafts = useDrafts()
  const unsaved = cards.some(({ settings }) =>
    settings.some((setting) => {
      const draft = drafts.get(setting.key)
      return draft !== undefined && !isUnchanged(setting, draft, valueOf(setting, options.values))
    }),
  )
  const guard = useLeaveGuard(
    unsaved,
    ({ pathname, search }) => pathname === '/settings' && 'tab' in search && search.tab === tab,
  )
  if (guard.stopped === undefined) return null
  return <LeaveDialog onStay={guard.stopped.stay} onLeave={guard.stopped.leave} />
}

interface FoundSettingsProps {
  readonly cards: readonly PlacedCard[]
  readonly text: string
  readonly options: StoredOptions
}

function FoundSettings({ cards, text, options }: FoundSettingsProps) {
  const t = useTexts(optionTexts)
  const textsOf = useSettingTexts()
  const found = findSettings(cards, text, {
    ofCard: ({ id, tab }) => `${t.tabs[tab]} ${t.cards[id]}`,
    ofSetting: ({ key, group }) => {
      const { label, help } = textsOf(key)
      return `${t.groups[group]} ${label} ${help}`
    },
  })
  const count = found.reduce((sum, { settings }) => sum + settings.length, 0)
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <p role="status" className="text-muted text-sm">
        {found.length === 0 ? t.noMatch(text.trim()) : t.found(count)}
      </p>
      {found.map((card) => (
        <SettingsCard
          key={card.id}
          card={card}
          options={options}
          settingsOnly={!card.whole}
          aside={
            <Link
              to="/settings"
              search={{ tab: card.tab, find: '' }}
              hash={card.id}
              className={buttonClass('ghost', 'small')}
            >
              {t.openTab(`${t.tabs[card.tab]} › ${t.cards[card.id]}`)}
            </Link>
          }
        />
      ))}
    </div>
  )
}

export interface FoundCard extends PlacedCard {
  /** Whether the card itself matched; its actions are then shown as well. */
  readonly whole: boolean
}

export interface FindWords {
  readonly ofCard: (card: PlacedCard) => string
  readonly ofSetting: (setting: Setting) => string
}

/** The cards and settings that contain every word of a text, in any order and ignoring case. */
export function findSettings(cards: readonly PlacedCard[], text: string, words: FindWords): readonly FoundCard[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean)
  const holdsAll = (...texts: string[]) => {
    const all = texts.join(' ').toLowerCase()
    return wanted.every((word) => all.includes(word))
  }
  return cards.flatMap((card): FoundCard[] => {
    const ofCard = words.ofCard(card)
    if (holdsAll(ofCard)) return [{ ...card, whole: true }]
    const settings = card.settings.filter((setting) => holdsAll(ofCard, setting.key, words.ofSetting(setting)))
    return settings.length === 0 ? [] : [{ ...card, settings, whole: false }]
  })
}
