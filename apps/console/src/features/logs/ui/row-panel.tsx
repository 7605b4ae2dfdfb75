import type { Log } from '@sluice/contract/log'
import { TracePanel } from './trace-panel.tsx'
import { useLogAddress } from './use-log-address.ts'

/** The panel of the row that the address names, with links to its neighbours in the list. */
export function RowPanel({ rows, seesAll }: { rows: readonly Log[]; seesAll: boolean }) {
  const { search, change } = useLogAddress()
  if (search.id === undefined) return null
  const at = rows.findIndex((row) => row.id === search.id)
  const stepTo = (row: Log | undefined) => (row === undefined ? undefined : () => change({ id: row.id }, true))
  return (
    <TracePanel
      id={search.id}
      row={rows[at]}
      seesAll={seesAll}
      onClose={() => change({ id: undefined })}
      onPrevious={stepTo(rows[at - 1])}
      onNext={at < 0 ? undefined : stepTo(rows[at + 1])}
    />
  )
}
