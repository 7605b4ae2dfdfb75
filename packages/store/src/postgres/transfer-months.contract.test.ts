import { openEmptyDatabase, postgresEngines, type TestDatabase } from '@sluice/testkit/databases'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from '../migrate.ts'
import { addTransferMonths, monthsAhead } from './transfer-months.ts'

const NOVEMBER = Date.UTC(2026, 10, 21)
const idAt = (ms: number, rest: string) => ms.toString(16).padStart(12, '0') + rest.padStart(20, '0')

describe.each(postgresEngines)('the months of transfers on %s', { tags: 'postgres' }, (engine) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await openEmptyDatabase(engine)
  })
  afterEach(() => database.close())

  const insert = async (...ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      await sql`insert into transfer (request_id, kind, amount, input_tokens, cached_tokens, cache_write_5m_tokens,
          cache_write_1h_tokens, output_tokens, channel_id, model, actor, reason, at_ms)
        values (${id}, 'consume', 1, 0, 0, 0, 0, 0, 1, 'm', 0, '', 0)`.execute(database.kysely)
    }
  }
  /** Where each row is, by its id. */
  const places = async (): Promise<Record<string, string>> => {
    const { rows } = await sql<{ id: string; place: string }>`
      select request_id as id, tableoid::regclass::text as place from transfer order by 1`.execute(database.kysely)
    return Object.fromEntries(rows.map(({ id, place }) => [id, place]))
  }

  it('are added for this month and the next two, once', async () => {
    await migrate(database)
    const months = ['transfer_2026_11', 'transfer_2026_12', 'transfer_2027_01']
    expect(await addTransferMonths(database.kysely, NOVEMBER)).toEqual(months)
    expect(await addTransferMonths(database.kysely, NOVEMBER)).toEqual([])
    expect(await addTransferMonths(database.kysely, Date.UTC(2026, 11, 1))).toEqual(['transfer_2027_02'])
  })

  it('hold the ids of their month; ids of another form and of other months are in transfer_other', async () => {
    await migrate(database)
    await addTransferMonths(database.kysely, NOVEMBER)
    const ids = {
      [idAt(Date.UTC(2026, 10, 1), '0')]: 'transfer_2026_11',
      [idAt(Date.UTC(2026, 11, 1) - 1, 'f'.repeat(20))]: 'transfer_2026_11',
      [idAt(Date.UTC(2026, 11, 1), '0')]: 'transfer_2026_12',
      [idAt(Date.UTC(2027, 5, 1), '0')]: 'transfer_other',
      'redemption-1': 'transfer_other',
      'gift-7': 'transfer_other',
    }
    await insert(...Object.keys(ids))
    expect(await places()).toEqual(ids)
  })

  it('take over what was written while their part was missing', async () => {
    await migrate(database)
    const [early, late] = [idAt(NOVEMBER, '1'), idAt(Date.UTC(2026, 11, 9), '2')]
    await insert(early, late, 'gift-1')
    await addTransferMonths(database.kysely, NOVEMBER)
    expect(await places()).toEqual({
      [early]: 'transfer_2026_11',
      [late]: 'transfer_2026_12',
      'gift-1': 'transfer_other',
    })
    await expect(insert(early)).rejects.toThrow('duplicate key')
  })

  it('are added once by two processes at the same moment', async () => {
    await migrate(database)
    const other = await database.reopen()
    const added = await Promise.all([
      addTransferMonths(database.kysely, NOVEMBER),
      addTransferMonths(other.kysely, NOVEMBER),
    ])
    await other.close()
    expect(added.flat().toSorted()).toEqual(monthsAhead(NOVEMBER).map(({ table }) => table))
  })
})
