import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { formatCount, formatQuota } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { IconButton } from '~/ui/button.tsx'
import { RefreshIcon } from '~/ui/icons.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { logStatQuery } from '../calls.ts'
import type { LogFilters } from '../model/filters/log-window.ts'
import { logTexts } from '../texts/log-texts.ts'

/** What was consumed under the filters, as one figure. */
export function LogStats({ filters, seesAll }: { filters: LogFilters; seesAll: boolean }) {
  const t = useTexts(logTexts)
  const display = useSystemStatus()
  const query = useQuery({
    ...logStatQuery(useCall(), filters, seesAll, Date.now),
    placeholderData: keepPreviousData,
  })
  return (
    <section
      aria-label={t.totalQuota}
      aria-busy={query.isFetching}
      className="border-line bg-surface flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border px-4 py-1.5"
    >
      <span className="text-muted text-sm">{t.totalQuota}</span>
      {query.isError ? (
        <span role="alert" className="text-bad text-sm">
          {t.statsFailed}
        </span>
      ) : query.data === undefined ? (
        <Skeleton className="h-4 w-40" />
      ) : (
        <p
          role="status"
          className={clsx(
            'flex flex-wrap items-baseline gap-x-3 tabular-nums',
            query.isPlaceholderData && 'opacity-60',
          )}
        >
          <span className="text-lg font-semibold">{formatQuota(query.data, display)}</span>
          <span className="text-muted text-sm">
            {t.points(formatCount(query.data))}
            <span className="max-sm:hidden"> · {t.underFilters}</span>
          </span>
        </p>
      )}
      <span className="ml-auto">
        <IconButton label={t.refreshStats} onClick={() => void query.refetch()}>
          <RefreshIcon />
        </IconButton>
      </span>
    </section>
  )
}
