import { clearLogs } from '@sluice/contract/routes/logs'
import { updateInfo } from '@sluice/contract/routes/options'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, lazy, Suspense, useState } from 'react'
import { useCommand } from '~/lib/commands.ts'
import { diagnostics } from '~/lib/diagnostics.ts'
import { localZone, toDateTimeInput, formatDateTime } from '~/lib/format/date.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { isWorthTelling, useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Button, buttonClass, Spinner } from '~/ui/button.tsx'
import { useConfirm } from '~/ui/confirm.tsx'
import { Field, TextInput } from '~/ui/field.tsx'
import type { StoredOptions } from '../calls.ts'
import type { PlacedCard } from '../model/placed-settings.ts'
import { optionTexts } from '../texts/option-texts.ts'
import { SettingField } from './setting-field.tsx'

interface SettingsCardProps {
  readonly card: PlacedCard
  readonly options: StoredOptions
  readonly aside?: ReactNode
  readonly settingsOnly?: boolean
}

export function SettingsCard({ card, options, aside, settingsOnly = false }: SettingsCardProps) {
  const t = useTexts(optionTexts)
  const { id, tab, settings } = card
  const groups = card.groups.filter((group) => settings.some((setting) => setting.group === group))
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="border-line bg-surface scroll-mt-4 rounded-lg border">
      <div className="border-line flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-b px-4 py-3 md:px-5">
        <div className="min-w-0">
          <h2 id={`${id}-title`} tabIndex={-1} className="text-base font-semibold outline-none">
            {t.cards[id]}
          </h2>
          <p className="text-muted text-xs">{t.cardTexts[id]}</p>
        </div>
        {aside}
      </div>
      <div className="divide-line divide-y">
        {groups.map((group) => (
          <div key={group} className="divide-line divide-y">
            {card.groups.length > 1 && (
              <h3 className="bg-subtle text-muted px-4 py-1.5 text-xs font-semibold md:px-5">{t.groups[group]}</h3>
            )}
            {settings
              .filter((setting) => setting.group === group)
              .map((setting) => (
                <SettingField key={setting.key} setting={setting} options={options} tab={tab} />
              ))}
          </div>
        ))}
        {!settingsOnly && id === 'logManagement' && <LogClearing />}
        {!settingsOnly && id === 'updates' && <UpdateCheck />}
      </div>
    </section>
  )
}

const Markdown = lazy(async () => ({ default: (await import('~/ui/markdown/markdown.tsx')).Markdown }))

type Check =
  | { readonly is: 'idle' | 'running' | 'failed' }
  | { readonly is: 'done'; readonly tag: string; readonly content: string }

/** The cause of a failure is only logged. */
function UpdateCheck() {
  const t = useTexts(optionTexts)
  const call = useCall()
  const { version } = useSystemStatus()
  const [check, setCheck] = useState<Check>({ is: 'idle' })
  const run = async () => {
    setCheck({ is: 'running' })
    const reply = await call(updateInfo, {})
    if (reply.ok) return setCheck({ is: 'done', tag: reply.data.tag_name, content: reply.data.content })
    setCheck({ is: 'failed' })
    if (isWorthTelling(reply)) diagnostics.error(`Failed to check for updates: ${reply.message || reply.kind}`)
  }
  useCommand({ id: 'options.check-updates', label: t.check, group: t.commands, run: () => void run() })
  return (
    <div className="flex flex-col gap-3 px-4 py-3.5 md:px-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm">{t.version(version)}</p>
        <div className="flex flex-wrap gap-2">
          <Link to="/doctor" className={buttonClass()}>
            {t.doctor}
          </Link>
          <Button busy={check.is === 'running'} onClick={() => void run()}>
            {check.is === 'running' ? t.checking : t.check}
          </Button>
        </div>
      </div>
      <p role="status" className="text-sm empty:hidden">
        {check.is === 'done' && `${t.newest(check.tag)} ${isSameRelease(check.tag, version) ? t.isNewest : ''}`.trim()}
        {check.is === 'failed' && t.noRelease}
      </p>
      {check.is === 'done' && check.content.trim() !== '' && (
        <div className="border-line max-h-96 overflow-y-auto rounded-md border px-4 py-3">
          <Suspense>
            <Markdown text={check.content} />
          </Suspense>
        </div>
      )}
    </div>
  )
}

/** Tags may begin with a `v`. */
export function isSameRelease(tag: string, version: string): boolean {
  return tag.trim().replace(/^v/i, '') === version.trim().replace(/^v/i, '')
}

function LogClearing() {
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
  | { readonly is: 'done'; readonly count: string }

/** Asks, then clears everyone's logs before a local date-time, given as text. The cause of a failure is only logged. */
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

/** 720 hours (30 days) before `now`, which is in unix milliseconds. */
export function defaultClearDate(now: number): Date {
  return new Date(now - KEPT_HOURS * 3_600_000)
}

/** In unix seconds; `undefined` when the text is not a local date-time, or is in the future. */
export function clearTimestamp(text: string, now: number): number | undefined {
  const at = new Date(text).getTime()
  if (Number.isNaN(at) || at > now || at < 1_000) return undefined
  return Math.floor(at / 1_000)
}
