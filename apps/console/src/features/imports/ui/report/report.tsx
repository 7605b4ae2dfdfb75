import type { ImportMode, ImportReport, ImportTable } from '@sluice/contract/import'
import type { ReactNode } from 'react'
import { type en, importTexts } from '~/features/imports/texts/import-texts.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { Translation } from '~/lib/i18n/texts.ts'
import { Button } from '~/ui/button.tsx'
import { CheckIcon, WarningIcon } from '~/ui/icon.tsx'
import { keptFields, ProblemTable } from './problem-table.tsx'
import { PlainTable, PriceTable, SumTable } from './sum-table.tsx'

interface ReportProps {
  readonly report: ImportReport
  readonly mode: ImportMode
  readonly id: number
}

export function Report(props: ReportProps) {
  const t = useTexts(importTexts)
  const parts = partsOf(props, t).filter(({ id, count }) => id === 'totals' || count > 0)
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 print:hidden">
        <Contents parts={parts} />
        <Button size="small" onClick={() => window.print()}>
          {t.report.print}
        </Button>
      </div>
      {parts.map(({ id, title, hint, body }) => (
        <Section key={id} id={id} title={title} hint={hint}>
          {body}
        </Section>
      ))}
    </>
  )
}

interface Part {
  readonly id: string
  readonly title: string
  readonly count: number
  readonly hint?: string
  readonly body: ReactNode
}

function partsOf({ report, mode, id }: ReportProps, t: Translation<typeof en>): readonly Part[] {
  const { proof, tables, prices, settings, notes } = report
  const r = t.report
  const unknown = report.unknown.map(({ table, columns }) =>
    columns.length === 0 ? table : `${table}: ${columns.join(', ')}`,
  )
  return [
    { id: 'totals', title: r.totals, count: 0, body: <SumTable report={report} /> },
    { id: 'proof', title: r.proof, count: proof?.length ?? 0, body: <ProofList proof={proof ?? []} /> },
    {
      id: 'tables',
      title: r.tables,
      count: tables.length,
      hint: t.tables.hint,
      body: <TableTable tables={tables} />,
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
      count: prices.length,
      hint: t.prices.hint,
      body: <PriceTable prices={prices} />,
    },
    { id: 'settings', title: r.settings, count: settings.length, body: <SettingList settings={settings} /> },
    { id: 'notes', title: r.notes, count: notes.length, body: <TextList texts={notes} /> },
    { id: 'unknown', title: r.unknown, count: unknown.length, body: <TextList texts={unknown} /> },
  ]
}

function Contents({ parts }: { parts: readonly Part[] }) {
  const t = useTexts(importTexts).report
  return (
    <nav aria-label={t.contents} className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {parts.map(({ id, title, count }) => (
        <a
          key={id}
          href={`#${id}`}
          className="text-accent underline"
          onClick={(event) => {
            event.preventDefault()
            document.getElementById(id)?.scrollIntoView({ block: 'start' })
            document.getElementById(`${id}-title`)?.focus({ preventScroll: true })
          }}
        >
          {count === 0 || id === 'proof' ? title : `${title} (${formatCount(count)})`}
        </a>
      ))}
    </nav>
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

function ProofList({ proof }: { proof: NonNullable<ImportReport['proof']> }) {
  const t = useTexts(importTexts).proof
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {proof.map(({ id, statement, ok }) => (
        <li key={id} className="flex items-start gap-2">
          <span className={`mt-0.5 ${ok ? 'text-good' : 'text-bad'}`}>{ok ? <CheckIcon /> : <WarningIcon />}</span>
          <span className="min-w-0">
            <span className="text-muted">{id}</span> {statement}
            <span className={ok ? 'sr-only' : 'text-bad font-medium'}> ({ok ? t.sound : t.broken})</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

interface SectionProps {
  readonly id: string
  readonly title: string
  readonly hint?: string | undefined
  readonly actions?: ReactNode
  readonly children: ReactNode
}

function Section({ id, title, hint, actions, children }: SectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="border-line bg-surface flex scroll-mt-4 flex-col gap-3 rounded-lg border p-4 md:p-5"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id={`${id}-title`} tabIndex={-1} className="font-semibold outline-none">
          {title}
        </h3>
        {actions}
      </div>
      {hint !== undefined && <p className="text-muted text-xs">{hint}</p>}
      {children}
    </section>
  )
}

const EFFECTS = ['set', 'invalid', 'kept', 'unused'] as const

function SettingList({ settings }: Pick<ImportReport, 'settings'>) {
  const t = useTexts(importTexts).settings
  return EFFECTS.map((effect) => {
    const some = settings.filter((setting) => setting.effect === effect)
    if (some.length === 0) return null
    return (
      <details key={effect} open={effect === 'set' || effect === 'invalid'} className="text-sm">
        <summary className="font-medium">
          {t[effect]} ({formatCount(some.length)})
        </summary>
        <ul className="pt-1 ps-4">
          {some.map(({ key, reason }) => (
            <li key={key} className="wrap-anywhere">
              <code className="font-mono">{key}</code>
              {reason !== '' && <span className="text-muted"> {reason}</span>}
            </li>
          ))}
        </ul>
      </details>
    )
  })
}

const ALWAYS = ['rows', 'added'] as const
const SOMETIMES = ['changed', 'unchanged', 'skipped', 'left_out', 'gone'] as const

function TableTable({ tables }: { tables: readonly ImportTable[] }) {
  const t = useTexts(importTexts).tables
  const counts = [...ALWAYS, ...SOMETIMES.filter((name) => tables.some((table) => table[name] > 0))]
  return (
    <PlainTable
      label={t.name}
      columns={[
        { id: 'name', header: t.name, names: true, cell: ({ name }) => <code className="font-mono">{name}</code> },
        ...counts.map((name) => ({
          id: name,
          header: t[name],
          isNumber: true,
          cell: (table: ImportTable) =>
            table[name] > 0 && (name === 'left_out' || name === 'gone') ? (
              <span className="text-bad font-medium">{formatCount(table[name])}</span>
            ) : (
              formatCount(table[name])
            ),
        })),
      ]}
      rows={tables}
      rowId={({ name }) => name}
    />
  )
}
