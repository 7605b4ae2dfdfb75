import type { UsageSession } from '@sluice/contract/routes/usage-sessions'
import type { ReactNode } from 'react'
import { formatCount, pointsOf } from '~/lib/format/quota.ts'
import type { Translation } from '~/lib/i18n/texts.ts'
import { QuotaAmount } from '~/ui/quota/quota-amount.tsx'
import type { Column } from '~/ui/table/use-list-table.ts'
import type { en } from '../texts/session-texts.ts'

interface ColumnParts {
  readonly t: Translation<typeof en>
  readonly seesAll: boolean
  /** Time of the last call, which links to the calls. */
  readonly time: (row: UsageSession) => ReactNode
}

export function sessionColumns(parts: ColumnParts): Column<UsageSession>[] {
  return [...callerColumns(parts), ...usageColumns(parts), ...costColumns(parts)]
}

function callerColumns({ t, seesAll, time }: ColumnParts): Column<UsageSession>[] {
  const { columns } = t
  const owner: Column<UsageSession> = {
    id: 'username',
    header: columns.username,
    width: 'minmax(5.5rem, 0.9fr)',
    from: 'large',
    cell: ({ username, user_id: id }) => named(username || `#${id}`),
  }
  return [
    { id: 'last_at', header: columns.last, width: '8rem', sortable: true, fixed: true, cell: time },
    { id: 'client', header: columns.client, width: 'minmax(6.5rem, 1fr)', cell: (row) => named(row.client) },
    {
      id: 'token_name',
      header: columns.token,
      width: 'minmax(5.5rem, 1fr)',
      from: 'large',
      cell: (row) => named(row.token_name),
    },
    ...(seesAll ? [owner] : []),
    {
      id: 'models',
      header: columns.models,
      width: 'minmax(7rem, 1.6fr)',
      from: 'desktop',
      cell: (row) => <Models t={t} row={row} />,
    },
  ]
}

function usageColumns({ t: { columns } }: ColumnParts): Column<UsageSession>[] {
  return [
    { id: 'calls', header: columns.calls, width: '5rem', align: 'end', cell: (row) => formatCount(row.calls) },
    {
      id: 'duration',
      header: columns.duration,
      width: '6rem',
      align: 'end',
      sortable: true,
      cell: (row) => durationText(row.last_at - row.first_at),
    },
    {
      id: 'tokens',
      header: columns.tokens,
      width: '6.5rem',
      align: 'end',
      from: 'desktop',
      cell: (row) => formatCount(row.prompt_tokens + row.completion_tokens),
    },
  ]
}

function costColumns({ t: { columns } }: ColumnParts): Column<UsageSession>[] {
  return [
    {
      id: 'cache',
      header: columns.cache,
      width: '5rem',
      align: 'end',
      from: 'desktop',
      cell: (row) => <Share row={row} />,
    },
    {
      id: 'saved',
      header: columns.saved,
      width: '8rem',
      align: 'end',
      from: 'large',
      cell: (row) => <Saved row={row} />,
    },
    {
      id: 'quota',
      header: columns.cost,
      width: '6rem',
      align: 'end',
      sortable: true,
      cell: (row) => <Cost row={row} />,
    },
  ]
}

function named(name: string): ReactNode {
  return <span data-tip={name}>{name}</span>
}

function Models({ t, row: { models } }: { t: Translation<typeof en>; row: UsageSession }) {
  const [first = '', ...others] = models
  const text = others.length === 0 ? first : t.moreModels(first, String(others.length))
  return <span data-tip={models.join('\n')}>{text}</span>
}

export function Share({ row }: { row: UsageSession }) {
  const share = cacheShare(row)
  return share === undefined ? '—' : `${Math.round(share * 100)}%`
}

function Saved({ row }: { row: UsageSession }) {
  return <QuotaAmount quota={pointsOf(row.saved_quota, row.saved_quota_exact)} decimals={4} />
}

export function Cost({ row }: { row: UsageSession }) {
  return <QuotaAmount quota={pointsOf(row.quota, row.quota_exact)} decimals={4} />
}

/** Share of the input that came from a cache, 0 to 1; undefined without input. */
export function cacheShare({ prompt_tokens: prompt, cached_prompt_tokens: cached }: UsageSession): number | undefined {
  return prompt > 0 ? cached / prompt : undefined
}

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400]

/** A duration in its two largest units: `45s`, `12m 5s`, `3h 7m`, `2d 4h`. Takes whole seconds. */
export function durationText(seconds: number): string {
  if (!(seconds >= 0)) return '—'
  if (seconds < MINUTE) return `${seconds}s`
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)}m ${seconds % MINUTE}s`
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)}h ${Math.floor((seconds % HOUR) / MINUTE)}m`
  return `${Math.floor(seconds / DAY)}d ${Math.floor((seconds % DAY) / HOUR)}h`
}

/** The log's address for the calls of a session, with a window that contains all of them. */
export function callsOf({ session, first_at: first, last_at: last }: UsageSession) {
  return { session, start: first, end: last }
}
