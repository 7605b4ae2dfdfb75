import { clearLogs } from '@sluice/contract/routes/logs'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { diagnostics } from '~/lib/diagnostics.ts'
import { formatDateTime } from '~/lib/format/date.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { isWorthTelling } from '~/lib/http/call.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useConfirm } from '~/ui/confirm.tsx'
import { clearTimestamp } from '../model/clear-date.ts'
import { optionTexts } from '../texts/option-texts.ts'

export type ClearProgress =
  | { readonly is: 'idle' | 'running' | 'failed' }
  /** `count` as text. */
  | { readonly is: 'done'; readonly count: string }

/** Asks, then clears everyone's logs before a local date-time text. The cause of a failure is only logged. */
export function useClearLogs() {
  const t = useTexts(optionTexts)
  const call = useCall()
  const cache = useQueryClient()
  const confirm = useConfirm()
  const [progress, setProgress] = useState<ClearProgress>({ is: 'idle' })
  const [problem, setProblem] = useState('')
  const run = async (timestamp: number) => {
    setProgress({ is: 'running' })
    const reply = await call(clearLogs, { query: { target_timestamp: String(timestamp) } })
    if (reply.ok) {
      setProgress({ is: 'done', count: formatCount(reply.data) })
      await cache.invalidateQueries()
      return
    }
    setProgress({ is: 'failed' })
    if (isWorthTelling(reply)) diagnostics.error(`Failed to clear logs: ${reply.message || reply.kind}`)
  }
  const clear = (date: string) => {
    const timestamp = clearTimestamp(date, Date.now())
    setProblem(timestamp === undefined ? t.clearNoDate : '')
    if (timestamp === undefined) return
    const text = t.clearText(formatDateTime(timestamp))
    confirm({ title: t.clearTitle, text, confirm: t.clear, busy: t.clearing, danger: true, run: () => run(timestamp) })
  }
  return { clear, progress, problem }
}
