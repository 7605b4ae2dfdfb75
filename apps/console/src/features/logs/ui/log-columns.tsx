import type { Log } from '@sluice/contract/log'
import type { ReactNode } from 'react'
import type { Translation } from '~/lib/i18n/texts.ts'
import type { Column } from '~/ui/table/use-list-table.ts'
import type { en } from '../texts/log-texts.ts'
import { Channel, Latency, Nothing, Quota, Remark, Tokens, TypeBadge } from './log-row.tsx'

interface ColumnParts {
  readonly t: Translation<typeof en>
  readonly seesAll: boolean
  readonly roomy: boolean
  /** Links to the trace if the row has one. */
  readonly time: (row: Log) => ReactNode
}

export function logColumns(parts: ColumnParts): Column<Log>[] {
  const { t } = parts
  return [
    ...callColumns(parts),
    ...(parts.seesAll ? ownerColumns(parts) : []),
    ...tokenColumns(parts),
    ...costColumns(parts),
    {
      id: 'content',
      header: t.columns.content,
      width: 'minmax(6rem, 1.3fr)',
      from: 'wide',
      cell: (row) => <Remark row={row} />,
    },
    {
      id: 'request_id',
      header: t.columns.requestId,
      width: 'minmax(8rem, 1fr)',
      from: 'chosen',
      cell: (row) => named(row.request_id),
    },
  ]
}

function callColumns({ t, time }: ColumnParts): Column<Log>[] {
  return [
    { id: 'created_at', header: t.columns.time, width: '10.25rem', sortable: true, fixed: true, cell: time },
    {
      id: 'type',
      header: t.columns.type,
      width: '8.25rem',
      sortable: true,
      cell: (row) => <TypeBadge type={row.type} />,
    },
    {
      id: 'model_name',
      header: t.columns.model,
      width: 'minmax(6.75rem, 1.9fr)',
      sortable: true,
      cell: (row) => named(row.model_name),
    },
    {
      id: 'token_name',
      header: t.columns.token,
      width: 'minmax(5.5rem, 1.2fr)',
      sortable: true,
      from: 'large',
      cell: (row) => named(row.token_name),
    },
  ]
}

function ownerColumns({ t }: ColumnParts): Column<Log>[] {
  return [
    {
      id: 'username',
      header: t.columns.username,
      width: 'minmax(5.5rem, 0.9fr)',
      sortable: true,
      from: 'large',
      cell: (row) => named(row.username),
    },
    {
      id: 'channel',
      header: t.columns.channel,
      width: 'minmax(6rem, 1.1fr)',
      sortable: true,
      from: 'wide',
      cell: (row) => <Channel row={row} />,
    },
  ]
}

function tokenColumns({ t }: ColumnParts): Column<Log>[] {
  return [
    {
      id: 'prompt_tokens',
      header: t.columns.prompt,
      width: '5rem',
      align: 'end',
      sortable: true,
      from: 'desktop',
      cell: (row) => <Tokens row={row} count={row.prompt_tokens} />,
    },
    {
      id: 'completion_tokens',
      header: t.columns.completion,
      width: '6rem',
      align: 'end',
      sortable: true,
      from: 'desktop',
      cell: (row) => <Tokens row={row} count={row.completion_tokens} />,
    },
    {
      id: 'cached_prompt_tokens',
      header: t.columns.cached,
      width: '6rem',
      align: 'end',
      from: 'chosen',
      cell: (row) => <Tokens row={row} count={row.cached_prompt_tokens} />,
    },
  ]
}

function costColumns({ t, roomy }: ColumnParts): Column<Log>[] {
  return [
    {
      id: 'quota',
      header: t.columns.quota,
      width: '6.5rem',
      align: 'end',
      sortable: true,
      cell: (row) => <Quota row={row} />,
    },
    {
      id: 'elapsed_time',
      header: t.columns.latency,
      width: roomy ? '8.25rem' : '6.25rem',
      align: 'end',
      sortable: true,
      cell: (row) => <Latency row={row} />,
    },
  ]
}

function named(name: string): ReactNode {
  return name === '' ? <Nothing /> : <span data-tip={name}>{name}</span>
}
