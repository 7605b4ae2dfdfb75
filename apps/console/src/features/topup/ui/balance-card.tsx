import { useQuery } from '@tanstack/react-query'
import { formatCount, formatCurrency, formatQuota } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { LoadNotice } from '~/ui/load-failure.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { balanceQuery } from '../calls.ts'
import { topupTexts } from '../texts/topup-texts.ts'
import { Card } from './card.tsx'

/** What the family's servers send for a balance without a limit. */
const UNLIMITED = -1

/** The balance in quota tokens, with its value in money where the settings show money. */
export function BalanceCard() {
  const t = useTexts(topupTexts)
  const status = useSystemStatus()
  const query = useQuery(balanceQuery(useCall()))
  const { data, isPending } = query
  return (
    <Card title={t.balance}>
      <LoadNotice query={query} text={t.balanceFailed} />
      {isPending && <Skeleton className="h-20 w-full" />}
      {data !== undefined && (
        <div>
          <p className="text-2xl font-semibold tabular-nums wrap-anywhere">
            {data.quota === UNLIMITED ? t.unlimited : t.tokens(formatCount(data.quota))}
          </p>
          {status.display_in_currency && data.quota !== UNLIMITED && (
            <p className="text-muted tabular-nums">{t.worth(formatCurrency(data.quota, status))}</p>
          )}
          <p className="text-muted mt-2 text-sm tabular-nums">
            {t.used(formatQuota(data.used_quota, status), formatCount(data.request_count))}
          </p>
        </div>
      )}
    </Card>
  )
}
