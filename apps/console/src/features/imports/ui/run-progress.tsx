import type { ImportRun } from '@sluice/contract/import'
import { clsx } from 'clsx'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { CheckIcon } from '~/ui/sign-icons.tsx'
import { Spinner } from '~/ui/spinner.tsx'
import { formatDuration, shareDone, stagesOf } from '../model/progress.ts'
import { importTexts } from '../texts/import-texts.ts'
import { ProgressBar } from './progress-bar.tsx'
import { useStopImport } from './use-start-import.ts'

/** A run that is under way: its stages, and how far the present one is. */
export function RunProgress({ run, seenAt }: { run: ImportRun; seenAt: number }) {
  const t = useTexts(importTexts)
  const { stop, stopping } = useStopImport()
  const stages = stagesOf(run.mode)
  const now = stages.findIndex((stage) => stage === run.stage)
  const isStopping = stopping || run.stopping
  return (
    <div className="flex flex-col gap-4">
      <ol className="flex flex-wrap gap-x-4 gap-y-1.5 text-sm">
        {stages.map((stage, at) => (
          <li
            key={stage}
            aria-current={at === now ? 'step' : undefined}
            className={clsx('flex items-center gap-1.5', at === now ? 'font-medium' : 'text-muted')}
          >
            <span className="flex size-4 items-center justify-center">
              {at < now ? (
                <span className="text-good">
                  <CheckIcon />
                </span>
              ) : at === now ? (
                <Spinner />
              ) : (
                <span aria-hidden="true" className="bg-control size-1.5 rounded-full" />
              )}
            </span>
            {t.stages[stage]}
            <span className="sr-only">{at < now ? t.run.stageDone : at === now ? t.run.stageNow : ''}</span>
          </li>
        ))}
      </ol>
      <ProgressBar label={t.steps[run.mode]} share={shareDone(run)} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm">
        <span className="tabular-nums">
          {run.total > 0 ? t.run.rows(formatCount(run.done), formatCount(run.total)) : t.run.counting}
          <span className="text-muted"> · {t.run.elapsed(formatDuration(seenAt - run.started_at))}</span>
        </span>
        <Button busy={isStopping} onClick={() => void stop()}>
          {isStopping ? t.run.stopping : t.run.stop}
        </Button>
      </div>
      <p className="text-muted text-xs">{t.run.leave}</p>
    </div>
  )
}
