import type { GeneratedFamily } from './generated-gateway.ts'

/** A column and a value for it, as SQLite SQL, with which the row cannot be imported. */
export interface HostileValue {
  readonly column: string
  readonly sql: string
  readonly family?: GeneratedFamily
}

const BAD_TEXTS = [
  `cast(x'c328' as text)`,
  `x'00ff00ff'`,
  `'a' || char(0) || 'b'`,
  `printf('%.*c', 1048576, 'x')`,
] as const
const of = (column: string, ...values: readonly string[]): readonly HostileValue[] =>
  values.map((sql) => ({ column, sql }))

/** Wrong types, misplaced NULLs, megabytes, other encodings, dates in year 0. */
export const HOSTILE: Readonly<Record<'users' | 'tokens' | 'channels' | 'redemptions', readonly HostileValue[]>> = {
  users: [
    ...of('username', 'null', `''`, ...BAD_TEXTS, `'a' || char(10) || 'b'`),
    ...of('password', 'null', `x'24'`, `printf('%.*c', 1048576, '$')`),
    ...of('quota', 'null', `'many'`, '1.5', '1e300', '9223372036854775807', `x'01'`, `'12 points'`),
    ...of('used_quota', `'many'`, '-9223372036854775808'),
    ...of('role', `'admin'`, '-1', '9000'),
    ...of('status', `'on'`, '99'),
    ...of('group', ...BAD_TEXTS, `'a,b'`, `'vip' || char(10)  || 'x'`),
    ...of('inviter_id', '-3', `'root'`),
    ...of('email', `cast(x'ff' as text)`),
    { column: 'totp_secret', sql: `'not base 32!'`, family: 'laisky' },
    { column: 'deleted_at', sql: `'0000-00-00 00:00:00'`, family: 'new-api' },
    { column: 'aff_quota', sql: '-1', family: 'new-api' },
  ],
  tokens: [
    ...of('user_id', 'null', '0', '-1', `'root'`),
    ...of('key', 'null', `''`, `'short'`, `'key with blanks in it'`, `'abcdefgh-12345'`, ...BAD_TEXTS),
    ...of('remain_quota', 'null', `'all'`, '0.5', `x'01'`),
    ...of('unlimited_quota', '7', `'perhaps'`, `x'01'`),
    ...of('expired_time', `'never'`, '-5', '1e15'),
    ...of('name', ...BAD_TEXTS),
    { column: 'subnet', sql: `'10.0.0.0/99'`, family: 'one-api' },
    { column: 'allow_ips', sql: `'everywhere'`, family: 'new-api' },
    { column: 'deleted_at', sql: `'0000-00-00'`, family: 'new-api' },
  ],
  channels: [
    ...of('type', 'null', '-1', `'OpenAI'`, '1e9'),
    ...of('key', 'null', `cast(x'c328' as text)`, `x'00'`, `'a' || char(0)`, `printf('%.*c', 1048576, 'x')`),
    ...of('models', `cast(x'c328' as text)`, `printf('%.*c', 1048576, 'x')`),
    ...of('used_quota', `'much'`),
    ...of('priority', `'first'`, '2147483648'),
  ],
  redemptions: [
    ...of('key', 'null', `''`, `'a b c d'`, ...BAD_TEXTS),
    ...of('quota', 'null', '0', '-5', `'free'`, '1e300'),
    ...of('status', 'null', '0', '4', `'used'`),
  ],
}
