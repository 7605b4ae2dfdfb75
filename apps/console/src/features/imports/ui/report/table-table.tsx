import type { ImportTable } from '@sluice/contract/import'
import { importTexts } from '~/features/imports/texts/import-texts.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { PlainTable } from './plain-table.tsx'

const ALWAYS = ['rows', 'added'] as const
const SOMETIMES = ['changed', 'unchanged', 'skipped', 'left_out', 'gone'] as const

/** The rows of each table by what becomes of them; columns that would be all zero are left out. */
export function TableTable({ tables }: { tables: readonly ImportTable[] }) {
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
