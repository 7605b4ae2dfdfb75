import { openSqliteConnection } from '@sluice/store/sqlite/connection'

export interface SourceSize {
  readonly users: number
  readonly tokens: number
  readonly logs: number
}

const numbers = (n: number): string =>
  `with recursive number (n) as (select 1 union all select n + 1 from number where n < ${n})`

/** The tables of songquanpeng/one-api, as far as an import reads them. */
const TABLES = `
  create table users (id integer primary key, username text unique, password text not null, display_name text,
    role integer default 1, status integer default 1, email text, github_id text, wechat_id text, lark_id text, oidc_id text,
    access_token char(32) unique, quota integer default 0, used_quota integer default 0, request_count integer default 0,
    "group" varchar(32) default 'default', aff_code varchar(32) unique, inviter_id integer);
  create table tokens (id integer primary key, user_id integer, "key" char(48) unique, status integer default 1, name text,
    created_time integer, accessed_time integer, expired_time integer default -1, remain_quota integer default 0,
    unlimited_quota numeric default false, used_quota integer default 0, models text, subnet text default '');
  create table channels (id integer primary key, type integer default 0, "key" text, status integer default 1, name text,
    weight integer default 0, created_time integer, base_url text default '', other text, models text,
    "group" varchar(32) default 'default', used_quota integer default 0, model_mapping text, priority integer default 0,
    config text, system_prompt text);
  create table redemptions (id integer primary key, user_id integer, "key" char(32) unique, status integer default 1, name text,
    quota integer default 100, created_time integer, redeemed_time integer);
  create table options ("key" text primary key, value text);
  create table logs (id integer primary key, user_id integer, created_at integer, type integer, content text,
    username text default '', token_name text default '', model_name text default '', quota integer default 0,
    prompt_tokens integer default 0, completion_tokens integer default 0, channel_id integer, request_id text default '',
    elapsed_time integer default 0, is_stream numeric default false, system_prompt_reset numeric default false);`

/** A bcrypt hash of "password". */
const HASH = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'
const NOW = 1_790_000_000
const DAYS = 400

/** Writes a source of that size with SQL alone: user 1 is root, everybody has tokens and a log. */
export function writeSource(file: string, { users, tokens, logs }: SourceSize): void {
  const source = openSqliteConnection(file)
  try {
    source.exec(`pragma synchronous = off; begin; ${TABLES}
      ${numbers(users)} insert into users
        select n, case n when 1 then 'root' else 'user' || n end, '${HASH}', 'User ' || n, case n when 1 then 100 else 1 end, 1,
          'user' || n || '@example.com', '', '', '', '', substr(hex(randomblob(16)), 1, 32), (n * 7919) % 100000000,
          (n * 104729) % 100000000, n % 1000, case n % 10 when 0 then 'vip' else 'default' end, 'A' || n, n / 2 from number;
      ${numbers(tokens)} insert into tokens
        select n, 1 + n % ${users}, lower(hex(randomblob(24))), 1, 'key ' || n, ${NOW} - n, ${NOW}, -1, (n * 31) % 1000000,
          n % 2, n % 5000, null, '' from number;
      ${numbers(20)} insert into channels
        select n, 1, 'sk-' || n, 1, 'channel ' || n, 0, ${NOW}, '', '', 'gpt-4o,gpt-4o-mini', 'default,vip', 0, '', 0, '', '' from number;
      ${numbers(logs)} insert into logs
        select n, 1 + (n * 7919) % ${users}, cast(${NOW - DAYS * 86_400} + n * ${DAYS * 86_400}.0 / ${logs} as integer), 2, 'ratio 1.25 × 1.00 × 4.00',
          'user' || (1 + (n * 7919) % ${users}), 'key ' || (1 + (n * 7919) % ${users}),
          case n % 3 when 0 then 'gpt-4o' else 'gpt-4o-mini' end, n % 3000, n % 5000, n % 700, 1 + n % 20,
          lower(hex(randomblob(16))), n % 9000, n % 2, 0 from number;
      commit`)
  } finally {
    source.close()
  }
}

export interface PlainCopy {
  readonly table: string
  readonly rows: number
  readonly seconds: number
}

/** Copies the same rows to tables of the same form, with their unique columns, in one statement each: as fast as the engine can. */
export function copyPlainly(source: string, file: string): readonly PlainCopy[] {
  const copy = openSqliteConnection(file)
  try {
    copy.exec(
      `${TABLES} create index log_created on logs (created_at); create index log_user on logs (user_id, created_at);`,
    )
    copy.exec(`attach database '${source.replaceAll("'", "''")}' as source`)
    return ['users', 'tokens', 'logs'].map((table) => {
      const begun = performance.now()
      const { changes } = copy.prepare(`insert into ${table} select * from source.${table}`).run()
      return { table, rows: changes, seconds: (performance.now() - begun) / 1_000 }
    })
  } finally {
    copy.close()
  }
}
