import type { ChannelSummary } from '@sluice/contract/price-list'
import { formatLatency } from '~/lib/format/latency.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Skeleton } from '~/ui/skeleton.tsx'
import { statusTexts } from '../texts/status-texts.ts'

/** All channels in five figures; skeletons while they are loading. */
export function SummaryCards({ summary }: { summary: ChannelSummary | undefined }) {
  const t = useTexts(statusTexts)
  const average = summary?.average_response_ms ?? 0
  const figures = [
    [t.summary.channels, formatCount(summary?.channels ?? 0)],
    [t.summary.enabled, formatCount(summary?.enabled ?? 0)],
    [t.summary.manuallyDisabled, formatCount(summary?.manually_disabled ?? 0)],
    [t.summary.autoDisabled, formatCount(summary?.auto_disabled ?? 0)],
    [t.summary.response, average === 0 ? t.bands.none : formatLatency(average)],
  ] as const
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-5">
      {figures.map(([name, figure]) => (
        <div key={name} className="border-line bg-surface rounded-lg border px-4 py-3 max-md:last:col-span-2">
          <dt className="text-muted text-xs">{name}</dt>
          <dd className="mt-1 text-lg leading-7 font-semibold tabular-nums">
            {summary === undefined ? <Skeleton className="h-7 w-12" /> : figure}
          </dd>
        </div>
      ))}
    </dl>
  )
}
