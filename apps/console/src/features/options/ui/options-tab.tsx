import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CallFailed } from '~/lib/http/call.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { createStore } from '~/lib/store/store.ts'
import { SectionNav } from '~/ui/form/section-nav.tsx'
import { LoadNotice } from '~/ui/load-failure.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { optionListQuery, type StoredOptions } from '../calls.ts'
import type { OptionsTabId } from '../model/cards.ts'
import { placedCards } from '../model/placed-settings.ts'
import { optionTexts } from '../texts/option-texts.ts'
import { type Drafts, DraftsContext } from './drafts.ts'
import { FoundSettings } from './found-settings.tsx'
import { SettingsCard } from './settings-card.tsx'
import { SettingsSearch } from './settings-search.tsx'
import { UnsavedGuard } from './unsaved-guard.tsx'
import { useFindText } from './use-find-text.ts'

/** One tab of settings: its cards, or what a search finds on all of them. */
export function OptionsTab({ tab }: { readonly tab: OptionsTabId }) {
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
