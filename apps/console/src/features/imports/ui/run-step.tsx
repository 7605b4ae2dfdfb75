import type { ImportMode, ImportRun } from '@sluice/contract/import'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { formatDateTime } from '~/lib/format/date.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button, buttonClass } from '~/ui/button.tsx'
import { useConfirm } from '~/ui/confirm.tsx'
import { Time } from '~/ui/time.tsx'
import { type ImportSearch, shortSearch } from '../model/import-search.ts'
import { formatDuration, stagesOf } from '../model/progress.ts'
import { importTexts } from '../texts/import-texts.ts'
import { Outcome } from './outcome.tsx'
import { Report } from './report/report.tsx'
import { RunProgress } from './run-progress.tsx'
import { StepHeading } from './step-heading.tsx'
import { useConfirmation } from './use-confirmation.ts'

interface RunStepProps {
  readonly run: ImportRun
  /** When the gateway last said how far it is, in unix seconds. */
  readonly seenAt: number
  readonly starting: ImportMode | undefined
  readonly onStart: (mode: ImportMode) => Promise<void>
  readonly search: ImportSearch
}

/** A check or an import: how far it is, then what became of it. */
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

/** What screen readers hear: each stage once, and the end; not every row. */
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

/** The button that stopped the run is gone when it ends: whoever was there goes on at the heading. */
function useFocusAtEnd(isRunning: boolean): void {
  const before = useRef(isRunning)
  useEffect(() => {
    const hasEnded = before.current && !isRunning
    before.current = isRunning
    if (hasEnded && document.activeElement === document.body) document.getElementById('step')?.focus()
  }, [isRunning])
}
