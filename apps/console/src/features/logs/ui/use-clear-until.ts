import { clearLogs } from '@sluice/contract/routes/logs'
import { useQueryClient } from '@tanstack/react-query'
import { formatDateTime } from '~/lib/format/date.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useConfirm } from '~/ui/confirm.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import { useTellFailure } from '~/ui/toast/use-tell-failure.ts'
import { LOGS } from '../calls.ts'
import { clearingEnd, type LogFilters } from '../model/filters/log-window.ts'
import { logTexts } from '../texts/log-texts.ts'

/** Asks, then deletes everyone's logs before the end time of the filters, ignoring the other filters. Needs `logs.clear`. */
export function useClearUntil(): (filters: Pick<LogFilters, 'end'>) => void {
  const t = useTexts(logTexts)
  const call = useCall()
  const confirm = useConfirm()
  const toasts = useToasts()
  const tell = useTellFailure()
  const queryClient = useQueryClient()
  return (filters) => {
    const { end, isNow } = clearingEnd(filters, Date.now())
    const run = async () => {
      const reply = await call(clearLogs, { query: { target_timestamp: String(end) } })
      if (reply.ok) {
        toasts.show({ tone: 'good', title: t.cleared(formatCount(reply.data)) })
        await queryClient.invalidateQueries({ queryKey: LOGS })
      } else tell(t.clearFailed, reply)
    }
    const text = (isNow ? t.clearAllText : t.clearText)(formatDateTime(end))
    confirm({ title: t.clearTitle, text, confirm: t.clear, busy: t.clearBusy, danger: true, run })
  }
}
