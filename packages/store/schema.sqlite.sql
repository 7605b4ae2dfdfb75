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
  last_ms integer not null default 0
);

CREATE UNIQUE INDEX account_owner on account (kind, owner_id);

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

CREATE TABLE audit_head (
  name text primary key,
  head_sealed text not null
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
  config text not null
  , recent_tests text not null default '', balance_micros integer not null default 0, balance_currency text not null default '', balance_time integer not null default 0);

CREATE TABLE email_code (
  email text primary key,
  code_sealed text not null,
  attempts_left integer not null,
  expires_time integer not null
);

CREATE INDEX email_code_by_expiry on email_code (expires_time);

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
  content text not null
);

CREATE INDEX log_channel on log (channel_id, created_at);

CREATE INDEX log_created on log (created_at);

CREATE INDEX log_request on log (request_id);

CREATE INDEX log_user on log (user_id, created_at);

CREATE TABLE oauth_state (
  state_hash text primary key,
  browser_hash text not null,
  provider text not null,
  user_id integer not null,
  aff_code text not null,
  expires_ms integer not null
);

CREATE INDEX oauth_state_by_expiry on oauth_state (expires_ms);

CREATE TABLE "option" (
  "key" text primary key,
  value text not null
);

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
  content text not null
);

CREATE TABLE price (
  id integer primary key autoincrement,
  content text not null,
  input int8 not null,
  cached_input int8 not null,
  cache_write_5m int8 not null,
  cache_write_1h int8 not null,
  output int8 not null,
  group_ratio int8 not null,
  source text not null
);

CREATE UNIQUE INDEX price_content on price (content);

CREATE TABLE quota_reminder (
  user_id integer primary key references "user" (id),
  reminded_ms integer not null
);

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
  deleted_time integer not null default 0
);

CREATE UNIQUE INDEX redemption_by_key_hash on redemption (key_hash);

CREATE INDEX redemption_by_redeemer on redemption (redeemed_by);

CREATE TABLE replica (
  id text primary key,
  heartbeat_ms integer not null,
  started_ms integer not null,
  dead integer not null default 0
);

CREATE TABLE session (
  id_hash text primary key,
  user_id integer not null references "user" (id) on delete cascade,
  created_time integer not null,
  expires_time integer not null
);

CREATE INDEX session_by_expiry on session (expires_time);

CREATE INDEX session_by_user on session (user_id);

CREATE TABLE snapshot_version (
  name text primary key,
  version integer not null
);

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
  subnet text
);

CREATE UNIQUE INDEX token_by_key_hash on token (key_hash);

CREATE INDEX token_by_user on token (user_id, id);

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
  attempts text not null
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
  primary key (request_id, kind)
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
  primary key (day, user_id, token_id, channel_id, model)
);

CREATE INDEX usage_daily_channel on usage_daily (channel_id, day);

CREATE INDEX usage_daily_user on usage_daily (user_id, day);

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
  created_time integer not null
  , access_token_hash text, inviter_id integer not null default 0, totp_sealed text, totp_last_step integer not null default 0);

CREATE UNIQUE INDEX user_by_access_token on "user" (access_token_hash);

CREATE UNIQUE INDEX user_by_aff_code on "user" (aff_code);

CREATE INDEX user_by_email on "user" (email);

CREATE UNIQUE INDEX user_by_username on "user" (username);
