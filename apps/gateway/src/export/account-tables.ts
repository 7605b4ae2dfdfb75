import { splitList } from '@sluice/contract/fields/comma-list'
import { mq, quotaText, wholeCharge, wholeQuota } from '@sluice/ledger/units'
import type { UsedBefore } from '@sluice/store/queries/accounts/used-before'
import {
  listExportedPasskeys,
  listExportedTokens,
  listExportedUsers,
  listExportedUsage,
} from '@sluice/store/queries/exported-rows'
import { type ExportedTable, exportedTable } from './exported-table.ts'
import type { StoredSecrets } from './stored-secrets.ts'

/** Users have short rows; a token may name models in 20,000 characters. */
const USERS = 1_000
const TOKENS = 500
const SUMS = 1_000
const MS_PER_SECOND = 1_000
const MS_PER_DAY = 86_400_000

/** The family's table `users`. Only the digest of an access token is stored, so that has a separate column. */
export function usersTable(
  { open }: Pick<StoredSecrets, 'open'>,
  { oidcIssuer }: { readonly oidcIssuer: string | undefined },
): ExportedTable {
  type User = Awaited<ReturnType<typeof listExportedUsers>>[number]
  const subjectAt = (provider: string, issuer?: string) => (user: User) =>
    user.identities.find((one) => one.provider === provider && one.issuer === (issuer ?? one.issuer))?.subject ?? ''
  return exportedTable<User>((db, last) => listExportedUsers(db, { after: last?.id ?? 0, limit: USERS }), {
    id: (user) => user.id,
    username: (user) => user.username,
    password: (user) => user.password_hash,
    display_name: (user) => user.display_name,
    role: (user) => user.role,
    status: (user) => user.status,
    email: (user) => user.email,
    lark_id: subjectAt('lark'),
    // The id identifies a person only together with its issuer, which the settings name.
    oidc_id: oidcIssuer === undefined ? () => '' : subjectAt('oidc', oidcIssuer),
    wechat_id: subjectAt('wechat'),
    quota: (user) => wholeQuota(mq(user.posted ?? 0n)),
    quota_exact: (user) => quotaText(mq(user.posted ?? 0n)),
    used_quota: (user) => wholeCharge(used(user)),
    used_quota_exact: (user) => quotaText(used(user)),
    request_count: (user) => (user.requests ?? 0) + (user.before?.requests ?? 0),
    group: (user) => user.group_name,
    aff_code: (user) => user.aff_code ?? '',
    inviter_id: (user) => user.inviter_id,
    totp_secret: (user) => open('totp', user.totp_sealed),
    access_token_hash: (user) => user.access_token_hash,
    created_at: (user) => user.created_time,
  })
}

/** The family's table `tokens`: keys as clients send them, without `sk-`. new-api supports only one group, so it gets the first. */
export function tokensTable({ open }: Pick<StoredSecrets, 'open'>): ExportedTable {
  type Token = Awaited<ReturnType<typeof listExportedTokens>>[number]
  return exportedTable<Token>((db, last) => listExportedTokens(db, { after: last?.id ?? 0, limit: TOKENS }), {
    id: (token) => token.id,
    user_id: (token) => token.user_id,
    key: (token) => open('token_key', token.key_sealed),
    status: (token) => token.status,
    name: (token) => token.name,
    created_time: (token) => token.created_time,
    accessed_time: (token) => Math.floor((token.last_ms ?? 0) / MS_PER_SECOND),
    expired_time: (token) => token.expired_time,
    remain_quota: (token) => wholeQuota(mq(token.posted ?? 0n)),
    remain_quota_exact: (token) => quotaText(mq(token.posted ?? 0n)),
    unlimited_quota: (token) => token.unlimited,
    used_quota: (token) => wholeCharge(used(token)),
    used_quota_exact: (token) => quotaText(used(token)),
    models: (token) => token.models,
    subnet: (token) => token.subnet,
    group: (token) => splitList(token.groups ?? '')[0] ?? '',
    groups: (token) => token.groups ?? '',
    rpm: (token) => token.rpm,
    tpm: (token) => token.tpm,
    concurrency: (token) => token.concurrency,
    session_quota: (token) => wholeQuota(mq(token.session_quota)),
    repeat_rpm: (token) => token.repeat_rpm,
    quiet_hours: (token) => token.quiet_hours ?? '',
  })
}

/** Passkeys in the form of Laisky's fork, in base64. They work as long as the domain stays the same. */
export const PASSKEYS: ExportedTable = exportedTable<Awaited<ReturnType<typeof listExportedPasskeys>>[number]>(
  (db, last) => listExportedPasskeys(db, { after: last?.id ?? 0, limit: USERS }),
  {
    id: (passkey) => passkey.id,
    user_id: (passkey) => passkey.user_id,
    credential_name: (passkey) => passkey.name,
    credential_id: (passkey) => base64(passkey.credential_id),
    public_key: (passkey) => base64(passkey.public_key),
    sign_count: (passkey) => passkey.sign_count,
    transport: (passkey) => passkey.transports,
    created_time: (passkey) => passkey.created_time,
  },
)

/** Sums that an import made of another gateway's log: our own table, with days as `2026-01-31`. */
export const USAGE_BEFORE: ExportedTable = exportedTable<Awaited<ReturnType<typeof listExportedUsage>>[number]>(
  (db, last) => listExportedUsage(db, { after: last, limit: SUMS }),
  {
    user_id: (sum) => sum.user_id,
    day: (sum) => new Date(sum.day * MS_PER_DAY).toISOString().slice(0, 10),
    token_id: (sum) => sum.token_id,
    channel_id: (sum) => sum.channel_id,
    model_name: (sum) => sum.model,
    request_count: (sum) => sum.requests,
    prompt_tokens: (sum) => sum.prompt_tokens,
    completion_tokens: (sum) => sum.completion_tokens,
    quota: (sum) => wholeCharge(mq(sum.amount)),
    quota_exact: (sum) => quotaText(mq(sum.amount)),
  },
)

function used({ spent, before }: { readonly spent: bigint | null; readonly before: UsedBefore | null }) {
  return mq((spent ?? 0n) + (before?.used ?? 0n))
}

function base64(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString('base64')
}
