import { clearLogs } from '@sluice/contract/routes/logs'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCommand } from '~/lib/commands/use-commands.ts'
import { diagnostics } from '~/lib/diagnostics.ts'
import { localZone, toDateTimeInput, formatDateTime } from '~/lib/format/date.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { isWorthTelling } from '~/lib/http/call.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button, Spinner } from '~/ui/button.tsx'
import { useConfirm } from '~/ui/confirm.tsx'
import { Field, TextInput } from '~/ui/field.tsx'
import { optionTexts } from '../texts/option-texts.ts'

/** Deletes the logs before a date, and reports how many there were. */
export function LogClearing() {
  const t = useTexts(optionTexts)
  const [date, setDate] = useState(() => toDateTimeInput(defaultClearDate(Date.now())))
  const { clear, progress, problem } = useClearLogs()
  useCommand({ id: 'options.clear-logs', label: t.clear, group: t.commands, run: () => clear(date) })
  return (
    <div className="flex flex-col gap-2 px-4 py-3.5 md:px-5">
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 grow sm:max-w-64">
          <Field label={t.clearBefore} error={problem === '' ? undefined : problem}>
            {(ids) => (
              <TextInput
                {...ids}
                type="datetime-local"
                step={1}
                value={date}
                onChange={(event) => setDate(event.target.value)}
              />
            )}
          </Field>
        </div>
        <Button variant="danger" busy={progress.is === 'running'} onClick={() => clear(date)}>
          {progress.is === 'running' ? t.clearing : t.clear}
        </Button>
      </div>
      <p className="text-muted text-xs">{t.clearHint(localZone())}</p>
      <p role="status" className="flex items-center gap-2 text-sm empty:hidden">
        {progress.is === 'running' && (
          <>
            <Spinner />
            {t.clearingNow}
          </>
        )}
        {progress.is === 'done' && t.cleared(progress.count)}
        {progress.is === 'failed' && t.notCleared}
      </p>
    </div>
  )
}

export type ClearProgress =
  | { readonly is: 'idle' | 'running' | 'failed' }
  /** `count` as text. */
  | { readonly is: 'done'; readonly count: string }

/** Asks, then clears everyone's logs before a local date-time text. The cause of a failure is only logged. */
function useClearLogs() {
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

/** Logs older than this are cleared unless another date is chosen, in hours. */
const KEPT_HOURS = 720

/** The date before which logs are cleared unless another is chosen: 720 hours (30 days) before now. Unix milliseconds. */
export function defaultClearDate(now: number): Date {
  return new Date(now - KEPT_HOURS * 3_600_000)
}

/** Unix seconds of a local date-time text; `undefined` when it is not one, or is in the future. */
export function clearTimestamp(text: string, now: number): number | undefined {
  const at = new Date(text).getTime()
  if (Number.isNaN(at) || at > now || at < 1_000) return undefined
  return Math.floor(at / 1_000)
}
