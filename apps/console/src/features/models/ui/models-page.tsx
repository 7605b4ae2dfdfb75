import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useMemo } from 'react'
import { useCommand } from '~/lib/commands/use-commands.ts'
import { useSearchKey } from '~/lib/commands/use-search-key.ts'
import { useIsBelow } from '~/lib/dom/use-media.ts'
import { formatRatio } from '~/lib/format/groups.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useUser } from '~/lib/session/use-session.ts'
import { Button } from '~/ui/button.tsx'
import { FilterField } from '~/ui/filter-field.tsx'
import { LoadNotice } from '~/ui/load-failure.tsx'
import { Page } from '~/ui/page.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { useRestingText } from '~/ui/use-resting-text.ts'
import { priceListQuery } from '../calls.ts'
import { catalogueOf, filteredCatalogue, type ModelGroup } from '../model/catalogue.ts'
import type { ModelsSearch } from '../model/models-search.ts'
import { modelTexts } from '../texts/model-texts.ts'
import { ChannelBadges } from './channel-badges.tsx'
import { GroupSection } from './group-section.tsx'
import { ModelPanel } from './model-panel.tsx'
import { PriceGroup } from './price-group.tsx'

/** What can be called and what it costs, by channel group. For visitors as well. */
export function ModelsPage() {
  const t = useTexts(modelTexts)
  const search = useSearch({ from: '/public/models' })
  const navigate = useNavigate({ from: '/models' })
  const query = useQuery(priceListQuery(useCall(), useUser()?.id))
  const { data } = query
  // A group from an old address that no longer exists must not hide everything.
  const served = data !== undefined && Object.hasOwn(data.groups, search.group) ? search.group : ''
  const group = data?.groups[served]
  const ratio = Number(group?.ratio ?? 1)
  const groups = useMemo(() => (data === undefined ? undefined : catalogueOf(data.list, served)), [data, served])
  const field = useSearchKey({ id: 'models.search', label: t.searchCommand, group: t.group })
  const filtering = search.keyword !== '' || search.channels.length > 0 || served !== ''

  const change = (next: Partial<ModelsSearch>) =>
    void navigate({ search: (previous) => ({ ...previous, ...next }), replace: true })
  const onOpen = useCallback(
    (model: string, channel: string) =>
      void navigate({ search: (previous) => ({ ...previous, model, in: channel }), resetScroll: false }),
    [navigate],
  )
  const onClose = () => void navigate({ search: ({ model: _model, in: _group, ...rest }) => rest, resetScroll: false })
  const typed = useRestingText(search.keyword, (keyword) => change({ keyword }))
  const clear = () => {
    typed.setText('')
    change({ keyword: '', channels: [], group: '' })
  }

  useCommand({ id: 'models.clear', label: t.clearFilters, group: t.group, run: clear })

  return (
    <Page title={t.title} subtitle={t.subtitle} width="flow">
      <div className="flex flex-wrap items-center gap-2">
        <FilterField ref={field} label={t.search} typed={typed} />
        {data !== undefined && (
          <PriceGroup groups={data.groups} chosen={served} onChoose={(group) => change({ group })} />
        )}
        {filtering && <Button onClick={clear}>{t.clearFilters}</Button>}
      </div>
      {groups !== undefined && (
        <ChannelBadges
          groups={groups}
          chosen={search.channels}
          onChoose={(channels) => change({ channels: [...channels] })}
        />
      )}
      {served !== '' && (
        <p className="text-muted text-sm wrap-anywhere">
          {t.pricesOf(served, formatRatio(ratio))} {[served, group?.title].includes(group?.desc) ? '' : group?.desc}
        </p>
      )}
      <LoadNotice query={query} text={t.failed} />
      {/* As high as the window: the footer waits below it and does not move. */}
      {query.isPending && <Skeleton className="h-dvh w-full" />}
      {groups !== undefined && <Found groups={groups} search={search} ratio={ratio} onOpen={onOpen} />}
      {search.model !== undefined && search.model !== '' && (
        <ModelPanel
          groups={groups}
          name={search.model}
          channel={search.in}
          ratio={ratio}
          onOpen={onOpen}
          onClose={onClose}
        />
      )}
    </Page>
  )
}

interface FoundProps {
  readonly groups: readonly ModelGroup[]
  readonly search: ModelsSearch
  readonly ratio: number
  readonly onOpen: (model: string, channel: string) => void
}

function Found({ groups, search, ratio, onOpen }: FoundProps) {
  const t = useTexts(modelTexts)
  const asCards = useIsBelow('tablet')
  // Typing takes priority over drawing.
  const keyword = useDeferredValue(search.keyword)
  const channels = useDeferredValue(search.channels)
  const found = useMemo(() => filteredCatalogue(groups, { keyword, channels }), [groups, keyword, channels])
  const models = found.reduce((sum, group) => sum + group.models.length, 0)
  return (
    <>
      <p role="status" className="text-muted text-sm tabular-nums">
        {found.length > 0 && t.found(formatCount(models), formatCount(found.length))}
      </p>
      {found.length === 0 && (
        <div className="border-line bg-surface rounded-lg border px-4 py-12 text-center">
          <p className="font-medium">{t.empty}</p>
          <p className="text-muted mt-1 text-sm">{groups.length === 0 ? t.nothingHint : t.emptyHint}</p>
        </div>
      )}
      {found.map((group, index) => (
        <GroupSection
          key={group.key}
          group={group}
          asCards={asCards}
          ratio={ratio}
          first={index === 0}
          open={search.in === group.key ? search.model : undefined}
          onOpen={onOpen}
        />
      ))}
    </>
  )
}
