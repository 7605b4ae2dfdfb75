import type { Token } from '@sluice/contract/token'
import { Link } from '@tanstack/react-router'
import { formatOrder } from '~/lib/format/units.ts'
import type { Translation } from '~/lib/i18n/texts.ts'
import { QuotaAmount } from '~/ui/quota/quota-amount.tsx'
import type { Column } from '~/ui/table/use-list-table.ts'
import { Time } from '~/ui/time.tsx'
import { expiryOf } from '../model/token-status.ts'
import type { en } from '../texts/token-texts.ts'
import { RemainingQuota, TokenBadge, TokenButtons, TokenKey, type TokenActions } from './token-cells.tsx'

interface ColumnParts {
  readonly t: Translation<typeof en>
  readonly actions: TokenActions
  readonly label: (token: Token) => string
  readonly onUse: (token: Token) => void
}

export function tokenColumns(parts: ColumnParts): Column<Token>[] {
  const { t, actions, onUse } = parts
  return [
    ...identityColumns(parts),
    ...quotaColumns(parts),
    ...timeColumns(parts),
    {
      id: 'actions',
      header: t.columns.actions,
      width: '8.75rem',
      align: 'end',
      fixed: true,
      stays: true,
      cell: (token) => <TokenButtons token={token} actions={actions} onUse={onUse} />,
    },
  ]
}

function identityColumns({ t, label }: ColumnParts): Column<Token>[] {
  return [
    { id: 'id', header: t.columns.id, width: '3rem', sortable: true, from: 'desktop', cell: (token) => token.id },
    {
      id: 'name',
      header: t.columns.name,
      width: 'minmax(8rem, 1fr)',
      sortable: true,
      fixed: true,
      cell: (token) => (
        <>
          <Link
            to="/tokens/edit/$id"
            params={{ id: token.id }}
            data-tip={label(token)}
            className="block truncate leading-4 font-medium hover:underline"
          >
            {label(token)}
          </Link>
          {token.groups.length > 0 && (
            <span data-tip={t.via(formatOrder(token.groups))} className="text-muted block truncate text-xs leading-4">
              {t.via(formatOrder(token.groups))}
            </span>
          )}
        </>
      ),
    },
    {
      id: 'key',
      header: t.columns.key,
      width: '9.75rem',
      cell: (token) => <TokenKey value={token.key} />,
    },
    {
      id: 'status',
      header: t.columns.status,
      width: '7.5rem',
      sortable: true,
      cell: (token) => <TokenBadge status={token.status} />,
    },
  ]
}

function quotaColumns({ t }: ColumnParts): Column<Token>[] {
  return [
    {
      id: 'remain_quota',
      header: t.columns.remainQuota,
      width: '8rem',
      align: 'end',
      sortable: true,
      cell: (token) => <RemainingQuota token={token} />,
    },
    {
      id: 'used_quota',
      header: t.columns.usedQuota,
      width: '6rem',
      align: 'end',
      sortable: true,
      from: 'desktop',
      cell: (token) => <QuotaAmount quota={token.used_quota} />,
    },
  ]
}

function timeColumns({ t }: ColumnParts): Column<Token>[] {
  return [
    {
      id: 'created_time',
      header: t.columns.created,
      width: '5.75rem',
      sortable: true,
      from: 'large',
      cell: (token) => <Time at={token.created_time} />,
    },
    {
      id: 'accessed_time',
      header: t.columns.accessed,
      width: '6rem',
      sortable: true,
      from: 'large',
      cell: (token) => <Time at={token.accessed_time} />,
    },
    {
      id: 'expired_time',
      header: t.columns.expires,
      width: '5.75rem',
      sortable: true,
      from: 'desktop',
      cell: (token) => {
        const expiry = expiryOf(token.expired_time)
        return expiry === undefined ? <span className="text-muted">{t.never}</span> : <Time at={expiry} />
      },
    },
  ]
}
