import { putOwnKey } from '@sluice/store/queries/accounts/own-keys'
import type { ManagementBench, TestCaller } from '@sluice/testkit/management-bench'
import { addLog, addTrace, addTransfer } from '@sluice/testkit/rows'

/** A kind of object that belongs to one user. */
export interface OwnedObject {
  readonly make: (bench: ManagementBench, owner: TestCaller) => Promise<number>
  /** Its name in paths that do not use its id. */
  readonly name?: (bench: ManagementBench, id: number) => Promise<string>
  readonly read: (bench: ManagementBench, id: number) => Promise<unknown>
  readonly body: object
  /** True if administrators may see everyone's. */
  readonly adminsMayRead: boolean
}

let made = 0

const CHARGED_REQUEST: OwnedObject = {
  make: async ({ database: { kysely }, ledger }, owner) => {
    const requestId = `0199f000000070008000${String(++made).padStart(12, '0')}`
    await addLog(kysely, { created_at: 1_763_000_000, user_id: owner.id, request_id: requestId })
    const debit = await ledger.openAccount('user', owner.id, false)
    if (debit === 'unavailable') throw new Error('the ledger does not answer')
    await addTransfer(kysely, { request_id: requestId, kind: 'consume', debit, at_ms: 1_763_000_000_000 })
    await addTrace(kysely, { request_id: requestId, received_ms: 1_763_000_000_000, user_id: owner.id })
    const row = kysely.selectFrom('log').select('id').where('request_id', '=', requestId)
    return Number((await row.executeTakeFirstOrThrow()).id)
  },
  name: async ({ database }, id) => {
    const row = database.kysely.selectFrom('log').select('request_id').where('id', '=', id)
    return (await row.executeTakeFirstOrThrow()).request_id ?? ''
  },
  read: ({ database }, id) => database.kysely.selectFrom('log').selectAll().where('id', '=', id).execute(),
  body: {},
  adminsMayRead: true,
}

const sessionHash = (id: number): string => String(id).padStart(32, '0').padEnd(64, '0')

/** Keyed by the word in the path that names the kind. */
export const OWNED_OBJECTS: Readonly<Record<string, OwnedObject>> = {
  token: {
    make: async (bench, owner) => {
      const { data } = await bench.ask<{ id: number }>('POST', '/api/token/', { as: owner, body: { name: 'mine' } })
      return data?.id ?? 0
    },
    read: ({ database }, id) => database.kysely.selectFrom('token').selectAll().where('id', '=', id).execute(),
    body: { name: 'taken', status: 2 },
    adminsMayRead: false,
  },
  session: {
    make: async ({ database: { kysely } }, owner) => {
      const id = ++made
      const times = { created_time: 1_700_000_000, expires_time: 1_900_000_000 }
      await kysely
        .insertInto('session')
        .values({ id_hash: sessionHash(id), user_id: owner.id, ...times })
        .execute()
      return id
    },
    name: async (_bench, id) => sessionHash(id).slice(0, 32),
    read: ({ database }, id) =>
      database.kysely.selectFrom('session').selectAll().where('id_hash', '=', sessionHash(id)).execute(),
    body: {},
    adminsMayRead: false,
  },
  trace: CHARGED_REQUEST,
  receipt: CHARGED_REQUEST,
  own_keys: {
    make: async ({ database: { kysely } }, owner) => {
      const fixed = { vendor: 'OpenAI', label: '', fallsBack: false, userId: owner.id }
      return (await putOwnKey(kysely, fixed, { sealed: '', fingerprint: '', createdTime: 0 })) ?? 0
    },
    read: ({ database }, id) => database.kysely.selectFrom('own_key').selectAll().where('id', '=', id).execute(),
    body: {},
    adminsMayRead: false,
  },
  passkey: {
    make: async ({ database: { kysely } }, owner) => {
      const credential_id = `credential-${++made}`
      const texts = { name: 'key', public_key: '', transports: '' }
      const numbers = { user_id: owner.id, sign_count: 0, created_time: 0, used_time: 0 }
      // An owner without another way to sign in cannot remove it.
      await kysely.updateTable('user').set({ password_hash: 'hash' }).where('id', '=', owner.id).execute()
      await kysely
        .insertInto('passkey')
        .values({ credential_id, ...texts, ...numbers })
        .execute()
      const row = kysely.selectFrom('passkey').select('id').where('credential_id', '=', credential_id)
      return (await row.executeTakeFirstOrThrow()).id
    },
    read: ({ database }, id) => database.kysely.selectFrom('passkey').selectAll().where('id', '=', id).execute(),
    body: { credential_name: 'taken' },
    adminsMayRead: false,
  },
}
