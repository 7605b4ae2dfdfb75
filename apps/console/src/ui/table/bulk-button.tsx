import { useState } from 'react'
import { formatCount } from '../../lib/format/quota.ts'
import { useTexts } from '../../lib/i18n/i18n.ts'
import { Button } from '../button.tsx'
import { type Question, useConfirm } from '../confirm.tsx'
import { useToasts } from '../toast/toasts.ts'
import { inTurns, type Tally } from './in-turns.ts'
import { tableTexts } from './texts/table-texts.ts'

interface BulkButtonProps<Row> {
  /** Verb: what is done to every row. */
  readonly label: string
  readonly rows: readonly Row[]
  /** Does it to one row and answers whether it went well; says nothing itself. */
  readonly act: (row: Row) => Promise<boolean>
  /** Runs when all is done: clear the selection, load the list anew. */
  readonly onDone: () => void
  /** Asked before, for what cannot be taken back. */
  readonly question?: Omit<Question, 'run' | 'busy'>
}

/** One action over the selected rows: shows how far it is and says in the end how many went well. */
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
