CREATE TABLE account (
  id integer primary key autoincrement,
  kind text not null,
  owner_id integer not null,
  posted int8 not null default 0,
  held int8 not null default 0 check (held >= 0),
  spent int8 not null default 0,
  requests integer not null default 0,
  credit_floor int8 not null default 0,
  unlimited integer not null default 0,
  last_ms integer not null default 0,
  budgeted integer not null default 0,
  reminded integer not null default 0
);

CREATE UNIQUE INDEX account_owner on account (kind, owner_id);

CREATE TABLE account_checkpoint (
  check_id integer not null,
  account integer not null,
  posted int8 not null,
  spent int8 not null,
  requests integer not null,
  primary key (check_id, account)
) without rowid;

CREATE TABLE alarm (
  id integer primary key autoincrement,
  kind text not null,
  subject text not null,
  channel_id integer not null default 0,
  first_seen_ms integer not null,
  last_seen_ms integer not null,
  occurrences integer not null,
  dismissed_ms integer not null default 0,
  unique (kind, subject, channel_id)
);

CREATE INDEX alarm_by_last_seen on alarm (last_seen_ms);

CREATE TABLE applied_migration (name text primary key);

CREATE TABLE audit (
  seq integer primary key,
  call_id text not null,
  begun_ms integer not null,
  actor_id integer not null,
  actor_name text not null,
  actor_role integer not null,
  address text not null,
  action text not null,
  outcome text not null,
  target_kind text not null,
  target_id text not null,
  before_values text not null,
  after_values text not null,
  previous_hash text not null,
  hash text not null
);

CREATE INDEX audit_by_action on audit (action, seq);

CREATE INDEX audit_by_actor on audit (actor_name, seq);

CREATE INDEX audit_by_target on audit (target_kind, target_id, seq);

CREATE INDEX audit_by_time on audit (begun_ms);

CREATE TABLE audit_call (
  call_id text primary key,
  begun_ms integer not null,
  entry text not null
);

CREATE TABLE audit_head (name text primary key, head_sealed text not null);

CREATE TABLE background_response (
  id text primary key,
  user_id integer not null,
  status text not null,
  response_sealed text not null,
  bytes integer not null,
  provider_id text not null default '',
  alive_ms integer not null,
  expires_ms integer not null
);

CREATE INDEX background_response_by_time on background_response (expires_ms);

CREATE INDEX background_response_by_user on background_response (user_id, expires_ms, bytes);

CREATE TABLE budget (
  account integer not null references account (id),
  period text not null,
  amount int8 not null check (amount >= 0),
  window_start_ms integer not null,
  spent int8 not null,
  primary key (account, period)
);

CREATE TABLE ceremony (
  owner text not null,
  action text not null,
  content text not null,
  expires_time integer not null,
  primary key (owner, action)
);

CREATE INDEX ceremony_by_expiry on ceremony (expires_time);

CREATE TABLE channel (
  id integer primary key autoincrement,
  name text not null,
  type integer not null,
  key_sealed text not null,
  base_url text not null,
  other text not null,
  models text not null,
  model_mapping text,
  model_configs text,
  system_prompt text,
  group_names text not null,
  priority integer not null,
  weight integer not null,
  ratelimit integer not null,
  status integer not null,
  response_time integer not null,
  test_time integer not null,
  testing_model text,
  created_time integer not null,
  inference_profile_arn_map text,
  config text not null,
  recent_tests text not null default '',
  balance_micros integer not null default 0,
  balance_currency text not null default '',
  balance_time integer not null default 0,
  key_count integer not null default 0,
  disabled_reason text not null default '',
  disabled_ms integer not null default 0,
  disabled_times integer not null default 0
);

CREATE TABLE channel_history (
  channel_id integer not null,
  span_s integer not null,
  start_s integer not null,
  answered integer not null,
  failed integer not null,
  primary key (channel_id, span_s, start_s)
) without rowid;

CREATE INDEX channel_history_age on channel_history (span_s, start_s);

CREATE TABLE channel_key (
  channel_id integer not null,
  fingerprint text not null,
  status integer not null,
  reason text not null default '',
  since_ms integer not null,
  primary key (channel_id, fingerprint)
);

CREATE TABLE channel_minute (
  channel_id integer not null,
  minute integer not null,
  calls integer not null,
  failed integer not null,
  caller integer not null,
  primary key (channel_id, minute)
) without rowid;

CREATE TABLE channel_minute_failure (
  channel_id integer not null,
  minute integer not null,
  user_id integer not null,
  failed integer not null,
  primary key (channel_id, minute, user_id)
) without rowid;

CREATE TABLE channel_rest (
  replica text not null,
  number integer not null,
  channel_id integer not null,
  key text not null,
  model text not null,
  cause text not null,
  at_ms integer not null,
  until_ms integer not null,
  primary key (replica, number)
);

CREATE INDEX channel_rest_by_time on channel_rest (at_ms);

CREATE TABLE configuration_item (
  kind text not null,
  name text not null,
  owner text not null,
  channel_id integer not null,
  states_status integer not null,
  digest text not null,
  primary key (kind, name)
);

CREATE INDEX configuration_item_by_channel on configuration_item (channel_id);

CREATE TABLE configuration_owner (
  owner text primary key,
  revision integer not null,
  digest text not null,
  applied_ms integer not null
);

CREATE TABLE database_move (
  id text primary key,
  from_id text not null default '',
  from_name text not null default '',
  arrived_ms integer not null default 0,
  to_id text not null default '',
  to_name text not null default '',
  left_ms integer not null default 0
);

CREATE TABLE doctor_call (value_hash text primary key, expires_ms integer not null);

CREATE TABLE email_code (
  email text primary key,
  code_sealed text not null,
  attempts_left integer not null,
  expires_time integer not null
);

CREATE INDEX email_code_by_expiry on email_code (expires_time);

CREATE TABLE gift_receiver (digest text primary key);

CREATE TABLE hold (
  request_id text primary key,
  account integer not null references account (id),
  limit_account integer not null references account (id),
  amount int8 not null check (amount >= 0),
  progress text,
  replica text not null,
  opened_ms integer not null,
  touched_ms integer not null
) without rowid;

CREATE TABLE identity (
  provider text not null,
  issuer text not null,
  subject text not null,
  user_id integer not null references "user" (id),
  label text not null,
  created_time integer not null,
  primary key (provider, issuer, subject)
);

CREATE UNIQUE INDEX identity_by_user on identity (user_id, provider);

CREATE TABLE import_position (
  source text primary key,
  sums_to integer not null default 0,
  requests integer not null default 0,
  amount int8 not null default 0,
  rows_to integer not null default 0
);

CREATE TABLE import_run (
  id integer primary key autoincrement,
  source text not null,
  label text not null,
  family text not null,
  mode text not null,
  epoch integer not null,
  started_by integer not null,
  begun_ms integer not null,
  ended_ms integer not null default 0,
  outcome text not null,
  stop_asked integer not null default 0,
  stage text not null default '',
  done integer not null default 0,
  total integer not null default 0,
  report text not null default ''
);

CREATE TABLE imported (
  source text not null,
  kind text not null,
  source_id integer not null,
  target_id integer not null,
  mark text not null,
  digest text not null,
  brought int8 not null default 0,
  step integer not null default 0,
  pending int8,
  used int8 not null default 0,
  requests integer not null default 0, fields text not null default '',
  primary key (source, kind, source_id)
);

CREATE INDEX imported_by_target on imported (kind, target_id, source);

CREATE INDEX imported_pending on imported (source) where pending is not null;

CREATE TABLE imported_usage (
  user_id integer not null,
  day integer not null,
  token_id integer not null,
  channel_id integer not null,
  model text not null,
  requests integer not null,
  prompt_tokens integer not null,
  completion_tokens integer not null,
  amount int8 not null,
  primary key (user_id, day, token_id, channel_id, model)
);

CREATE TRIGGER imported_usage_added after insert on imported_usage begin
insert into usage_daily_model (day, model, channel_id, requests, prompt_tokens, completion_tokens, amount) values (new.day, new.model, new.channel_id, new.requests, new.prompt_tokens, new.completion_tokens, new.amount) on conflict (day, model, channel_id) do update set requests = usage_daily_model.requests + excluded.requests, prompt_tokens = usage_daily_model.prompt_tokens + excluded.prompt_tokens, completion_tokens = usage_daily_model.completion_tokens + excluded.completion_tokens, amount = usage_daily_model.amount + excluded.amount;
insert into usage_daily_token (user_id, token_id, day, requests, prompt_tokens, completion_tokens, amount) values (new.user_id, new.token_id, new.day, new.requests, new.prompt_tokens, new.completion_tokens, new.amount) on conflict (user_id, token_id, day) do update set requests = usage_daily_token.requests + excluded.requests, prompt_tokens = usage_daily_token.prompt_tokens + excluded.prompt_tokens, completion_tokens = usage_daily_token.completion_tokens + excluded.completion_tokens, amount = usage_daily_token.amount + excluded.amount;
insert into usage_block_token (user_id, token_id, block, amount) values (new.user_id, new.token_id, new.day / 32, new.amount) on conflict (user_id, token_id, block) do update set amount = usage_block_token.amount + excluded.amount; end;

CREATE TRIGGER imported_usage_changed after update of requests, prompt_tokens, completion_tokens, amount on imported_usage begin
update usage_daily_model set requests = requests + new.requests - old.requests, prompt_tokens = prompt_tokens + new.prompt_tokens - old.prompt_tokens, completion_tokens = completion_tokens + new.completion_tokens - old.completion_tokens, amount = amount + new.amount - old.amount
  where day = new.day and model = new.model and channel_id = new.channel_id;
update usage_daily_token set requests = requests + new.requests - old.requests, prompt_tokens = prompt_tokens + new.prompt_tokens - old.prompt_tokens, completion_tokens = completion_tokens + new.completion_tokens - old.completion_tokens, amount = amount + new.amount - old.amount
  where user_id = new.user_id and token_id = new.token_id and day = new.day;
update usage_block_token set amount = amount + new.amount - old.amount
  where user_id = new.user_id and token_id = new.token_id and block = new.day / 32; end;

CREATE TABLE job_run (
  id integer primary key autoincrement,
  job text not null,
  scope text not null,
  started_by integer not null,
  epoch integer not null,
  begun_ms integer not null,
  ended_ms integer not null default 0,
  outcome text not null,
  stop_asked integer not null default 0,
  total integer not null default 0,
  done integer not null default 0,
  failed integer not null default 0,
  disabled integer not null default 0,
  enabled integer not null default 0,
  failures text not null default '[]'
);

CREATE INDEX job_run_by_job on job_run (job, id);

CREATE TABLE kept_response (
  id text primary key,
  user_id integer not null,
  channel_id integer not null,
  model text not null,
  kept_ms integer not null,
  key_fingerprint text not null default ''
) without rowid;

CREATE INDEX kept_response_by_time on kept_response (kept_ms);

CREATE TABLE lease (
  job text primary key,
  owner text not null,
  epoch integer not null,
  until_ms integer not null
) without rowid;

CREATE TABLE ledger_check (
  id integer primary key autoincrement,
  mode text not null,
  started_by integer not null,
  epoch integer not null,
  begun_ms integer not null,
  ended_ms integer not null default 0,
  outcome text not null,
  since_id text not null,
  bound text not null default ''
);

CREATE TABLE ledger_check_result (
  check_id integer not null references ledger_check (id) on delete cascade,
  invariant text not null,
  place integer not null,
  statement text not null,
  checked integer not null,
  elapsed_ms integer not null,
  recounted integer not null,
  first_wrong text,
  primary key (check_id, invariant)
) without rowid;

CREATE TABLE ledger_event (
  id integer primary key autoincrement,
  kind text not null,
  account integer not null,
  subject text not null,
  amount int8 not null
);

CREATE TABLE log (
  id integer primary key autoincrement,
  created_at integer not null,
  type integer not null,
  user_id integer not null,
  username text not null,
  token_id integer not null,
  token_name text not null,
  model_name text not null,
  origin_model_name text not null,
  channel_id integer not null,
  channel_name text not null,
  amount int8 not null,
  prompt_tokens integer not null,
  completion_tokens integer not null,
  cached_prompt_tokens integer not null,
  cache_write_5m_tokens integer not null,
  cache_write_1h_tokens integer not null,
  reasoning_tokens integer not null,
  request_id text,
  elapsed_ms integer not null,
  is_stream integer not null,
  estimated integer not null,
  ended text not null,
  content text not null,
  units text,
  session text not null default '',
  client text not null default '',
  saved int8 not null default 0
);

CREATE TRIGGER log_added after insert on log begin
insert into log_daily (user_id, day, token_name, channel_id, model_name, type, entries, amount) values (new.user_id, new.created_at / 86400, new.token_name, new.channel_id, new.model_name, new.type, 1, case new.type when 2 then new.amount else 0 end) on conflict (user_id, day, token_name, channel_id, model_name, type) do update set entries = log_daily.entries + excluded.entries, amount = log_daily.amount + excluded.amount;
insert into log_daily_model (day, model_name, channel_id, type, entries, amount) values (new.created_at / 86400, new.model_name, new.channel_id, new.type, 1, case new.type when 2 then new.amount else 0 end) on conflict (day, model_name, channel_id, type) do update set entries = log_daily_model.entries + excluded.entries, amount = log_daily_model.amount + excluded.amount;
insert into log_daily_token (token_name, model_name, channel_id, day, type, entries, amount) values (new.token_name, new.model_name, new.channel_id, new.created_at / 86400, new.type, 1, case new.type when 2 then new.amount else 0 end) on conflict (token_name, model_name, channel_id, day, type) do update set entries = log_daily_token.entries + excluded.entries, amount = log_daily_token.amount + excluded.amount;
insert into log_username (username, user_id) values (new.username, new.user_id) on conflict do nothing; end;

CREATE TRIGGER log_added_charge after insert on log when new.type = 2 begin
insert into log_zone (zone, least_amount, most_amount, least_prompt, most_prompt, least_completion, most_completion, least_elapsed, most_elapsed)
values (new.created_at / 600, new.amount, new.amount, new.prompt_tokens, new.prompt_tokens, new.completion_tokens, new.completion_tokens, new.elapsed_ms, new.elapsed_ms) on conflict (zone) do update set least_amount = case when excluded.least_amount < log_zone.least_amount then excluded.least_amount else log_zone.least_amount end, most_amount = case when excluded.most_amount > log_zone.most_amount then excluded.most_amount else log_zone.most_amount end, least_prompt = case when excluded.least_prompt < log_zone.least_prompt then excluded.least_prompt else log_zone.least_prompt end, most_prompt = case when excluded.most_prompt > log_zone.most_prompt then excluded.most_prompt else log_zone.most_prompt end, least_completion = case when excluded.least_completion < log_zone.least_completion then excluded.least_completion else log_zone.least_completion end, most_completion = case when excluded.most_completion > log_zone.most_completion then excluded.most_completion else log_zone.most_completion end, least_elapsed = case when excluded.least_elapsed < log_zone.least_elapsed then excluded.least_elapsed else log_zone.least_elapsed end, most_elapsed = case when excluded.most_elapsed > log_zone.most_elapsed then excluded.most_elapsed else log_zone.most_elapsed end where excluded.least_amount < log_zone.least_amount or excluded.most_amount > log_zone.most_amount or excluded.least_prompt < log_zone.least_prompt or excluded.most_prompt > log_zone.most_prompt or excluded.least_completion < log_zone.least_completion or excluded.most_completion > log_zone.most_completion or excluded.least_elapsed < log_zone.least_elapsed or excluded.most_elapsed > log_zone.most_elapsed; end;

CREATE TRIGGER log_changed after update on log begin
insert into log_daily (user_id, day, token_name, channel_id, model_name, type, entries, amount) values (old.user_id, old.created_at / 86400, old.token_name, old.channel_id, old.model_name, old.type, -1, case old.type when 2 then -old.amount else 0 end) on conflict (user_id, day, token_name, channel_id, model_name, type) do update set entries = log_daily.entries + excluded.entries, amount = log_daily.amount + excluded.amount;
insert into log_daily_model (day, model_name, channel_id, type, entries, amount) values (old.created_at / 86400, old.model_name, old.channel_id, old.type, -1, case old.type when 2 then -old.amount else 0 end) on conflict (day, model_name, channel_id, type) do update set entries = log_daily_model.entries + excluded.entries, amount = log_daily_model.amount + excluded.amount;
insert into log_daily_token (token_name, model_name, channel_id, day, type, entries, amount) values (old.token_name, old.model_name, old.channel_id, old.created_at / 86400, old.type, -1, case old.type when 2 then -old.amount else 0 end) on conflict (token_name, model_name, channel_id, day, type) do update set entries = log_daily_token.entries + excluded.entries, amount = log_daily_token.amount + excluded.amount;
insert into log_daily (user_id, day, token_name, channel_id, model_name, type, entries, amount) values (new.user_id, new.created_at / 86400, new.token_name, new.channel_id, new.model_name, new.type, 1, case new.type when 2 then new.amount else 0 end) on conflict (user_id, day, token_name, channel_id, model_name, type) do update set entries = log_daily.entries + excluded.entries, amount = log_daily.amount + excluded.amount;
insert into log_daily_model (day, model_name, channel_id, type, entries, amount) values (new.created_at / 86400, new.model_name, new.channel_id, new.type, 1, case new.type when 2 then new.amount else 0 end) on conflict (day, model_name, channel_id, type) do update set entries = log_daily_model.entries + excluded.entries, amount = log_daily_model.amount + excluded.amount;
insert into log_daily_token (token_name, model_name, channel_id, day, type, entries, amount) values (new.token_name, new.model_name, new.channel_id, new.created_at / 86400, new.type, 1, case new.type when 2 then new.amount else 0 end) on conflict (token_name, model_name, channel_id, day, type) do update set entries = log_daily_token.entries + excluded.entries, amount = log_daily_token.amount + excluded.amount;
update log_zone set least_amount = (select min(amount) from log where type = 2 and created_at >= log_zone.zone * 600 and created_at < log_zone.zone * 600 + 600), most_amount = (select max(amount) from log where type = 2 and created_at >= log_zone.zone * 600 and created_at < log_zone.zone * 600 + 600), least_prompt = (select min(prompt_tokens) from log where type = 2 and created_at >= log_zone.zone * 600 and created_at < log_zone.zone * 600 + 600), most_prompt = (select max(prompt_tokens) from log where type = 2 and created_at >= log_zone.zone * 600 and created_at < log_zone.zone * 600 + 600), least_completion = (select min(completion_tokens) from log where type = 2 and created_at >= log_zone.zone * 600 and created_at < log_zone.zone * 600 + 600), most_completion = (select max(completion_tokens) from log where type = 2 and created_at >= log_zone.zone * 600 and created_at < log_zone.zone * 600 + 600), least_elapsed = (select min(elapsed_ms) from log where type = 2 and created_at >= log_zone.zone * 600 and created_at < log_zone.zone * 600 + 600), most_elapsed = (select max(elapsed_ms) from log where type = 2 and created_at >= log_zone.zone * 600 and created_at < log_zone.zone * 600 + 600) where new.type = 2 and zone = new.created_at / 600; end;

CREATE TRIGGER session_added after insert on log when new.session <> '' begin
insert into usage_session (token_id, session, user_id, token_name, client, models, first_at, last_at, calls, amount, saved, prompt_tokens, completion_tokens, cached_prompt_tokens, cache_write_5m_tokens, cache_write_1h_tokens, reasoning_tokens) values (new.token_id, new.session, new.user_id, new.token_name, new.client, new.model_name,
  new.created_at - new.elapsed_ms / 1000, new.created_at, 1, new.amount, new.saved, new.prompt_tokens, new.completion_tokens, new.cached_prompt_tokens, new.cache_write_5m_tokens, new.cache_write_1h_tokens, new.reasoning_tokens)
on conflict (token_id, session) do update set token_name = excluded.token_name, client = excluded.client, models = case when instr((char(10) || usage_session.models || char(10)), char(10) || excluded.models || char(10)) > 0 or length(usage_session.models) - length(replace(usage_session.models, char(10), '')) + 1 >= 8 then usage_session.models
  else usage_session.models || char(10) || excluded.models end, first_at = case when excluded.first_at < usage_session.first_at then excluded.first_at else usage_session.first_at end, last_at = case when excluded.last_at > usage_session.last_at then excluded.last_at else usage_session.last_at end, calls = usage_session.calls + excluded.calls, amount = usage_session.amount + excluded.amount, saved = usage_session.saved + excluded.saved, prompt_tokens = usage_session.prompt_tokens + excluded.prompt_tokens, completion_tokens = usage_session.completion_tokens + excluded.completion_tokens, cached_prompt_tokens = usage_session.cached_prompt_tokens + excluded.cached_prompt_tokens, cache_write_5m_tokens = usage_session.cache_write_5m_tokens + excluded.cache_write_5m_tokens, cache_write_1h_tokens = usage_session.cache_write_1h_tokens + excluded.cache_write_1h_tokens, reasoning_tokens = usage_session.reasoning_tokens + excluded.reasoning_tokens; end;

CREATE TRIGGER session_changed after update on log when new.session <> '' begin
update usage_session set amount = amount + new.amount - old.amount, saved = saved + new.saved - old.saved, prompt_tokens = prompt_tokens + new.prompt_tokens - old.prompt_tokens, completion_tokens = completion_tokens + new.completion_tokens - old.completion_tokens, cached_prompt_tokens = cached_prompt_tokens + new.cached_prompt_tokens - old.cached_prompt_tokens, cache_write_5m_tokens = cache_write_5m_tokens + new.cache_write_5m_tokens - old.cache_write_5m_tokens, cache_write_1h_tokens = cache_write_1h_tokens + new.cache_write_1h_tokens - old.cache_write_1h_tokens, reasoning_tokens = reasoning_tokens + new.reasoning_tokens - old.reasoning_tokens
  where token_id = new.token_id and session = new.session; end;

CREATE INDEX log_plain on log (created_at, type, amount, prompt_tokens, completion_tokens, elapsed_ms, user_id)
  where type <> 2;

CREATE INDEX log_series on log
  (user_id, token_name, channel_id, model_name, type, created_at, amount, prompt_tokens, completion_tokens, elapsed_ms);

CREATE INDEX log_session on log (session, created_at, type, amount) where session <> '';

CREATE INDEX log_time on log (created_at, type, amount, prompt_tokens, completion_tokens, elapsed_ms);

CREATE TABLE log_daily (
  user_id integer not null,
  day integer not null,
  token_name text not null,
  channel_id integer not null,
  model_name text not null,
  type integer not null,
  entries integer not null,
  amount int8 not null,
  primary key (user_id, day, token_name, channel_id, model_name, type)
) without rowid;

CREATE INDEX log_daily_day on log_daily (day, model_name, channel_id, token_name, type, user_id);

CREATE TABLE log_daily_model (
  day integer not null,
  model_name text not null,
  channel_id integer not null,
  type integer not null,
  entries integer not null,
  amount int8 not null,
  primary key (day, model_name, channel_id, type)
) without rowid;

CREATE TABLE log_daily_token (
  token_name text not null,
  model_name text not null,
  channel_id integer not null,
  day integer not null,
  type integer not null,
  entries integer not null,
  amount int8 not null,
  primary key (token_name, model_name, channel_id, day, type)
) without rowid;

CREATE INDEX log_daily_token_day on log_daily_token (day);

CREATE TABLE log_username (
  username text not null,
  user_id integer not null,
  primary key (username, user_id)
) without rowid;

CREATE TABLE log_zone (
  zone integer primary key,
  least_amount int8 not null,
  most_amount int8 not null,
  least_prompt integer not null,
  most_prompt integer not null,
  least_completion integer not null,
  most_completion integer not null,
  least_elapsed integer not null,
  most_elapsed integer not null
);

CREATE TABLE oauth_state (
  state_hash text primary key,
  browser_hash text not null,
  provider text not null,
  user_id integer not null,
  aff_code text not null,
  expires_ms integer not null
);

CREATE INDEX oauth_state_by_expiry on oauth_state (expires_ms);

CREATE TABLE "option" ("key" text primary key, value text not null);

CREATE TABLE outbox (
  id integer primary key autoincrement,
  kind text not null,
  recipient text not null,
  content_sealed text not null,
  state text not null,
  attempts integer not null,
  due_ms integer not null,
  expires_ms integer not null,
  lease text not null,
  problem text not null,
  created_ms integer not null,
  done_ms integer not null
);

CREATE INDEX outbox_due on outbox (state, due_ms);

CREATE TABLE own_key (
  id integer primary key autoincrement,
  user_id integer not null,
  vendor text not null,
  label text not null,
  key_sealed text not null,
  fingerprint text not null,
  falls_back integer not null,
  created_time integer not null
);

CREATE UNIQUE INDEX own_key_by_user on own_key (user_id, vendor);

CREATE TABLE passkey (
  id integer primary key autoincrement,
  user_id integer not null references "user" (id) on delete cascade,
  name text not null,
  credential_id text not null,
  public_key text not null,
  sign_count integer not null,
  transports text not null,
  created_time integer not null,
  used_time integer not null
);

CREATE UNIQUE INDEX passkey_by_credential on passkey (credential_id);

CREATE INDEX passkey_by_user on passkey (user_id, id);

CREATE TABLE password_reset (
  user_id integer primary key references "user" (id) on delete cascade,
  token_hash text not null,
  expires_time integer not null
);

CREATE UNIQUE INDEX password_reset_by_token on password_reset (token_hash);

CREATE TABLE pending_gift (
  request_id text primary key,
  kind text not null,
  user_id integer not null,
  username text not null,
  quota integer not null,
  content text not null,
  awaits_user integer not null default 0
);

CREATE INDEX pending_gift_by_awaited on pending_gift (awaits_user);

CREATE TABLE price (
  id integer primary key autoincrement,
  content text not null,
  input int8 not null,
  cached_input int8 not null,
  cache_write_5m int8 not null,
  cache_write_1h int8 not null,
  output int8 not null,
  group_ratio int8 not null,
  source text not null,
  units text
);

CREATE UNIQUE INDEX price_content on price (content);

CREATE TABLE record_log (id text primary key, applied integer not null);

CREATE TABLE recovery_code (
  user_id integer not null references "user" (id) on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);

CREATE TABLE redemption (
  id integer primary key autoincrement,
  name text not null,
  key_hash text not null,
  key_sealed text not null,
  status integer not null,
  amount int8 not null check (amount >= 0),
  created_by integer not null,
  created_time integer not null,
  redeemed_by integer not null default 0,
  redeemed_ms integer not null default 0,
  deleted_time integer not null default 0,
  altered_by integer not null default 0,
  used_before integer not null default 0,
  expired_time integer not null default 0
);

CREATE UNIQUE INDEX redemption_by_key_hash on redemption (key_hash);

CREATE INDEX redemption_by_redeemer on redemption (redeemed_by);

CREATE TABLE replica (
  id text primary key,
  heartbeat_ms integer not null,
  started_ms integer not null,
  dead integer not null default 0,
  facts text not null default ''
);

CREATE TABLE running_call_report (
  replica text primary key,
  at_ms integer not null,
  calls text not null
);

CREATE TABLE running_call_wish (
  id text primary key,
  replica text not null,
  user_id integer not null,
  until_ms integer not null
);

CREATE TABLE session (
  id_hash text primary key,
  user_id integer not null references "user" (id) on delete cascade,
  created_time integer not null,
  expires_time integer not null,
  user_agent text not null default '',
  address text not null default ''
);

CREATE INDEX session_by_expiry on session (expires_time);

CREATE INDEX session_by_user on session (user_id);

CREATE TABLE snapshot_version (name text primary key, version integer not null);

CREATE TABLE token (
  id integer primary key autoincrement,
  user_id integer not null references "user" (id),
  name text not null,
  key_hash text not null,
  key_sealed text not null,
  status integer not null,
  created_time integer not null,
  expired_time integer not null,
  unlimited integer not null,
  models text,
  subnet text,
  rpm integer not null default 0,
  tpm integer not null default 0,
  concurrency integer not null default 0,
  groups text,
  session_quota int8 not null default 0,
  repeat_rpm integer not null default 0,
  quiet_hours text
);

CREATE UNIQUE INDEX token_by_key_hash on token (key_hash);

CREATE INDEX token_by_user on token (user_id, id);

CREATE TABLE token_pause (
  token_id integer not null,
  rule text not null,
  subject text not null,
  spent int8 not null default 0,
  allowance int8 not null default 0,
  paused_ms integer not null default 0,
  until_ms integer not null default 0,
  used_ms integer not null,
  primary key (token_id, rule, subject)
);

CREATE INDEX token_pause_by_use on token_pause (used_ms);

CREATE TABLE token_transaction (
  id integer primary key autoincrement,
  token_id integer not null,
  transaction_id text not null,
  user_id integer not null,
  status integer not null,
  pre_quota integer not null,
  final_quota integer,
  reason text not null,
  request_id text not null,
  expires_time integer not null,
  created_time integer not null,
  finished_time integer not null default 0,
  settled integer not null default 0,
  elapsed_ms integer not null default 0
);

CREATE INDEX token_transaction_by_token on token_transaction (token_id, id);

CREATE UNIQUE INDEX token_transaction_name on token_transaction (token_id, transaction_id);

CREATE INDEX token_transaction_unsettled on token_transaction (settled, expires_time);

CREATE TABLE trace (
  request_id text primary key,
  user_id integer not null,
  url text not null,
  method text not null,
  status integer not null,
  body_size integer not null,
  received_ms integer not null,
  forwarded_ms integer not null,
  first_upstream_ms integer not null,
  first_client_ms integer not null,
  upstream_completed_ms integer not null,
  completed_ms integer not null,
  attempts text not null,
  held int8 not null default 0,
  upstream_usage text not null default '',
  routing text not null default ''
) without rowid;

CREATE TABLE transfer (
  request_id text not null,
  kind text not null,
  debit integer,
  credit integer,
  limit_account integer,
  amount int8 not null check (amount >= 0 or kind = 'limit-set'),
  price_id integer,
  input_tokens integer not null,
  cached_tokens integer not null,
  cache_write_5m_tokens integer not null,
  cache_write_1h_tokens integer not null,
  output_tokens integer not null,
  channel_id integer not null,
  model text not null,
  actor integer not null,
  reason text not null,
  at_ms integer not null,
  other_prompt_tokens integer not null default 0,
  other_output_tokens integer not null default 0,
  units text,
  refers_to text,
  primary key (request_id, kind)
) without rowid;

CREATE INDEX transfer_by_referred on transfer (refers_to) where refers_to is not null;

CREATE TABLE usage_block_token (
  user_id integer not null,
  token_id integer not null,
  block integer not null,
  amount int8 not null,
  primary key (user_id, token_id, block)
) without rowid;

CREATE TABLE usage_daily (
  day integer not null,
  user_id integer not null,
  token_id integer not null,
  channel_id integer not null,
  model text not null,
  requests integer not null,
  prompt_tokens integer not null,
  completion_tokens integer not null,
  amount int8 not null,
  primary key (user_id, day, token_id, channel_id, model)
) without rowid;

CREATE TRIGGER usage_daily_added after insert on usage_daily begin
insert into usage_daily_model (day, model, channel_id, requests, prompt_tokens, completion_tokens, amount) values (new.day, new.model, new.channel_id, new.requests, new.prompt_tokens, new.completion_tokens, new.amount) on conflict (day, model, channel_id) do update set requests = usage_daily_model.requests + excluded.requests, prompt_tokens = usage_daily_model.prompt_tokens + excluded.prompt_tokens, completion_tokens = usage_daily_model.completion_tokens + excluded.completion_tokens, amount = usage_daily_model.amount + excluded.amount;
insert into usage_daily_token (user_id, token_id, day, requests, prompt_tokens, completion_tokens, amount) values (new.user_id, new.token_id, new.day, new.requests, new.prompt_tokens, new.completion_tokens, new.amount) on conflict (user_id, token_id, day) do update set requests = usage_daily_token.requests + excluded.requests, prompt_tokens = usage_daily_token.prompt_tokens + excluded.prompt_tokens, completion_tokens = usage_daily_token.completion_tokens + excluded.completion_tokens, amount = usage_daily_token.amount + excluded.amount;
insert into usage_block_token (user_id, token_id, block, amount) values (new.user_id, new.token_id, new.day / 32, new.amount) on conflict (user_id, token_id, block) do update set amount = usage_block_token.amount + excluded.amount; end;

CREATE TRIGGER usage_daily_changed after update of requests, prompt_tokens, completion_tokens, amount on usage_daily begin
update usage_daily_model set requests = requests + new.requests - old.requests, prompt_tokens = prompt_tokens + new.prompt_tokens - old.prompt_tokens, completion_tokens = completion_tokens + new.completion_tokens - old.completion_tokens, amount = amount + new.amount - old.amount
  where day = new.day and model = new.model and channel_id = new.channel_id;
update usage_daily_token set requests = requests + new.requests - old.requests, prompt_tokens = prompt_tokens + new.prompt_tokens - old.prompt_tokens, completion_tokens = completion_tokens + new.completion_tokens - old.completion_tokens, amount = amount + new.amount - old.amount
  where user_id = new.user_id and token_id = new.token_id and day = new.day;
update usage_block_token set amount = amount + new.amount - old.amount
  where user_id = new.user_id and token_id = new.token_id and block = new.day / 32; end;

CREATE TABLE usage_daily_model (
  day integer not null,
  model text not null,
  channel_id integer not null,
  requests integer not null,
  prompt_tokens integer not null,
  completion_tokens integer not null,
  amount int8 not null,
  primary key (day, model, channel_id)
) without rowid;

CREATE TABLE usage_daily_token (
  user_id integer not null,
  token_id integer not null,
  day integer not null,
  requests integer not null,
  prompt_tokens integer not null,
  completion_tokens integer not null,
  amount int8 not null,
  primary key (user_id, token_id, day)
) without rowid;

CREATE TABLE usage_session (
  token_id integer not null,
  session text not null,
  user_id integer not null,
  token_name text not null,
  client text not null,
  models text not null,
  first_at integer not null,
  last_at integer not null,
  calls integer not null,
  amount int8 not null,
  saved int8 not null,
  prompt_tokens integer not null,
  completion_tokens integer not null,
  cached_prompt_tokens integer not null,
  cache_write_5m_tokens integer not null,
  cache_write_1h_tokens integer not null,
  reasoning_tokens integer not null,
  primary key (token_id, session)
) without rowid;

CREATE INDEX usage_session_last on usage_session (last_at, first_at, amount, user_id);

CREATE INDEX usage_session_user on usage_session (user_id, last_at, first_at, amount);

CREATE TABLE "user" (
  id integer primary key autoincrement,
  username text not null,
  password_hash text not null,
  display_name text not null,
  role integer not null,
  status integer not null,
  email text not null,
  group_name text not null,
  aff_code text,
  created_time integer not null,
  access_token_hash text,
  inviter_id integer not null default 0,
  totp_sealed text,
  totp_last_step integer not null default 0
);

CREATE UNIQUE INDEX user_by_access_token on "user" (access_token_hash);

CREATE UNIQUE INDEX user_by_aff_code on "user" (aff_code);

CREATE INDEX user_by_email on "user" (lower(email));

CREATE UNIQUE INDEX user_by_username on "user" (username);
