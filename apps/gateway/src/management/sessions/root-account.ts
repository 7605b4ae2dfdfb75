import { ROLE } from '@sluice/contract/capability'
import { USER_STATUS } from '@sluice/contract/user'
import { findSignInUser, type SignInUser } from '@sluice/store/queries/accounts/identities'
import {
  findCredentials,
  findFirstRoot,
  findUser,
  hasNoUsers,
  insertUser,
  replacePasswordHash,
} from '@sluice/store/queries/accounts/users'
import type { SharedPorts } from '../ports.ts'
import { moveQuota } from '../quota-move.ts'
import { createPasswords } from './passwords.ts'

export const ROOT_USERNAME = 'root'
/** The family's default password, known to anyone who looks for such gateways. */
export const DEFAULT_ROOT_PASSWORD = '123456'
/** The family's default quota: 1,000 million currency units. */
const ROOT_QUOTA = 500_000_000_000_000
/** Root is funded once in the life of a database: the ledger accepts this transfer id only once. */
const ROOT_FUND_ID = '00000000000070008000000000000001'

export interface RootAccount {
  readonly created: boolean
  /** `well-known`: the start should warn. `none`: root can sign in only with a sign-in link, a passkey or a provider. */
  readonly password: 'well-known' | 'none' | 'own'
}

/** Root's first sign-in: with the well-known password, or with a link printed at start. */
export type FirstSignIn = 'password' | 'link'

/**
 * Creates root in a database without users, with `rootPassword`, or if that is empty with the well-known one or none, and finishes
 * the work of an interrupted start. A root without a password gets `rootPassword` at any start. Safe at every start and from
 * several replicas at once. Rejects when the ledger does not answer: without it the gateway cannot start.
 */
export async function ensureRoot(
  deps: Pick<SharedPorts, 'database' | 'ledger' | 'now' | 'randomBytes'>,
  rootPassword: string,
  firstSignIn: FirstSignIn = 'password',
): Promise<RootAccount> {
  const db = deps.database.kysely
  const passwords = createPasswords(deps.randomBytes)
  const created = (await hasNoUsers(db)) && (await createRoot())
  const root = await findCredentials(db, ROOT_USERNAME)
  if (root !== undefined) await fund(root.id)
  return { created, password: await passwordKind(root?.passwordHash) }

  async function passwordKind(hash: string | undefined): Promise<RootAccount['password']> {
    const open = await rootWithoutPassword(db)
    if (open !== undefined && rootPassword === '') return 'none'
    if (open !== undefined) await replacePasswordHash(db, open.id, '', await hashOf(rootPassword))
    return hash !== undefined && (await passwords.verify(DEFAULT_ROOT_PASSWORD, hash)) === true ? 'well-known' : 'own'
  }

  async function hashOf(password: string): Promise<string> {
    const hashed = await passwords.hash(password)
    if (hashed === 'busy') throw new Error('nothing else can be hashing passwords at the start')
    return hashed.hash
  }

  async function createRoot(): Promise<boolean> {
    const first = rootPassword === '' && firstSignIn === 'password' ? DEFAULT_ROOT_PASSWORD : rootPassword
    const inserted = await insertUser(db, {
      username: ROOT_USERNAME,
      passwordHash: first === '' ? '' : await hashOf(first),
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

/** The first root, if they can sign in and have never set a password. */
export async function rootWithoutPassword(db: SharedPorts['database']['kysely']): Promise<SignInUser | undefined> {
  const first = await findFirstRoot(db)
  const user = first?.passwordHash === '' ? await findSignInUser(db, first.id) : undefined
  return user?.status === USER_STATUS.enabled ? user : undefined
}
