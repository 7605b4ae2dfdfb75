import type { MoveAnswer } from '@sluice/ledger/ledger'
import { mq } from '@sluice/ledger/units'
import {
  forgetPending,
  type ImportedKind,
  type ImportedRow,
  listPending,
  noteBrought,
} from '@sluice/store/queries/imports/imported'
import { findUnlimited } from '@sluice/store/queries/imports/imported-rows'
import { type ImportContext, ImportTrouble, LEDGER_AWAY } from '../import-context.ts'

/** Concurrent transfers, which the ledger combines in one commit. */
const AT_ONCE = 500

const NONE: ReadonlySet<number> = new Set()

type Pending = Pick<ImportedRow, 'sourceId' | 'targetId' | 'step' | 'pending'>

/** Makes the transfers recorded with these rows, then records that. The ledger makes each id only once, so runs can be repeated. */
export async function bring(context: ImportContext, kind: ImportedKind, rows: readonly Pending[]): Promise<void> {
  if (kind !== 'user' && kind !== 'token') return
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const some = rows.slice(at, at + AT_ONCE)
    const unlimited = kind === 'token' ? await findUnlimited(context.database.kysely, targetsOf(some)) : NONE
    await Promise.all(some.map((row) => move(context, kind, row, unlimited.has(row.targetId))))
    await noteBrought(
      context.database.kysely,
      context.name,
      kind,
      some.map(({ sourceId }) => sourceId),
    )
  }
}

function targetsOf(rows: readonly Pending[]): readonly number[] {
  return rows.map(({ targetId }) => targetId)
}

export async function bringPending(context: ImportContext): Promise<void> {
  for (const kind of ['user', 'token'] as const) {
    for (;;) {
      const rows = await listPending(context.database.kysely, context.name, kind, AT_ONCE)
      if (rows.length === 0) break
      await bring(context, kind, rows)
    }
  }
}

/** Id of a transfer, which the invariant about imports reads. */
function transferId(name: string, kind: 'user' | 'token', { sourceId, step }: Pending): string {
  return `import-${name}-${kind}-${sourceId}-${step}`
}

async function move(context: ImportContext, kind: 'user' | 'token', row: Pending, unlimited: boolean): Promise<void> {
  const { ledger, name, actor } = context
  const account = await ledger.openAccount(kind, row.targetId, unlimited)
  const answer: MoveAnswer =
    account === 'unavailable'
      ? 'unavailable'
      : await ledger.move({
          requestId: transferId(name, kind, row),
          kind: kind === 'user' ? 'import' : 'limit-set',
          account,
          mode: 'add',
          amount: mq(row.pending ?? 0n),
          actor,
          reason: `import of ${name}`,
        })
  if (answer === 'moved' || answer === 'unchanged') return
  if (answer === 'out_of_range') await forgetPending(context.database.kysely, name, kind, row.sourceId)
  throw new ImportTrouble(
    answer === 'unavailable'
      ? LEDGER_AWAY
      : `The balance of ${kind} ${row.sourceId} would exceed the largest amount that can be recorded.`,
  )
}
