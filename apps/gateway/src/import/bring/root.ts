import { mq } from '@sluice/ledger/units'
import { findFirstRoot, findUser } from '@sluice/store/queries/accounts/users'
import { isImported } from '@sluice/store/queries/imports/imported'
import { type ImportContext, ImportTrouble, LEDGER_AWAY } from '../import-context.ts'

/** The amount that every new installation gives its root, in mq. */
const START_MQ = 500_000_000_000_000_000n

/** The root of this gateway. As long as nobody has used it, an imported root takes its place. */
export interface RootHere {
  /** 0 if there is no root. */
  readonly id: number
  readonly name: string
  readonly isFresh: (id: number) => boolean
  /** Whether nobody has set its password; the imported one is then used. */
  readonly takesPassword: boolean
}

interface FoundRoot extends RootHere {
  /** What it was given at the start and has not spent, in mq. */
  readonly posted: bigint
}

const NO_ROOT: FoundRoot = { id: 0, name: '', posted: 0n, isFresh: () => false, takesPassword: false }

export async function findRoot({ database, isUnsetPassword }: ImportContext): Promise<FoundRoot> {
  const row = await findFirstRoot(database.kysely)
  const root = row === undefined ? undefined : await findUser(database.kysely, row.id)
  if (row === undefined || root === undefined) return NO_ROOT
  const isUntouched = root.requests === 0 && (root.posted === START_MQ || root.posted === 0n)
  // Once an imported root has taken its place, it belongs to a person, whatever its balance, and the root of another gateway does
  // not replace it.
  const isUnused = isUntouched && !(await isImported(database.kysely, 'user', row.id))
  return {
    id: row.id,
    name: root.username,
    posted: root.posted,
    isFresh: (id) => isUnused && id === row.id,
    takesPassword: isUnused && (await isUnsetPassword(row.passwordHash)),
  }
}

/** Takes back what an unused root was given at the start, because an imported balance replaces it. */
export async function emptyRoot({ ledger, name, actor }: ImportContext, root: FoundRoot): Promise<void> {
  if (root.posted === 0n || !root.isFresh(root.id)) return
  const account = await ledger.openAccount('user', root.id, false)
  const answer =
    account === 'unavailable'
      ? 'unavailable'
      : await ledger.move({
          requestId: `import-${name}-start-${root.id}`,
          kind: 'admin-adjust',
          account,
          mode: 'add',
          amount: mq(-root.posted),
          actor,
          reason: `import of ${name}: the imported balance replaces the initial one`,
        })
  if (answer === 'unavailable') throw new ImportTrouble(LEDGER_AWAY)
}
