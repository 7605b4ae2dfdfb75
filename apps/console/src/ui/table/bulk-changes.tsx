import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { ROW_STATUS, type RowCalls, type SwitchedStatus } from '~/lib/list/row-calls.ts'
import { Button } from '../button.tsx'
import { type Question, useConfirm } from '../confirm.tsx'
import { useToasts } from '../toast/toasts.ts'
import { tableTexts } from './texts/table-texts.ts'

interface BulkChangesProps<Row> {
  /** First part of the rows' query keys. */
  readonly area: string
  readonly calls: RowCalls<Row>
  readonly rows: readonly Row[]
  /** Selected rows that can be enabled and disabled; all rows when absent. */
  readonly switched?: readonly Row[]
  readonly clear: () => void
  readonly texts: { readonly deleteManyTitle: string; readonly deleteManyText: (count: string) => string }
  readonly children?: ReactNode
}

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

interface BulkButtonProps<Row> {
  readonly label: string
  readonly rows: readonly Row[]
  readonly act: (row: Row) => Promise<boolean>
  /** Runs at the end: clears the selection, reloads the list. */
  readonly onDone: () => void
  readonly question?: Omit<Question, 'run' | 'busy'>
}

export function BulkButton<Row>({ label, rows, act, onDone, question }: BulkButtonProps<Row>) {
  const t = useTexts(tableTexts)
  const toasts = useToasts()
  const confirm = useConfirm()
  const [tally, setTally] = useState<Tally>()
  const run = async () => {
    setTally({ done: 0, failed: 0 })
    const { done, failed } = await inTurns(rows, act, setTally)
    setTally(undefined)
    const title = `${label}: ${t.bulkDone(formatCount(done))}`
    if (failed === 0) toasts.show({ tone: 'good', title })
    else toasts.show({ tone: 'bad', title, text: t.bulkFailed(formatCount(failed)) })
    onDone()
  }
  return (
    <Button
      size="small"
      busy={tally !== undefined}
      onClick={() => (question === undefined ? void run() : confirm({ ...question, run }))}
    >
      {label}
      {tally !== undefined && ` ${tally.done + tally.failed} / ${rows.length}`}
    </Button>
  )
}

/** Rows processed at the same time: enough to be quick, few enough to leave the gateway to others. */
const AT_ONCE = 4

export interface Tally {
  readonly done: number
  readonly failed: number
}

/** Processes a few rows at a time, and reports the count after each. A failure (`act` returns false) does not stop the others. */
export async function inTurns<Row>(
  rows: readonly Row[],
  act: (row: Row) => Promise<boolean>,
  onTally: (tally: Tally) => void,
): Promise<Tally> {
  let tally: Tally = { done: 0, failed: 0 }
  const waiting = rows.values()
  const worker = async () => {
    for (const row of waiting) {
      const well = await act(row)
      tally = well ? { ...tally, done: tally.done + 1 } : { ...tally, failed: tally.failed + 1 }
      onTally(tally)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return tally
}
