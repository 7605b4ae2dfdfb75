import { ROLE } from '@sluice/contract/capability'
import { findCredentials, findUser, hasNoUsers, insertUser } from '@sluice/store/queries/accounts/users'
import type { SharedPorts } from '../ports.ts'
import { moveQuota } from '../quota-move.ts'
import { createPasswords } from './passwords.ts'

const ROOT_USERNAME = 'root'
/** The family's, well known to anyone who looks for such gateways. */
export const DEFAULT_ROOT_PASSWORD = '123456'
/** The family's as well: 1,000 million currency units. */
const ROOT_QUOTA = 500_000_000_000_000
/** Root is funded once in the life of a database: this id can move money only once. */
const ROOT_FUND_ID = '00000000000070008000000000000001'

export interface RootAccount {
  /** True when the database had no users and root has been created. */
  readonly created: boolean
  /** True while root has the well-known password: the start should warn. */
  readonly hasDefaultPassword: boolean
}

/**
 * Creates root in a database without users, with `rootPassword` or, when that is empty, the well-known one, and finishes what an
 * interrupted start left undone. Safe to call at every start and from several replicas at once. Rejects when the ledger does not
 * answer: without it the gateway cannot start.
 */
export async function ensureRoot(
  deps: Pick<SharedPorts, 'database' | 'ledger' | 'now' | 'randomBytes'>,
  rootPassword: string,
): Promise<RootAccount> {
  const db = deps.database.kysely
  const passwords = createPasswords(deps.randomBytes)
  const created = (await hasNoUsers(db)) && (await createRoot())
  const root = await findCredentials(db, ROOT_USERNAME)
  if (root === undefined) return { created, hasDefaultPassword: false }
  await fund(root.id)
  return { created, hasDefaultPassword: (await passwords.verify(DEFAULT_ROOT_PASSWORD, root.passwordHash)) === true }

  async function createRoot(): Promise<boolean> {
    const hashed = await passwords.hash(rootPassword === '' ? DEFAULT_ROOT_PASSWORD : rootPassword)
    if (hashed === 'busy') throw new Error('nothing else can be hashing passwords at the start')
    const inserted = await insertUser(db, {
      username: ROOT_USERNAME,
      passwordHash: hashed.hash,
      displayName: 'Root User',
      role: ROLE.root,
      email: '',
      group: 'default',
      createdTime: Math.floor(deps.now() / 1_000),
    })
    return inserted !== 'name_taken'
  }

  async function fund(id: number): Promise<void> {
    const user = await findUser(db, id)
    if (user === undefined || user.posted !== 0n || user.requests > 0) return
    const refusal = await moveQuota(
      deps.ledger,
      { kind: 'user', id, unlimited: false },
      { requestId: ROOT_FUND_ID, kind: 'fund', mode: 'add', quota: ROOT_QUOTA, actor: 0, reason: 'root' },
    )
    if (refusal !== undefined) throw new Error(`root cannot be funded: ${refusal.code}`)
  }
}
