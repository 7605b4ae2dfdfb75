import type { User } from '@sluice/contract/user'
import type { ReactNode } from 'react'
import { formatCount } from '~/lib/format/quota.ts'
import type { Translation } from '~/lib/i18n/texts.ts'
import { QuotaAmount } from '~/ui/quota/quota-amount.tsx'
import type { Column } from '~/ui/table/column.ts'
import { Time } from '~/ui/time.tsx'
import type { en } from '../texts/user-texts.ts'
import { RoleName, UserQuota, UserStatusBadge } from './user-cells.tsx'

interface ColumnParts {
  readonly t: Translation<typeof en>
  /** Opens the panel of the user: the name is its link. */
  readonly name: (user: User) => ReactNode
  readonly actions: (user: User) => ReactNode
}

/** The columns of the list; the sortable ones are the choices of the sort field. */
export function userColumns({ t, name, actions }: ColumnParts): Column<User>[] {
  const text = (value: string) => (
    <span data-tip={value} className="block truncate">
      {value}
    </span>
  )
  return [
    { id: 'id', header: t.columns.id, width: '4rem', sortable: true, from: 'desktop', cell: (user) => user.id },
    {
      id: 'username',
      header: t.columns.username,
      width: 'minmax(7.5rem, 1.2fr)',
      sortable: true,
      fixed: true,
      cell: name,
    },
    {
      id: 'display_name',
      header: t.columns.displayName,
      width: 'minmax(7rem, 1fr)',
      from: 'chosen',
      cell: (user) => text(user.display_name),
    },
    {
      id: 'email',
      header: t.columns.email,
      width: 'minmax(9rem, 1.2fr)',
      from: 'wide',
      cell: (user) => text(user.email),
    },
    {
      id: 'role',
      header: t.columns.role,
      width: '7.25rem',
      from: 'desktop',
      cell: (user) => <RoleName role={user.role} />,
    },
    {
      id: 'status',
      header: t.columns.status,
      width: '7rem',
      cell: (user) => <UserStatusBadge status={user.status} />,
    },
    { id: 'group', header: t.columns.group, width: '6rem', from: 'large', cell: (user) => text(user.group) },
    {
      id: 'quota',
      header: t.columns.quota,
      // Wide enough for every digit of a thousand million: an amount without its first digits would be a different amount.
      width: '9rem',
      align: 'end',
      sortable: true,
      cell: (user) => <UserQuota user={user} />,
    },
    {
      id: 'used_quota',
      header: t.columns.usedQuota,
      width: '6.5rem',
      align: 'end',
      sortable: true,
      from: 'large',
      cell: (user) => <QuotaAmount quota={user.used_quota} />,
    },
    {
      id: 'request_count',
      header: t.columns.requests,
      width: '6rem',
      align: 'end',
      from: 'chosen',
      cell: (user) => formatCount(user.request_count),
    },
    {
      id: 'created_time',
      header: t.columns.created,
      width: '6.5rem',
      sortable: true,
      from: 'large',
      cell: (user) => <Time at={user.created_time} />,
    },
    {
      id: 'actions',
      header: t.columns.actions,
      width: '8.75rem',
      align: 'end',
      fixed: true,
      stays: true,
      cell: actions,
    },
  ]
}
