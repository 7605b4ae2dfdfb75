import type { Engine } from './column-types.ts'

/**
 * Triggers keep the roll-ups in step with their tables, in the commit that changes those, whoever writes a log row or a daily sum
 * (the ledger or management), singly or in a batch. Deleting log rows leaves the roll-ups alone: rows are deleted by age, nothing
 * older than the horizon is ever read, and a deletion of a day's rows also deletes its sums.
 */
export function rollUpTriggers(engine: Engine): readonly string[] {
  return engine === 'sqlite' ? sqliteTriggers() : postgresTriggers()
}

/** Usage from before an import is added to the same sums as charges made here. */
export function importedUsageTriggers(engine: Engine): readonly string[] {
  return engine === 'sqlite' ? sqliteUsageTriggers('imported_usage') : postgresUsageTriggers('imported_usage')
}

interface RollUp {
  readonly table: string
  readonly key: readonly string[]
  readonly sums: readonly string[]
}

const LOG_ROLL_UPS: readonly RollUp[] = [
  { table: 'log_daily', key: ['user_id', 'day', 'token_name', 'channel_id', 'model_name', 'type'] },
  { table: 'log_daily_model', key: ['day', 'model_name', 'channel_id', 'type'] },
  { table: 'log_daily_token', key: ['token_name', 'model_name', 'channel_id', 'day', 'type'] },
].map((rollUp) => ({ ...rollUp, sums: ['entries', 'amount'] }))

const USAGE_SUMS = ['requests', 'prompt_tokens', 'completion_tokens', 'amount']
const USAGE_ROLL_UPS: readonly RollUp[] = [
  { table: 'usage_daily_model', key: ['day', 'model', 'channel_id'], sums: USAGE_SUMS },
  { table: 'usage_daily_token', key: ['user_id', 'token_id', 'day'], sums: USAGE_SUMS },
  { table: 'usage_block_token', key: ['user_id', 'token_id', 'block'], sums: ['amount'] },
]

type UsageTable = 'usage_daily' | 'imported_usage'

export const ROLL_UP_TABLES: readonly string[] = [
  ...[...LOG_ROLL_UPS, ...USAGE_ROLL_UPS].map(({ table }) => table),
  'log_username',
  'log_zone',
]

/** Extremes of a zone, each with its source column in `log`. */
const ZONE_COLUMNS = {
  amount: 'amount',
  prompt: 'prompt_tokens',
  completion: 'completion_tokens',
  elapsed: 'elapsed_ms',
} as const
const EXTREMES = Object.entries(ZONE_COLUMNS).flatMap(([name, column]) => [
  { name: `least_${name}`, sign: '<', aggregate: `min(${column})` },
  { name: `most_${name}`, sign: '>', aggregate: `max(${column})` },
])

const conflictOf = ({ table, key, sums }: RollUp): string =>
  `on conflict (${key.join(', ')}) do update set ${sums.map((sum) => `${sum} = ${table}.${sum} + excluded.${sum}`).join(', ')}`

const ZONE_CONFLICT = `on conflict (zone) do update set ${EXTREMES.map(
  ({ name, sign }) =>
    `${name} = case when excluded.${name} ${sign} log_zone.${name} then excluded.${name} else log_zone.${name} end`,
).join(', ')} where ${EXTREMES.map(({ name, sign }) => `excluded.${name} ${sign} log_zone.${name}`).join(' or ')}`

type ChangedRow = 'new' | 'old'

function sqliteValue(table: string, column: string, row: ChangedRow, sign: '' | '-'): string {
  const ofLog = table.startsWith('log')
  if (column === 'block') return `${row}.day / 32`
  if (column === 'day' && ofLog) return `${row}.created_at / 86400`
  if (column === 'entries') return `${sign}1`
  if (column === 'amount' && ofLog) return `case ${row}.type when 2 then ${sign}${row}.amount else 0 end`
  return `${USAGE_SUMS.includes(column) ? sign : ''}${row}.${column}`
}

function sqliteSums(rollUps: readonly RollUp[], row: ChangedRow, sign: '' | '-'): string {
  return rollUps
    .map((rollUp) => {
      const columns = [...rollUp.key, ...rollUp.sums]
      const values = columns.map((column) => sqliteValue(rollUp.table, column, row, sign))
      return `insert into ${rollUp.table} (${columns.join(', ')}) values (${values.join(', ')}) ${conflictOf(rollUp)};`
    })
    .join('\n')
}

/** SQLite runs these per row, inside the statement that writes it. */
function sqliteTriggers(): readonly string[] {
  const extremes = Object.values(ZONE_COLUMNS).flatMap((column) => [`new.${column}`, `new.${column}`])
  const recomputed = EXTREMES.map(
    ({ name, aggregate }) =>
      `${name} = (select ${aggregate} from log where type = 2 and created_at >= log_zone.zone * 600 and created_at < log_zone.zone * 600 + 600)`,
  )
  return [
    `create trigger log_added after insert on log begin
${sqliteSums(LOG_ROLL_UPS, 'new', '')}
insert into log_username (username, user_id) values (new.username, new.user_id) on conflict do nothing; end`,
    `create trigger log_added_charge after insert on log when new.type = 2 begin
insert into log_zone (zone, ${EXTREMES.map(({ name }) => name).join(', ')})
values (new.created_at / 600, ${extremes.join(', ')}) ${ZONE_CONFLICT}; end`,
    `create trigger log_changed after update on log begin
${sqliteSums(LOG_ROLL_UPS, 'old', '-')}
${sqliteSums(LOG_ROLL_UPS, 'new', '')}
update log_zone set ${recomputed.join(', ')} where new.type = 2 and zone = new.created_at / 600; end`,
    ...sqliteUsageTriggers('usage_daily'),
  ]
}

function sqliteUsageTriggers(table: UsageTable): readonly string[] {
  // A daily sum keeps its key, so one statement adds the difference.
  const addDifference = ({ table: sums, key, sums: columns }: RollUp): string =>
    `update ${sums} set ${columns.map((sum) => `${sum} = ${sum} + new.${sum} - old.${sum}`).join(', ')}
      where ${key.map((column) => `${column} = ${sqliteValue(sums, column, 'new', '')}`).join(' and ')};`
  return [
    `create trigger ${table}_added after insert on ${table} begin
${sqliteSums(USAGE_ROLL_UPS, 'new', '')} end`,
    `create trigger ${table}_changed after update of ${USAGE_SUMS.join(', ')} on ${table} begin
${USAGE_ROLL_UPS.map(addDifference).join('\n')} end`,
  ]
}

/** PostgreSQL runs these once per statement, over all rows it wrote; in key order, so that two replicas seldom deadlock. */
function postgresTriggers(): readonly string[] {
  const logRows = (rows: string, sign: '' | '-'): string =>
    `select user_id, floor(created_at / 86400)::int as day, token_name, channel_id, model_name, type,
      ${sign}1::double precision as entries, case type when 2 then ${sign}amount else 0 end as amount from ${rows}`
  const names = EXTREMES.map(({ name }) => name).join(', ')
  const aggregates = EXTREMES.map(({ aggregate }) => aggregate).join(', ')
  const zones = (rows: string): string => `select distinct floor(created_at / 600)::int from ${rows} where type = 2`
  return [
    ...trigger(
      'log_added',
      'insert on log',
      `${postgresSums(LOG_ROLL_UPS, logRows('added', ''))}
      insert into log_username (username, user_id) select distinct username, user_id from added order by 1, 2 on conflict do nothing;
      insert into log_zone (zone, ${names}) select floor(created_at / 600)::int, ${aggregates} from added where type = 2
        group by 1 order by 1 ${ZONE_CONFLICT};`,
    ),
    ...trigger(
      'log_changed',
      'update on log',
      `${postgresSums(LOG_ROLL_UPS, `${logRows('removed', '-')} union all ${logRows('added', '')}`)}
      update log_zone set (${names}) = (select ${aggregates} from log where type = 2
          and created_at >= log_zone.zone * 600.0 and created_at < log_zone.zone * 600.0 + 600)
        where zone in (${zones('added')});`,
    ),
    ...postgresUsageTriggers('usage_daily'),
  ]
}

function postgresSums(rollUps: readonly RollUp[], changes: string): string {
  return rollUps
    .map((rollUp) => {
      const { table, key, sums } = rollUp
      const totals = sums.map((sum) => `sum(${sum})`).join(', ')
      return `insert into ${table} (${[...key, ...sums].join(', ')}) select ${key.join(', ')}, ${totals} from (${changes}) as change
      group by ${key.join(', ')} order by ${key.join(', ')} ${conflictOf(rollUp)};`
    })
    .join('\n')
}

function postgresUsageTriggers(table: UsageTable): readonly string[] {
  const rowsOf = (rows: string, sign: '' | '-'): string =>
    `select day, day / 32 as block, user_id, token_id, channel_id, model, ${sign}requests as requests, ${sign}prompt_tokens as prompt_tokens,
      ${sign}completion_tokens as completion_tokens, ${sign}amount as amount from ${rows}`
  return [
    ...trigger(`${table}_added`, `insert on ${table}`, postgresSums(USAGE_ROLL_UPS, rowsOf('added', ''))),
    ...trigger(
      `${table}_changed`,
      `update on ${table}`,
      postgresSums(USAGE_ROLL_UPS, `${rowsOf('removed', '-')} union all ${rowsOf('added', '')}`),
    ),
  ]
}

function trigger(name: string, event: string, body: string): readonly string[] {
  const tables = event.startsWith('update') ? 'old table as removed new table as added' : 'new table as added'
  return [
    `create function ${name}() returns trigger language plpgsql as $$ begin
      ${body}
      return null; end $$`,
    `create trigger ${name} after ${event} referencing ${tables} for each statement execute function ${name}()`,
  ]
}
