import type { UsableGroups } from '@sluice/contract/groups'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { useCommand } from '~/lib/commands.ts'
import { useIsBelow } from '~/lib/dom/use-media.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { formatRatio } from '~/lib/format/units.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useUser } from '~/lib/session/session.ts'
import { Button } from '~/ui/button.tsx'
import { Select } from '~/ui/field.tsx'
import { FilterField } from '~/ui/filter-field.tsx'
import { LoadNotice } from '~/ui/load-failure.tsx'
import { Page } from '~/ui/page.tsx'
import { useSearchKey } from '~/ui/search-frame.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { useRestingText } from '~/ui/use-resting-text.ts'
import { priceListQuery } from '../calls.ts'
import { catalogueOf, filteredCatalogue, type ModelGroup } from '../model/catalogue.ts'
import type { ModelsSearch } from '../model/models-search.ts'
import { modelTexts } from '../texts/model-texts.ts'
import { GroupSection } from './group-section.tsx'
import { ModelPanel } from './model-panel.tsx'

export function ModelsPage() {
  const t = useTexts(modelTexts)
  const search = useSearch({ from: '/public/models' })
  const navigate = useNavigate({ from: '/models' })
  const query = useQuery(priceListQuery(useCall(), useUser()?.id))
  const { data } = query
  // A group that no longer exists, from an old address, must not hide everything.
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
      {/* As high as the window, so that the footer waits below it and does not move. */}
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

const SHOWN = 12

interface ChannelBadgesProps {
  readonly groups: readonly ModelGroup[]
  readonly chosen: readonly string[]
  readonly onChoose: (keys: readonly string[]) => void
}

function ChannelBadges({ groups, chosen, onChoose }: ChannelBadgesProps) {
  const t = useTexts(modelTexts)
  const [all, setAll] = useState(false)
  if (groups.length < 2) return null
  const shown = all ? groups : groups.filter(({ key }, index) => index < SHOWN || chosen.includes(key))
  const toggle = (key: string) =>
    onChoose(chosen.includes(key) ? chosen.filter((other) => other !== key) : [...chosen, key])
  return (
    <div role="group" aria-label={t.channels} className="flex flex-wrap items-center gap-1.5">
      {shown.map(({ key, label, provider, models }) => (
        <button
          key={key}
          type="button"
          aria-pressed={chosen.includes(key)}
          data-tip={provider}
          onClick={() => toggle(key)}
          className="border-control/60 bg-surface text-muted hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent inline-flex h-7 max-w-full items-center gap-1.5 rounded-full border px-2.5 text-sm font-medium max-md:h-10"
        >
          <span className="truncate">{label}</span>
          <span className="text-xs tabular-nums">{formatCount(models.length)}</span>
        </button>
      ))}
      {groups.length > SHOWN && (
        <Button variant="ghost" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t.fewerChannels : t.allChannels(formatCount(groups.length))}
        </Button>
      )}
    </div>
  )
}

interface PriceGroupProps {
  readonly groups: UsableGroups
  /** Empty for list prices. */
  readonly chosen: string
  readonly onChoose: (group: string) => void
}

/** Hidden where every choice would show the same prices. */
function PriceGroup({ groups, chosen, onChoose }: PriceGroupProps) {
  const t = useTexts(modelTexts)
  const all = Object.entries(groups)
  if (all.length < 2 && all.every(([, { ratio }]) => ratio === 1)) return null
  return (
    <span className="flex min-w-0 md:max-w-72">
      <Select
        aria-label={t.priceGroup}
        value={chosen}
        onChange={(event) => onChoose(event.target.value)}
        options={[
          { value: '', label: t.listPrices },
          ...all.map(([name, { title, ratio }]) => ({
            value: name,
            label: `${title || name} ${formatRatio(Number(ratio))}`,
          })),
        ]}
      />
    </span>
  )
}
