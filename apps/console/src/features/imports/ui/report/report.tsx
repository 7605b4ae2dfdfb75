import type { ImportMode, ImportReport } from '@sluice/contract/import'
import { keptFields } from '~/features/imports/model/problem-list.ts'
import { importTexts } from '~/features/imports/texts/import-texts.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { PriceTable } from './price-table.tsx'
import { ProblemTable } from './problem-table.tsx'
import { ProofList } from './proof-list.tsx'
import { Section } from './section.tsx'
import { SettingList } from './setting-list.tsx'
import { SumTable } from './sum-table.tsx'
import { TableTable } from './table-table.tsx'

interface ReportProps {
  readonly report: ImportReport
  readonly mode: ImportMode
  /** Id of the run. */
  readonly id: number
}

/** What a check has found, or what an import has done. Parts with nothing to say are left out. */
export function Report({ report, mode, id }: ReportProps) {
  const t = useTexts(importTexts)
  const r = t.report
  const unknown = report.unknown.map(({ table, columns }) =>
    columns.length === 0 ? table : `${table}: ${columns.join(', ')}`,
  )
  const parts = [
    { id: 'totals', title: r.totals, count: 0, body: <SumTable report={report} /> },
    { id: 'proof', title: r.proof, count: report.proof?.length ?? 0, body: <ProofList proof={report.proof ?? []} /> },
    {
      id: 'tables',
      title: r.tables,
      count: report.tables.length,
      hint: t.tables.hint,
      body: <TableTable tables={report.tables} />,
    },
    {
      id: 'problems',
      title: r.problems,
      count: report.problem_count,
      body: (
        <ProblemTable
          of="problems"
          problems={report.problems}
          count={report.problem_count}
          name={`${mode}-${id}-problems`}
        />
      ),
    },
    {
      id: 'kept',
      title: r.kept,
      count: report.kept_count,
      hint: r.keptHint,
      body: (
        <ProblemTable of="kept" problems={keptFields(report)} count={report.kept_count} name={`${mode}-${id}-kept`} />
      ),
    },
    {
      id: 'prices',
      title: r.prices,
      count: report.prices.length,
      hint: t.prices.hint,
      body: <PriceTable prices={report.prices} />,
    },
    {
      id: 'settings',
      title: r.settings,
      count: report.settings.length,
      body: <SettingList settings={report.settings} />,
    },
    { id: 'notes', title: r.notes, count: report.notes.length, body: <TextList texts={report.notes} /> },
    { id: 'unknown', title: r.unknown, count: unknown.length, body: <TextList texts={unknown} /> },
  ].filter(({ id: part, count }) => part === 'totals' || count > 0)
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 print:hidden">
        <nav aria-label={r.contents} className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {parts.map(({ id: part, title, count }) => (
            <a
              key={part}
              href={`#${part}`}
              className="text-accent underline"
              onClick={(event) => {
                event.preventDefault()
                document.getElementById(part)?.scrollIntoView({ block: 'start' })
                document.getElementById(`${part}-title`)?.focus({ preventScroll: true })
              }}
            >
              {count === 0 || part === 'proof' ? title : `${title} (${formatCount(count)})`}
            </a>
          ))}
        </nav>
        <Button size="small" onClick={() => window.print()}>
          {r.print}
        </Button>
      </div>
      {parts.map(({ id: part, title, hint, body }) => (
        <Section key={part} id={part} title={title} hint={hint}>
          {body}
        </Section>
      ))}
    </>
  )
}

function TextList({ texts }: { texts: readonly string[] }) {
  return (
    <ul className="list-disc ps-5 text-sm wrap-anywhere">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}
