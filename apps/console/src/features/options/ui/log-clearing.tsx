import { useState } from 'react'
import { useCommand } from '~/lib/commands/use-commands.ts'
import { localZone, toDateTimeInput } from '~/lib/format/date.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { Field, TextInput } from '~/ui/field.tsx'
import { Spinner } from '~/ui/spinner.tsx'
import { defaultClearDate } from '../model/clear-date.ts'
import { optionTexts } from '../texts/option-texts.ts'
import { useClearLogs } from './use-clear-logs.ts'

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
