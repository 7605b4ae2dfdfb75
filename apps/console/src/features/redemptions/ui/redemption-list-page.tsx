import { REDEMPTION_STATUS, type Redemption } from '@sluice/contract/redemption'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { formatCount, formatQuota } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { CopyButton } from '~/ui/copy-button.tsx'
import { FormDialog } from '~/ui/form/form-dialog.tsx'
import { useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { PlusIcon } from '~/ui/icons.tsx'
import { Page } from '~/ui/page.tsx'
import { BulkChanges } from '~/ui/table/bulk-changes.tsx'
import { ListCard } from '~/ui/table/card-list.tsx'
import { ListTable } from '~/ui/table/list-table.tsx'
import { ListToolbar } from '~/ui/table/list-toolbar.tsx'
import { useListPage } from '~/ui/table/use-list-page.ts'
import { redemptionListQuery, suggestRedemptions, redemptionChanges } from '../calls.ts'
import { FIXED_UNIT, NEW_CODES, redemptionFormSchema } from '../model/redemption-form-values.ts'
import { redemptionTexts } from '../texts/redemption-texts.ts'
import { MadeCodesDialog, saveCodes, MADE_CODES, type MadeCodes, useMakeCodes } from './made-codes-dialog.tsx'
import { Redeemed, RedemptionBadge, RedemptionCode } from './redemption-cells.tsx'
import { redemptionColumns } from './redemption-columns.tsx'
import { RedemptionFields } from './redemption-fields.tsx'
import { RedemptionMenu, useRedemptionActions } from './redemption-row-actions.tsx'

export function RedemptionListPage() {
  const t = useTexts(redemptionTexts)
  const call = useCall()
  const navigate = useNavigate({ from: '/redemptions' })
  const search = useSearch({ from: '/protected/redemptions' })
  const list = useListPage({
    search,
    onSearch: (change) => void navigate({ search: (previous) => ({ ...previous, ...change }) }),
    queryOf: (page) => redemptionListQuery(call, page),
  })
  const actions = useRedemptionActions()
  const { made, forget } = useMadeCodes()
  const [generating, setGenerating] = useState(false)
  const suggest = useSuggestedNames()
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
        {...list.table}
        empty={search.keyword === '' ? t.empty : t.noMatch}
        selection={{
          nameOf: ({ id, name }) => `${name} #${id}`,
          actions: (redemptions, clear) => <RedemptionBulkActions redemptions={redemptions} clear={clear} />,
          all: list.every,
        }}
        toolbar={
          <ListToolbar
            area="redemptions"
            texts={t}
            {...list.toolbar}
            load={suggest}
            add={{ label: t.generate, run: () => setGenerating(true) }}
            sortBy={columns}
          />
        }
        card={(redemption) => (
          <RedemptionCard redemption={redemption} menu={<RedemptionMenu redemption={redemption} actions={actions} />} />
        )}
      />
      {generating && <GenerateDialog onClose={() => setGenerating(false)} />}
      {made !== undefined && <MadeCodesDialog made={made} onClose={forget} />}
    </Page>
  )
}

function useSuggestedNames() {
  const t = useTexts(redemptionTexts)
  const call = useCall()
  return async (text: string, signal: AbortSignal) =>
    (await suggestRedemptions(call, text, signal))?.map(({ codes, ...name }) => ({
      ...name,
      hint: t.codesOfName(formatCount(codes)),
    }))
}

function RedemptionCard({ redemption, menu }: { redemption: Redemption; menu: ReactNode }) {
  const { id, name, key, quota, status, expired_time: expires } = redemption
  return (
    <ListCard
      title={
        <Link to="/redemptions/edit/$id" params={{ id }}>
          {name} <span className="text-muted font-normal">#{id}</span>
        </Link>
      }
      badge={<RedemptionBadge redemption={redemption} />}
      details={
        <>
          <span className="[&_button]:size-8!">
            <RedemptionCode code={key} />
          </span>
          <span>{formatQuota(quota, FIXED_UNIT)}</span>
          {(status === REDEMPTION_STATUS.used || expires > 0) && <Redeemed redemption={redemption} />}
        </>
      }
      menu={menu}
    />
  )
}

/** Codes that a form has just left for the list; dropped once seen. */
function useMadeCodes(): { readonly made: MadeCodes | undefined; readonly forget: () => void } {
  const cache = useQueryClient()
  const { data } = useQuery<MadeCodes | null>({ queryKey: MADE_CODES, queryFn: () => null, enabled: false })
  return { made: data ?? undefined, forget: () => cache.setQueryData(MADE_CODES, null) }
}

function GenerateDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(redemptionTexts)
  const make = useMakeCodes()
  const entry = useSchemaForm(redemptionFormSchema(t), NEW_CODES, async (values) => {
    const problem = await make(values)
    if (problem === '') onClose()
    return problem
  })
  return (
    <FormDialog title={t.generate} form={entry} submit={t.create} busyLabel={t.creating} onClose={onClose}>
      <RedemptionFields control={entry.form.control} isNew inDialog />
    </FormDialog>
  )
}

interface BulkProps {
  readonly redemptions: readonly Redemption[]
  readonly clear: () => void
}

/** Used codes keep their status, and are counted. */
function RedemptionBulkActions({ redemptions, clear }: BulkProps) {
  const t = useTexts(redemptionTexts)
  const call = useCall()
  const open = redemptions.filter(({ status }) => status !== REDEMPTION_STATUS.used)
  const codes = redemptions.map(({ key }) => key).filter((key) => key !== '')
  const [first] = redemptions
  const oneName = redemptions.every(({ name }) => name === first?.name) ? (first?.name ?? '') : ''
  return (
    <>
      {open.length < redemptions.length && (
        <span className="text-muted text-sm">{t.usedRows(formatCount(redemptions.length - open.length))}</span>
      )}
      <CopyButton text={codes.join('\n')} label={t.copyCodes} wide />
      <Button size="small" onClick={() => saveCodes(oneName, codes)}>
        {t.download}
      </Button>
      <BulkChanges
        area="redemptions"
        calls={redemptionChanges(call)}
        rows={redemptions}
        switched={open}
        clear={clear}
        texts={t}
      />
    </>
  )
}
