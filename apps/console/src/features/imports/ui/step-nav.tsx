import type { ImportRun } from '@sluice/contract/import'
import { Link } from '@tanstack/react-router'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { type ImportSearch, type ImportStep, shortSearch } from '../model/import-search.ts'
import { importTexts } from '../texts/import-texts.ts'

const STEPS: readonly ImportStep[] = ['source', 'check', 'import']

interface StepNavProps {
  readonly step: ImportStep | undefined
  readonly run: ImportRun | null
  readonly search: ImportSearch
}

/** Where one is. The latest run has its step; the other one is not reachable before it was started. */
export function StepNav({ step, run, search }: StepNavProps) {
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
