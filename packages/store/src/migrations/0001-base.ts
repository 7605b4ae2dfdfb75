import type { Migration } from '../migration.ts'

/** Who may do what: users, sessions, tokens, channels, options, and the counters that tell replicas to reload them. */
export const base: Migration = {
  name: '0001-base',
  breaking: false,
  statements: (t) => [
    `create table "user" (
      id ${t.id},
      username ${t.text} not null,
      password_hash ${t.text} not null,
      display_name ${t.text} not null,
      role ${t.int} not null,
      status ${t.int} not null,
      email ${t.text} not null,
      group_name ${t.text} not null,
      aff_code ${t.text},
      created_time ${t.safeInteger} not null
    )`,
    `create unique index user_by_username on "user" (username)`,
    `create unique index user_by_aff_code on "user" (aff_code)`,
    // Not unique: the family lets several accounts share an address.
    `create index user_by_email on "user" (email)`,

    `create table session (
      id_hash ${t.text} primary key,
      user_id ${t.int} not null references "user" (id) on delete cascade,
      created_time ${t.safeInteger} not null,
      expires_time ${t.safeInteger} not null
    )`,
    `create index session_by_user on session (user_id)`,
    `create index session_by_expiry on session (expires_time)`,

    `create table token (
      id ${t.id},
      user_id ${t.int} not null references "user" (id),
      name ${t.text} not null,
      key_hash ${t.text} not null,
      key_sealed ${t.text} not null,
      status ${t.int} not null,
      created_time ${t.safeInteger} not null,
      expired_time ${t.safeInteger} not null,
      unlimited ${t.int} not null,
      models ${t.text},
      subnet ${t.text}
    )`,
    `create unique index token_by_key_hash on token (key_hash)`,
    `create index token_by_user on token (user_id, id)`,

    `create table channel (
      id ${t.id},
      name ${t.text} not null,
      type ${t.int} not null,
      key_sealed ${t.text} not null,
      base_url ${t.text} not null,
      other ${t.text} not null,
      models ${t.text} not null,
      model_mapping ${t.text},
      model_configs ${t.text},
      system_prompt ${t.text},
      group_names ${t.text} not null,
      priority ${t.int} not null,
      weight ${t.int} not null,
      ratelimit ${t.int} not null,
      status ${t.int} not null,
      response_time ${t.int} not null,
      test_time ${t.safeInteger} not null,
      testing_model ${t.text},
      created_time ${t.safeInteger} not null,
      inference_profile_arn_map ${t.text},
      config ${t.text} not null
    )`,

    `create table "option" (
      "key" ${t.text} primary key,
      value ${t.text} not null
    )`,

    `create table snapshot_version (
      name ${t.text} primary key,
      version ${t.safeInteger} not null
    )`,
    `insert into snapshot_version (name, version) values ('users', 1), ('tokens', 1), ('channels', 1), ('options', 1)`,
  ],
}
