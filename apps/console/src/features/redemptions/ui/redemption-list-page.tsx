import { REDEMPTION_STATUS } from '@sluice/contract/redemption'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { formatCount, formatQuota } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { everyRow } from '~/lib/list/every-row.ts'
import type { ListSearch } from '~/lib/list/list-search.ts'
import { Button } from '~/ui/button.tsx'
import { PlusIcon } from '~/ui/icons.tsx'
import { Page } from '~/ui/page.tsx'
import { ListCard } from '~/ui/table/card-list.tsx'
import { ListTable } from '~/ui/table/list-table.tsx'
import { ListToolbar } from '~/ui/table/list-toolbar.tsx'
import { redemptionListQuery, suggestRedemptions } from '../calls.ts'
import { FIXED_UNIT } from '../model/fixed-unit.ts'
import { MADE_CODES, type MadeCodes } from '../model/made-codes.ts'
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
  const { made, forget } = useMadeCodes()
  const [generating, setGenerating] = useState(false)
  const load = async (text: string, signal: AbortSignal) =>
    (await suggestRedemptions(call, text, signal))?.map(({ codes, ...name }) => ({
      ...name,
      hint: t.codesOfName(formatCount(codes)),
    }))

  const onSearch = (change: Partial<ListSearch>) =>
    void navigate({ search: (previous) => ({ ...previous, ...change }) })

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
          all: (signal) => everyRow((page) => redemptionListQuery(call, { ...search, ...page }), signal),
        }}
        toolbar={
          <ListToolbar
            area="redemptions"
            texts={t}
            search={search}
            onSearch={onSearch}
            load={load}
            onRefresh={query.refetch}
            add={{ label: t.generate, run: () => setGenerating(true) }}
            sortBy={columns}
          />
        }
        card={(redemption) => (
          <ListCard
            title={
              <Link to="/redemptions/edit/$id" params={{ id: redemption.id }}>
                {redemption.name} <span className="text-muted font-normal">#{redemption.id}</span>
              </Link>
            }
            badge={<RedemptionBadge redemption={redemption} />}
            details={
              <>
                <span className="[&_button]:size-8!">
                  <RedemptionCode code={redemption.key} />
                </span>
                <span>{formatQuota(redemption.quota, FIXED_UNIT)}</span>
                {(redemption.status === REDEMPTION_STATUS.used || redemption.expired_time > 0) && (
                  <Redeemed redemption={redemption} />
                )}
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

/** The codes that a form has just left for the list; dropped once they were seen. */
function useMadeCodes(): { readonly made: MadeCodes | undefined; readonly forget: () => void } {
  const cache = useQueryClient()
  const { data } = useQuery<MadeCodes | null>({ queryKey: MADE_CODES, queryFn: () => null, enabled: false })
  return { made: data ?? undefined, forget: () => cache.setQueryData(MADE_CODES, null) }
}
