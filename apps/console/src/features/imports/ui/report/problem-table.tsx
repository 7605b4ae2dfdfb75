import type { ImportProblem, ImportReport } from '@sluice/contract/import'
import { useState } from 'react'
import { importTexts } from '~/features/imports/texts/import-texts.ts'
import { saveFile } from '~/lib/dom/save-file.ts'
import { useIsBelow } from '~/lib/dom/use-media.ts'
import { csvText } from '~/lib/format/csv.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { PageSize } from '~/lib/list/list-search.ts'
import { Badge } from '~/ui/badge.tsx'
import { Button } from '~/ui/button.tsx'
import { Select } from '~/ui/field.tsx'
import { FilterField } from '~/ui/filter-field.tsx'
import { Pager } from '~/ui/table/pager.tsx'
import { useRestingText } from '~/ui/use-resting-text.ts'
import { PlainTable } from './sum-table.tsx'

interface ProblemTableProps {
  readonly of: 'problems' | 'kept'
  readonly problems: readonly ListedProblem[]
  /** All problems, however many are listed. */
  readonly count: number
  readonly name: string
}

/** Rows that are left out or taken in another form, or fields that stay as they are, each with its reason. */
export function ProblemTable({ of, problems, count, name }: ProblemTableProps) {
  const texts = useTexts(importTexts)
  const t = { ...texts.problems, ...texts[of] }
  const [table, setTable] = useState('')
  const [text, setText] = useState('')
  const [page, setPage] = useState<{ readonly p: number; readonly size: PageSize }>({ p: 0, size: 20 })
  const toFirst = () => setPage(({ size }) => ({ p: 0, size }))
  const typed = useRestingText(text, (wanted) => {
    setText(wanted)
    toFirst()
  })
  const found = matchingProblems(problems, { table, text })
  const tables = tablesWithProblems(problems)
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 print:hidden">
        <FilterField label={t.search} typed={typed} />
        {tables.length > 1 && (
          <Select
            aria-label={t.table}
            value={table}
            options={[{ value: '', label: t.all }, ...tables.map((value) => ({ value, label: value }))]}
            onChange={({ target }) => {
              setTable(target.value)
              toFirst()
            }}
          />
        )}
        <span className="grow" />
        <Button onClick={() => saveFile(`${name}.csv`, problemsAsCsv(problems), 'text/csv;charset=utf-8')}>
          {t.save}
        </Button>
      </div>
      {count > problems.length && (
        <p className="text-muted text-xs">{t.more(formatCount(problems.length), formatCount(count))}</p>
      )}
      <ProblemList
        label={t.shown(formatCount(found.length))}
        problems={found.slice(page.p * page.size, (page.p + 1) * page.size)}
      />
      {found.length === 0 && <p className="text-muted text-sm">{t.none}</p>}
      {problems.length > 10 && (
        <div className="print:hidden">
          <Pager
            search={page}
            total={found.length}
            onSearch={({ p, size }) => setPage((was) => ({ p: p ?? was.p, size: size ?? was.size }))}
          />
        </div>
      )}
    </>
  )
}

interface ProblemListProps {
  readonly label: string
  readonly problems: readonly ListedProblem[]
}

function ProblemList({ label, problems }: ProblemListProps) {
  const t = useTexts(importTexts).problems
  const isPhone = useIsBelow('tablet')
  if (isPhone) {
    return (
      <ul className="text-sm">
        {problems.map((one, at) => (
          <li key={keyOf(one, at)} className="border-line border-b py-2 last:border-0">
            <div className="flex flex-wrap items-center gap-x-2">
              <code className="font-mono">{one.table}</code>
              <span className="tabular-nums">{one.id}</span>
              <code className="font-mono">{one.field}</code>
              <span className="grow" />
              <EffectBadge effect={one.effect} />
            </div>
            <p className="wrap-anywhere">{one.problem}</p>
          </li>
        ))}
      </ul>
    )
  }
  return (
    <PlainTable
      label={label}
      columns={[
        { id: 'table', header: t.table, cell: (one) => <code className="font-mono">{one.table}</code> },
        { id: 'id', header: t.id, cell: (one) => one.id },
        { id: 'field', header: t.field, cell: (one) => <code className="font-mono">{one.field}</code> },
        { id: 'problem', header: t.problem, isText: true, cell: (one) => one.problem },
        { id: 'effect', header: t.effect, cell: (one) => <EffectBadge effect={one.effect} /> },
      ]}
      rows={problems}
      rowId={keyOf}
    />
  )
}

function EffectBadge({ effect }: Pick<ListedProblem, 'effect'>) {
  const t = useTexts(importTexts).problems.effects
  return <Badge tone={effect === 'left_out' ? 'bad' : 'neutral'}>{t[effect]}</Badge>
}

const keyOf = (one: ListedProblem, at: number) => `${one.table} ${one.id} ${one.field} ${at}`

/** `kept`: a field that stays as it is here. */
interface ListedProblem extends Omit<ImportProblem, 'effect'> {
  readonly effect: ImportProblem['effect'] | 'kept'
}

export function keptFields({ kept }: Pick<ImportReport, 'kept'>): readonly ListedProblem[] {
  return kept.map(({ reason, ...field }) => ({ ...field, problem: reason, effect: 'kept' }))
}

/** Problems of one table (of all when it is empty) that contain a text in any field. */
export function matchingProblems(
  problems: readonly ListedProblem[],
  { table, text }: { readonly table: string; readonly text: string },
): readonly ListedProblem[] {
  const wanted = text.trim().toLowerCase()
  return problems.filter(
    (one) =>
      (table === '' || one.table === table) &&
      [one.table, one.id, one.field, one.problem].some((value) => value.toLowerCase().includes(wanted)),
  )
}

export function tablesWithProblems(problems: readonly ListedProblem[]): readonly string[] {
  return [...new Set(problems.map(({ table }) => table))]
}

export function problemsAsCsv(problems: readonly ListedProblem[]): string {
  return csvText([
    ['table', 'id', 'field', 'problem', 'effect'],
    ...problems.map(({ table, id, field, problem, effect }) => [table, id, field, problem, effect]),
  ])
}
