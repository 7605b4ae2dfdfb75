import { useState } from 'react'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '../button.tsx'
import { type Question, useConfirm } from '../confirm.tsx'
import { useToasts } from '../toast/toasts.ts'
import { inTurns, type Tally } from './in-turns.ts'
import { tableTexts } from './texts/table-texts.ts'

interface BulkButtonProps<Row> {
  /** Verb: what is done to every row. */
  readonly label: string
  readonly rows: readonly Row[]
  /** Performs it on one row and returns whether it succeeded; shows no message itself. */
  readonly act: (row: Row) => Promise<boolean>
  /** Runs when all is done: clears the selection, reloads the list. */
  readonly onDone: () => void
  /** Shown before actions that cannot be undone. */
  readonly question?: Omit<Question, 'run' | 'busy'>
}

/** One action on the selected rows: shows its progress and reports at the end how many succeeded. */
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
