import { useQuery } from '@tanstack/react-query'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { LoadNotice } from '~/ui/load-failure.tsx'
import { QuotaAmount } from '~/ui/quota/quota-amount.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { Time } from '~/ui/time.tsx'
import { recentTopupsQuery } from '../calls.ts'
import { topupTexts } from '../texts/topup-texts.ts'
import { Card } from './card.tsx'

/** What was recently added, and how. */
export function RecentTopups() {
  const t = useTexts(topupTexts)
  const query = useQuery(recentTopupsQuery(useCall()))
  const { data, isPending } = query
  return (
    <Card title={t.recent}>
      <LoadNotice query={query} text={t.recentFailed} />
      {isPending && <Skeleton className="h-16 w-full" />}
      {data?.length === 0 && <p className="text-muted text-sm">{t.recentEmpty}</p>}
      {data !== undefined && data.length > 0 && (
        <ul className="divide-line flex flex-col divide-y">
          {data.map((row) => (
            <li key={row.id} className="flex items-baseline justify-between gap-4 py-2 text-sm">
              <span className="min-w-0">
                <span className="block wrap-anywhere">{row.content}</span>
                <span className="text-muted text-xs">
                  <Time at={row.created_at} />
                </span>
              </span>
              <span className="font-medium tabular-nums">
                <QuotaAmount quota={row.quota} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
