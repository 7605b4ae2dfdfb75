import type { Redemption } from '@sluice/contract/redemption'
import { Link } from '@tanstack/react-router'
import type { Translation } from '~/lib/i18n/texts.ts'
import { QuotaAmount } from '~/ui/quota/quota-amount.tsx'
import type { Column } from '~/ui/table/use-list-table.ts'
import { Time } from '~/ui/time.tsx'
import { FIXED_UNIT } from '../model/redemption-form-values.ts'
import type { en } from '../texts/redemption-texts.ts'
import { Redeemed, RedemptionBadge, RedemptionCode } from './redemption-cells.tsx'
import { RedemptionButtons, type RedemptionActions } from './redemption-row-actions.tsx'

interface ColumnParts {
  readonly t: Translation<typeof en>
  readonly actions: RedemptionActions
}

/** The sortable columns are the choices of the sort field. */
export function redemptionColumns(parts: ColumnParts): Column<Redemption>[] {
  return [...codeColumns(parts), ...stateColumns(parts)]
}

function codeColumns({ t }: ColumnParts): Column<Redemption>[] {
  return [
    { id: 'id', header: t.columns.id, width: '4.5rem', sortable: true, from: 'desktop', cell: ({ id }) => id },
    {
      id: 'name',
      header: t.columns.name,
      width: 'minmax(8rem, 1fr)',
      sortable: true,
      fixed: true,
      cell: ({ id, name }) => (
        <Link
          to="/redemptions/edit/$id"
          params={{ id }}
          data-tip={name}
          className="block truncate font-medium hover:underline"
        >
          {name}
        </Link>
      ),
    },
    { id: 'key', header: t.columns.code, width: '10.5rem', cell: ({ key }) => <RedemptionCode code={key} /> },
  ]
}

function stateColumns({ t, actions }: ColumnParts): Column<Redemption>[] {
  return [
    {
      id: 'status',
      header: t.columns.status,
      width: '7rem',
      sortable: true,
      cell: (redemption) => <RedemptionBadge redemption={redemption} />,
    },
    {
      id: 'quota',
      header: t.columns.quota,
      width: '7rem',
      align: 'end',
      sortable: true,
      cell: ({ quota }) => <QuotaAmount quota={quota} display={FIXED_UNIT} />,
    },
    {
      id: 'created_time',
      header: t.columns.created,
      width: '7rem',
      sortable: true,
      from: 'large',
      cell: ({ created_time: at }) => <Time at={at} />,
    },
    {
      id: 'redeemed_time',
      header: t.columns.redeemed,
      width: 'minmax(8rem, 1fr)',
      sortable: true,
      from: 'desktop',
      cell: (redemption) => <Redeemed redemption={redemption} />,
    },
    {
      id: 'actions',
      header: t.columns.actions,
      width: '6.75rem',
      align: 'end',
      fixed: true,
      stays: true,
      cell: (redemption) => <RedemptionButtons redemption={redemption} actions={actions} />,
    },
  ]
}
