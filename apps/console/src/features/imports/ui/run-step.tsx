import type { ImportMode, ImportRun } from '@sluice/contract/import'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useEffect, useRef } from 'react'
import { formatDateTime } from '~/lib/format/date.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button, buttonClass, Spinner } from '~/ui/button.tsx'
import { useConfirm, type Question } from '~/ui/confirm.tsx'
import { CheckIcon } from '~/ui/icon.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Time } from '~/ui/time.tsx'
import { changesIn, formatDuration, stagesOf, shareDone } from '../model/comparison.ts'
import { type ImportSearch, shortSearch } from '../model/import-search.ts'
import { importTexts } from '../texts/import-texts.ts'
import { Report } from './report/report.tsx'
import { StepHeading, ProgressBar, useStopImport } from './use-start-import.tsx'

interface RunStepProps {
  readonly run: ImportRun
  /** Time of the gateway's last progress report, in unix seconds. */
  readonly seenAt: number
  readonly starting: ImportMode | undefined
  readonly onStart: (mode: ImportMode) => Promise<void>
  readonly search: ImportSearch
}

export function RunStep({ run, seenAt, starting, onStart, search }: RunStepProps) {
  const t = useTexts(importTexts)
  const isRunning = run.outcome === 'running'
  useFocusAtEnd(isRunning)
  const names = isRunning
    ? { check: t.run.checking, import: t.run.importing }
    : { check: t.run.checked, import: t.run.imported }
  return (
    <>
      <section className="border-line bg-surface flex flex-col gap-4 rounded-lg border p-4 md:p-5">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className="min-w-0">
            <StepHeading>{names[run.mode](run.label === '' ? t.run.unnamed : run.label)}</StepHeading>
            <RunFacts run={run} />
          </div>
          {!isRunning && <Actions run={run} starting={starting} onStart={onStart} search={search} />}
        </div>
        <p role="status" className="sr-only">
          <Announced run={run} />
        </p>
        {isRunning ? <RunProgress run={run} seenAt={seenAt} /> : <Outcome run={run} />}
      </section>
      {!isRunning && run.report !== null && run.report.tables.length > 0 && (
        <Report report={run.report} mode={run.mode} id={run.id} />
      )}
    </>
  )
}

function RunFacts({ run }: { run: ImportRun }) {
  const t = useTexts(importTexts).run
  const families: Readonly<Record<string, string>> = t.families
  const family = families[run.family] ?? run.family
  const facts = [
    family,
    run.name === run.family ? '' : run.name,
    run.started_by === 0 ? t.onCommandLine : run.started_by_name === '' ? '' : t.startedBy(run.started_by_name),
    run.ended_at > 0 ? t.took(formatDuration(run.ended_at - run.started_at)) : '',
  ].filter((fact) => fact !== '')
  return (
    <p className="text-muted text-sm wrap-anywhere">
      <span className="print:hidden">
        <Time at={run.started_at} />
      </span>
      <span className="hidden print:inline">{formatDateTime(run.started_at)}</span>
      {facts.map((fact) => ` · ${fact}`)}
    </p>
  )
}

/** Screen readers hear each stage once, and the end; not every row. */
function Announced({ run }: { run: ImportRun }) {
  const t = useTexts(importTexts)
  if (run.outcome !== 'running') return null
  const stages = stagesOf(run.mode)
  const at = stages.findIndex((stage) => stage === run.stage)
  const stage = stages[at]
  return stage === undefined ? null : t.run.stage(t.stages[stage], at + 1, stages.length)
}

function Actions({ run, starting, onStart, search }: Omit<RunStepProps, 'seenAt'>) {
  const t = useTexts(importTexts)
  const ask = useConfirm()
  const question = useConfirmation(run)
  const mayImport = run.mode === 'import' || run.outcome === 'done'
  const verb = run.mode === 'check' ? t.import : run.outcome === 'done' ? t.importAgain : t.continue
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      {mayImport && (
        <Button
          variant={run.mode === 'check' ? 'primary' : 'secondary'}
          busy={starting === 'import'}
          onClick={() => ask({ ...question, run: () => onStart('import') })}
        >
          {verb}
        </Button>
      )}
      <Button busy={starting === 'check'} onClick={() => void onStart('check')}>
        {run.mode === 'check' ? t.checkAgain : t.check}
      </Button>
      <Link to="/import" search={shortSearch({ ...search, step: 'source' })} className={buttonClass()}>
        {run.mode === 'check' ? t.changeSource : t.another}
      </Link>
    </div>
  )
}

/** The stop button disappears when the run ends, so focus on it moves to the heading. */
function useFocusAtEnd(isRunning: boolean): void {
  const before = useRef(isRunning)
  useEffect(() => {
    const hasEnded = before.current && !isRunning
    before.current = isRunning
    if (hasEnded && document.activeElement === document.body) document.getElementById('step')?.focus()
  }, [isRunning])
}

function useConfirmation({ report, label }: ImportRun): Omit<Question, 'run'> {
  const t = useTexts(importTexts).confirm
  const written = (name: string) => {
    const table = report?.tables.find((one) => one.name === name)
    return formatCount(table === undefined ? 0 : table.added + table.changed)
  }
  const what =
    report === null
      ? t.unknown
      : t.known(written('users'), written('tokens'), written('channels'), written('redemptions'))
  return { title: t.title, text: `${t.text(what, label)} ${t.afterwards}`, confirm: t.start, busy: t.starting }
}

function RunProgress({ run, seenAt }: { run: ImportRun; seenAt: number }) {
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

function Outcome({ run }: { run: ImportRun }) {
  const t = useTexts(importTexts)
  const { report } = run
  const isGood = run.outcome === 'done'
  return (
    <div className="flex flex-col gap-3">
      <Notice tone={isGood ? 'good' : run.outcome === 'stopped' ? 'info' : 'bad'}>
        <p className="font-medium">{useSentence(run)}</p>
        {report !== null && report.refused.length > 0 && (
          <ul className="mt-1 list-disc ps-5">
            {report.refused.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
        {report === null && <p>{t.outcome.noReport}</p>}
      </Notice>
      {isGood && report !== null && <Changes report={report} />}
      {isGood && run.mode === 'import' && (
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm print:hidden">
          <Link to="/users" className="text-accent underline">
            {t.report.users}
          </Link>
          <Link to="/channels" className="text-accent underline">
            {t.report.channels}
          </Link>
        </p>
      )}
    </div>
  )
}

function useSentence({ mode, outcome }: ImportRun): string {
  const t = useTexts(importTexts).outcome
  const isCheck = mode === 'check'
  switch (outcome) {
    case 'done':
      return isCheck ? t.checkDone : t.importDone
    case 'refused':
      return isCheck ? t.checkRefused : t.importRefused
    case 'stopped':
      return isCheck ? t.checkStopped : t.stopped
    default:
      return isCheck ? t.checkFailed : t.failed
  }
}

function Changes({ report }: { report: NonNullable<ImportRun['report']> }) {
  const t = useTexts(importTexts).changes
  const { added, changed, unchanged } = changesIn(report)
  const [isNew, isChanged, isSame] = [added, changed, unchanged].map(formatCount)
  return (
    <p className="text-sm">
      {changed + unchanged === 0 ? t.first(isNew ?? '') : t.again(isNew ?? '', isChanged ?? '', isSame ?? '')}
    </p>
  )
}
