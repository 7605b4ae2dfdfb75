import type { Engine } from './column-types.ts'

/** How many models of a session are named, in the order of their first answers. */
const SESSION_MODELS_MAX = 8

/** Columns of `usage_session` that sum the `log` columns of the same name. */
const SUMS = [
  'amount',
  'saved',
  'prompt_tokens',
  'completion_tokens',
  'cached_prompt_tokens',
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
  'reasoning_tokens',
] as const

const COLUMNS = ['token_id', 'session', 'user_id', 'token_name', 'client', 'models', 'first_at', 'last_at', 'calls']
const ALL = [...COLUMNS, ...SUMS].join(', ')

/**
 * Adds a charge to its session's row. The latest call provides the names; of two calls that end at the same time, the later row
 * does. The session begins with its earliest call, even if that one is charged after others.
 */
function addTo(models: string): string {
  return `on conflict (token_id, session) do update set ${[
    'token_name = excluded.token_name',
    'client = excluded.client',
    `models = ${models}`,
    'first_at = case when excluded.first_at < usage_session.first_at then excluded.first_at else usage_session.first_at end',
    'last_at = case when excluded.last_at > usage_session.last_at then excluded.last_at else usage_session.last_at end',
    ...['calls', ...SUMS].map((sum) => `${sum} = usage_session.${sum} + excluded.${sum}`),
  ].join(', ')}`
}

/**
 * For rows with a session, triggers keep `usage_session` in step with `log`, like the roll-ups of `rollup-triggers.ts`, in the
 * commit that writes or corrects the charge. Names and times are those of the first write: a late settlement changes only sums.
 */
export function sessionTriggers(engine: Engine): readonly string[] {
  return engine === 'sqlite' ? sqliteTriggers() : postgresTriggers()
}

function sqliteTriggers(): readonly string[] {
  // Model names contain no line breaks, so a line break separates them.
  const names = `(char(10) || usage_session.models || char(10))`
  const has = `instr(${names}, char(10) || excluded.models || char(10)) > 0`
  const count = `length(usage_session.models) - length(replace(usage_session.models, char(10), '')) + 1`
  const models = `case when ${has} or ${count} >= ${SESSION_MODELS_MAX} then usage_session.models
      else usage_session.models || char(10) || excluded.models end`
  return [
    `create trigger session_added after insert on log when new.session <> '' begin
insert into usage_session (${ALL}) values (new.token_id, new.session, new.user_id, new.token_name, new.client, new.model_name,
  new.created_at - new.elapsed_ms / 1000, new.created_at, 1, ${SUMS.map((sum) => `new.${sum}`).join(', ')})
${addTo(models)}; end`,
    `create trigger session_changed after update on log when new.session <> '' begin
update usage_session set ${SUMS.map((sum) => `${sum} = ${sum} + new.${sum} - old.${sum}`).join(', ')}
  where token_id = new.token_id and session = new.session; end`,
  ]
}

/** Once per statement, in key order. */
function postgresTriggers(): readonly string[] {
  const sums = SUMS.map((sum) => `sum(${sum}) as ${sum}`).join(', ')
  const last = (column: string): string => `(array_agg(${column} order by id desc))[1]`
  return [
    // The first distinct names of two concatenated lists.
    `create function session_models(names text) returns text language sql immutable as $$
      select string_agg(name, E'\\n' order by place) from (
        select name, min(place) as place from unnest(string_to_array(names, E'\\n')) with ordinality as listed (name, place)
        group by name order by 2 limit ${SESSION_MODELS_MAX}
      ) as first $$`,
    `create function session_added() returns trigger language plpgsql as $$ begin
      insert into usage_session (${ALL})
      select token_id, session, ${last('user_id')}, ${last('token_name')}, ${last('client')},
        session_models(string_agg(model_name, E'\\n' order by id)), min(created_at - floor(elapsed_ms / 1000)), max(created_at),
        count(*), ${SUMS.map((sum) => `sum(${sum})`).join(', ')}
      from added where session <> '' group by token_id, session order by token_id, session
      ${addTo(`session_models(usage_session.models || E'\\n' || excluded.models)`)};
      return null; end $$`,
    `create trigger session_added after insert on log referencing new table as added for each statement execute function session_added()`,
    `create function session_changed() returns trigger language plpgsql as $$ begin
      update usage_session set ${SUMS.map((sum) => `${sum} = usage_session.${sum} + change.${sum}`).join(', ')}
      from (
        select token_id, session, ${sums} from (
          select token_id, session, ${SUMS.join(', ')} from added where session <> ''
          union all
          select token_id, session, ${SUMS.map((sum) => `-${sum}`).join(', ')} from removed where session <> ''
        ) as changed group by token_id, session
      ) as change
      where usage_session.token_id = change.token_id and usage_session.session = change.session;
      return null; end $$`,
    `create trigger session_changed after update on log referencing old table as removed new table as added
      for each statement execute function session_changed()`,
  ]
}
