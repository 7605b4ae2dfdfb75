import { mq } from '@sluice/ledger/units'
import { findFirstRoot, findUser } from '@sluice/store/queries/accounts/users'
import { isImported } from '@sluice/store/queries/imports/imported'
import { type ImportContext, ImportTrouble, LEDGER_AWAY } from '../import-context.ts'

/** The amount that every new installation gives its root, in mq. */
const START_MQ = 500_000_000_000_000_000n

/** The root of this gateway. An imported root takes its place as long as nobody has used it. */
export interface RootHere {
  /** 0 without a root. */
  readonly id: number
  readonly name: string
  readonly isFresh: (id: number) => boolean
  /** Whether nobody has set its password; then the imported one is used. */
  readonly takesPassword: boolean
}

interface FoundRoot extends RootHere {
  /** The unspent part of its initial amount, in mq. */
  readonly posted: bigint
}

const NO_ROOT: FoundRoot = { id: 0, name: '', posted: 0n, isFresh: () => false, takesPassword: false }

export async function findRoot({ database, isUnsetPassword }: ImportContext): Promise<FoundRoot> {
  const row = await findFirstRoot(database.kysely)
  const root = row === undefined ? undefined : await findUser(database.kysely, row.id)
  if (row === undefined || root === undefined) return NO_ROOT
  const isUntouched = root.requests === 0 && (root.posted === START_MQ || root.posted === 0n)
  // An imported root that has taken its place is a person's, whatever its balance; another gateway's root does not replace it.
  const isUnused = isUntouched && !(await isImported(database.kysely, 'user', row.id))
  return {
    id: row.id,
    name: root.username,
    posted: root.posted,
    isFresh: (id) => isUnused && id === row.id,
    takesPassword: isUnused && (await isUnsetPassword(row.passwordHash)),
  }
}

/** Takes back the initial amount of an unused root, because an imported balance replaces it. */
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
