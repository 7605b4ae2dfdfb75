import type { ImportRun } from '@sluice/contract/import'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch, Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Page } from '~/ui/page.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { latestImportQuery } from '../calls.ts'
import { pauseBetweenLooks } from '../model/comparison.ts'
import {
  type ImportSearch,
  missingIn,
  orderOf,
  readImportSearch,
  shortSearch,
  shownStep,
  type ImportStep,
} from '../model/import-search.ts'
import { importTexts } from '../texts/import-texts.ts'
import { RunStep } from './run-step.tsx'
import { SourceStep } from './source-step.tsx'
import { useStartImport } from './use-start-import.tsx'

export function ImportPage() {
  const t = useTexts(importTexts)
  const navigate = useNavigate({ from: '/import' })
  const search = readImportSearch(useSearch({ from: '/protected/import' }))
  const query = useImportRun()
  /** Holds a password, so it is neither in the address nor stored. */
  const [address, setAddress] = useState('')
  const [problem, setProblem] = useState('')
  const change = (next: Partial<ImportSearch>, replace = true) => {
    setProblem('')
    void navigate({ search: shortSearch({ ...search, ...next }), replace, resetScroll: !replace })
  }
  const { start, starting } = useStartImport({
    onStarted: (mode) => change({ step: mode }, false),
    onGone: (message) => {
      change({ step: 'source', upload: '', file: '' }, false)
      setProblem(message)
    },
  })
  const run = query.data
  const step = run === undefined ? undefined : shownStep(search.step, run)
  useFocusOnChange(step)

  const send = async (mode: 'check' | 'import') => {
    const missing = missingIn(search, address)
    if (missing === undefined) return await start(orderOf(search, address, mode))
    change({ step: 'source' }, search.step === 'source')
    const again = search.step !== 'source' && missing === 'address'
    const words = { file: t.source.needsFile, address: again ? t.source.addressAgain : t.source.needsAddress }
    setProblem(missing === 'name' ? t.choices.nameWrong : words[missing])
  }

  return (
    <Page title={t.title} subtitle={t.subtitle} width="wide">
      <StepNav step={step} run={run ?? null} search={search} />
      {run === undefined &&
        (query.isError ? <LoadFailure query={query} text={t.failed} /> : <Skeleton className="h-96 w-full" />)}
      {run !== undefined && step === 'source' && (
        <SourceStep
          search={search}
          onChange={change}
          address={address}
          onAddress={setAddress}
          problem={problem}
          run={run}
          isStarting={starting !== undefined}
          onCheck={() => void send('check')}
        />
      )}
      {run !== undefined && run !== null && step !== 'source' && (
        <RunStep run={run} seenAt={query.dataUpdatedAt / 1_000} starting={starting} onStart={send} search={search} />
      )}
    </Page>
  )
}

function useFocusOnChange(step: string | undefined): void {
  const before = useRef(step)
  useEffect(() => {
    if (before.current !== undefined && before.current !== step) document.getElementById('step')?.focus()
    before.current = step
  }, [step])
}

/** Polled while the run lasts, whoever started it. */
function useImportRun() {
  const query = latestImportQuery(useCall())
  return useQuery({ ...query, refetchInterval: ({ state }) => pauseBetweenLooks(state.data) })
}

const STEPS: readonly ImportStep[] = ['source', 'check', 'import']

interface StepNavProps {
  readonly step: ImportStep | undefined
  readonly run: ImportRun | null
  readonly search: ImportSearch
}

/** Besides the source, only the step of the latest run can be opened. */
function StepNav({ step, run, search }: StepNavProps) {
  const t = useTexts(importTexts)
  return (
    <nav aria-label={t.steps.label} className="border-line border-b print:hidden">
      <ol className="flex gap-1 overflow-x-auto">
        {STEPS.map((id, at) => {
          const text = (
            <>
              <span aria-hidden="true">{at + 1}. </span>
              {t.steps[id]}
            </>
          )
          const look = 'border-b-2 border-transparent px-3 py-2 text-sm font-medium whitespace-nowrap'
          return (
            <li key={id} className="flex">
              {id === 'source' || run?.mode === id ? (
                <Link
                  to="/import"
                  search={shortSearch({ ...search, step: id })}
                  activeOptions={{ exact: true, includeSearch: true }}
                  aria-current={id === step ? 'step' : undefined}
                  className={`${look} text-muted hover:text-ink aria-[current]:border-accent aria-[current]:text-ink focus-visible:-outline-offset-2`}
                >
                  {text}
                </Link>
              ) : (
                <span aria-disabled="true" className={`${look} text-muted`}>
                  {text}
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
