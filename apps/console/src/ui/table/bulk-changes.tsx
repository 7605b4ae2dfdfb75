'use no memo' // Rendered only a few times: memo code would cost more than it saves.

import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { ROW_STATUS, type RowCalls, type SwitchedStatus } from '~/lib/list/row-calls.ts'
import { BulkButton } from './bulk-button.tsx'
import { tableTexts } from './texts/table-texts.ts'

interface BulkChangesProps<Row> {
  /** First part of every query key under which these rows are cached. */
  readonly area: string
  readonly calls: RowCalls<Row>
  readonly rows: readonly Row[]
  /** Those of them that can be enabled and disabled; all when absent. */
  readonly switched?: readonly Row[]
  /** Empties the selection. */
  readonly clear: () => void
  /** The list's question before it deletes several rows. */
  readonly texts: { readonly deleteManyTitle: string; readonly deleteManyText: (count: string) => string }
  /** Further buttons of the list, before Delete. */
  readonly children?: ReactNode
}

/** The buttons that every list has for its selected rows: Enable, Disable, Delete. */
export function BulkChanges<Row>(props: BulkChangesProps<Row>) {
  const t = useTexts(tableTexts)
  const cache = useQueryClient()
  const { area, calls, rows, switched = rows, clear, texts } = props
  const onDone = () => {
    clear()
    void cache.invalidateQueries({ queryKey: [area] })
  }
  const set = (status: SwitchedStatus) => async (row: Row) => (await calls.setStatus(row, status)).ok
  return (
    <>
      {switched.length > 0 && (
        <>
          <BulkButton label={t.enable} rows={switched} act={set(ROW_STATUS.on)} onDone={onDone} />
          <BulkButton label={t.disable} rows={switched} act={set(ROW_STATUS.off)} onDone={onDone} />
        </>
      )}
      {props.children}
      <BulkButton
        label={t.delete}
        rows={rows}
        act={async (row) => (await calls.remove(row)).ok}
        onDone={onDone}
        question={{
          title: texts.deleteManyTitle,
          text: texts.deleteManyText(formatCount(rows.length)),
          confirm: t.delete,
          danger: true,
        }}
      />
    </>
  )
}
