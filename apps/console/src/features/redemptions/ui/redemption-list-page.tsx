import { REDEMPTION_STATUS } from '@sluice/contract/redemption'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import { useCommand } from '../../../lib/commands/use-commands.ts'
import { useIsBelow } from '../../../lib/dom/use-media.ts'
import { formatCount, formatQuota } from '../../../lib/format/quota.ts'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { everyRow } from '../../../lib/list/every-row.ts'
import type { ListSearch } from '../../../lib/list/list-search.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { SearchBox } from '../../../ui/combobox/search-box.tsx'
import { PlusIcon, RefreshIcon } from '../../../ui/icons.tsx'
import { Page } from '../../../ui/page.tsx'
import { ListCard } from '../../../ui/table/card-list.tsx'
import { ListTable } from '../../../ui/table/list-table.tsx'
import { SortSelect } from '../../../ui/table/sort-select.tsx'
import { MADE_CODES, type MadeCodes } from '../api/made-codes.ts'
import { redemptionListQuery } from '../api/redemption-list.ts'
import { suggestRedemptions } from '../api/redemption-suggestions.ts'
import { FIXED_UNIT } from '../model/fixed-unit.ts'
import { redemptionTexts } from '../texts/redemption-texts.ts'
import { GenerateDialog } from './generate-dialog.tsx'
import { MadeCodesDialog } from './made-codes-dialog.tsx'
import { RedemptionBulkActions } from './redemption-bulk-actions.tsx'
import { Redeemed, RedemptionBadge, RedemptionCode } from './redemption-cells.tsx'
import { redemptionColumns } from './redemption-columns.tsx'
import { RedemptionMenu } from './redemption-row-actions.tsx'
import { useRedemptionActions } from './use-redemption-actions.ts'

export function RedemptionListPage() {
  const t = useTexts(redemptionTexts)
  const call = useCall()
  const navigate = useNavigate({ from: '/redemptions' })
  const search = useSearch({ from: '/protected/redemptions' })
  const query = useQuery({ ...redemptionListQuery(call, search), placeholderData: keepPreviousData })
  const actions = useRedemptionActions()
  const phone = useIsBelow('tablet')
  const { made, forget } = useMadeCodes()
  const [generating, setGenerating] = useState(false)
  const searchField = useRef<HTMLInputElement>(null)
  const load = useCallback(
    async (text: string, signal: AbortSignal) =>
      (await suggestRedemptions(call, text, signal))?.map(({ codes, ...name }) => ({
        ...name,
        hint: t.codesOfName(formatCount(codes)),
      })),
    [call, t],
  )

  const onSearch = (change: Partial<ListSearch>) =>
    void navigate({ search: (previous) => ({ ...previous, ...change }) })

  useCommand({
    id: 'redemptions.search',
    label: t.searchCommand,
    group: t.group,
    keys: '/',
    run: () => searchField.current?.focus(),
  })
  useCommand({
    id: 'redemptions.add',
    label: t.generate,
    group: t.group,
    keys: 'n',
    run: () => setGenerating(true),
  })

  const columns = redemptionColumns({ t, actions })
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <Button variant="primary" onClick={() => setGenerating(true)}>
          <PlusIcon />
          {t.generate}
        </Button>
      }
    >
      <ListTable
        name="redemptions"
        label={t.title}
        columns={columns}
        query={query}
        rowId={({ id }) => String(id)}
        search={search}
        onSearch={onSearch}
        empty={search.keyword === '' ? t.empty : t.noMatch}
        selection={{
          nameOf: ({ id, name }) => `${name} #${id}`,
          actions: (redemptions, clear) => <RedemptionBulkActions redemptions={redemptions} clear={clear} />,
          all: () =>
            everyRow((page) =>
              redemptionListQuery(call, { ...search, ...page }).queryFn({ signal: new AbortController().signal }),
            ),
        }}
        toolbar={
          <>
            <SearchBox
              ref={searchField}
              label={t.searchLabel}
              value={search.keyword}
              onSearch={(keyword) => onSearch({ keyword, p: 0 })}
              load={load}
            />
            {!phone && <SortSelect columns={columns} search={search} onSearch={onSearch} />}
            <span className="grow max-md:hidden" />
            <IconButton label={t.refresh} tone="bordered" onClick={() => void query.refetch()}>
              <RefreshIcon />
            </IconButton>
          </>
        }
        card={(redemption) => (
          <ListCard
            title={
              <Link to="/redemptions/edit/$id" params={{ id: redemption.id }}>
                {redemption.name} <span className="text-muted font-normal">#{redemption.id}</span>
              </Link>
            }
            badge={<RedemptionBadge status={redemption.status} />}
            details={
              <>
                <span className="[&_button]:size-8!">
                  <RedemptionCode code={redemption.key} />
                </span>
                <span>{formatQuota(redemption.quota, FIXED_UNIT)}</span>
                {redemption.status === REDEMPTION_STATUS.used && <Redeemed redemption={redemption} />}
              </>
            }
            menu={<RedemptionMenu redemption={redemption} actions={actions} />}
          />
        )}
      />
      {generating && <GenerateDialog onClose={() => setGenerating(false)} />}
      {made !== undefined && <MadeCodesDialog made={made} onClose={forget} />}
    </Page>
  )
}

/** The codes that a form has just left for the list; forgotten once they were seen. */
function useMadeCodes(): { readonly made: MadeCodes | undefined; readonly forget: () => void } {
  const cache = useQueryClient()
  const { data } = useQuery<MadeCodes | null>({ queryKey: MADE_CODES, queryFn: () => null, enabled: false })
  return { made: data ?? undefined, forget: () => cache.setQueryData(MADE_CODES, null) }
}
