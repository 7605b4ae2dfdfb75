import { type AnyToken, TOKEN_STATUS } from '@sluice/contract/token'
import type { User } from '@sluice/contract/user'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatCount, formatQuota } from '~/lib/format/quota.ts'
import { formatOrder } from '~/lib/format/units.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Badge } from '~/ui/badge.tsx'
import { Button, buttonClass } from '~/ui/button.tsx'
import { Fact } from '~/ui/fact.tsx'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Panel } from '~/ui/panel.tsx'
import { BudgetLines, useUsedBefore } from '~/ui/quota/budget-meter.tsx'
import { QuotaAmount } from '~/ui/quota/quota-amount.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { Time } from '~/ui/time.tsx'
import { userQuery, userTokensQuery } from '../calls.ts'
import { isUnlimited, roleName } from '../model/user-form-values.ts'
import { userTexts } from '../texts/user-texts.ts'
import { UserStatusBadge } from './user-columns.tsx'
import { useAuthority } from './user-row-actions.tsx'

interface UserPanelProps {
  readonly id: number
  /** Undefined when a shared address opens the panel of a user who is not listed. */
  readonly row: User | undefined
  readonly onClose: () => void
  readonly onTopUp: (user: User) => void
}

export function UserPanel({ id, row, onClose, onTopUp }: UserPanelProps) {
  const t = useTexts(userTexts)
  const query = useQuery({ ...userQuery(useCall(), id), enabled: row === undefined })
  const user = row ?? query.data
  return (
    <Panel
      title={user?.username ?? `#${id}`}
      {...(user && { subtitle: `#${user.id} · ${t.role[roleName(user.role)]}` })}
      onClose={onClose}
      footer={user && <Footer user={user} onTopUp={onTopUp} />}
    >
      {user !== undefined && <Details user={user} />}
      {user === undefined && <LoadFailure query={query} text={t.loadFailed} />}
      {user === undefined && query.isPending && <Skeleton className="h-64 w-full" />}
    </Panel>
  )
}

function Footer({ user, onTopUp }: { user: User; onTopUp: (user: User) => void }) {
  const t = useTexts(userTexts)
  const may = useAuthority(user)
  if (may.edit !== undefined) return <p className="text-muted text-sm">{t.barred[may.edit]}</p>
  return (
    <>
      <Link to="/users/edit/$id" params={{ id: user.id }} className={buttonClass()}>
        {t.edit}
      </Link>
      <Button variant="primary" onClick={() => onTopUp(user)}>
        {t.topUp}
      </Button>
    </>
  )
}

function Details({ user }: { user: User }) {
  const t = useTexts(userTexts)
  const display = useSystemStatus()
  const before = useUsedBefore(user)
  const signIns = Object.entries({
    GitHub: user.github_id,
    Lark: user.lark_id,
    OIDC: user.oidc_id,
    WeChat: user.wechat_id,
  })
    .filter(([, account]) => account !== '')
    .map(([provider, account]) => `${provider}: ${account}`)
  return (
    <div className="flex flex-col gap-6">
      <Section title={t.account}>
        <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-sm">
          <Fact name={t.columns.status}>
            <UserStatusBadge status={user.status} />
          </Fact>
          <Fact name={t.columns.displayName}>{user.display_name || t.none}</Fact>
          <Fact name={t.columns.email}>{user.email || t.none}</Fact>
          <Fact name={t.columns.group}>{user.group}</Fact>
          <Fact name={t.signIns}>{signIns.join(', ') || t.none}</Fact>
          <Fact name={t.columns.created}>
            <Time at={user.created_time} />
          </Fact>
        </dl>
      </Section>
      <Section title={t.quotaSection}>
        <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-sm tabular-nums">
          <Fact name={t.columns.quota}>
            {isUnlimited(user.quota) ? t.unlimited : <QuotaAmount quota={user.quota} />}
          </Fact>
          <Fact name={t.columns.usedQuota}>{formatQuota(user.used_quota, display)}</Fact>
          <Fact name={t.columns.requests}>{formatCount(user.request_count)}</Fact>
          {before !== undefined && <Fact name={before.name}>{before.text}</Fact>}
        </dl>
        <BudgetLines budgets={user.budgets} />
      </Section>
      <Section title={t.links}>
        <p className="flex flex-wrap gap-2">
          <Link to="/logs" search={{ username: user.username }} className={buttonClass('secondary', 'small')}>
            {t.logs}
          </Link>
          <Link to="/dashboard" search={{ user: user.id }} className={buttonClass('secondary', 'small')}>
            {t.usage}
          </Link>
        </p>
      </Section>
      <Section title={t.tokens}>
        <UserTokens user={user} />
      </Section>
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">{title}</h3>
      {children}
    </section>
  )
}

function UserTokens({ user }: { user: User }) {
  const t = useTexts(userTexts)
  const query = useQuery(userTokensQuery(useCall(), user.id))
  if (query.isPending) return <Skeleton className="h-16 w-full" />
  if (query.isError) return <p className="text-muted text-sm">{t.tokensFailed}</p>
  const { rows, total } = query.data
  if (rows.length === 0) return <p className="text-muted text-sm">{t.noTokens}</p>
  return (
    <>
      <ul className="border-line divide-line divide-y rounded-md border">
        {rows.map((token) => (
          <TokenLine key={token.id} token={token} username={user.username} />
        ))}
      </ul>
      {total > rows.length && (
        <p className="text-muted text-xs">{t.tokensMore(formatCount(rows.length), formatCount(total))}</p>
      )}
    </>
  )
}

function TokenLine({ token, username }: { token: AnyToken; username: string }) {
  const t = useTexts(userTexts)
  const display = useSystemStatus()
  const name = token.name === '' ? `#${token.id}` : token.name
  return (
    <li className="px-3 py-2 text-sm">
      <span className="flex min-w-0 items-center gap-2">
        <Link
          to="/logs"
          search={{ username, token: token.name }}
          aria-label={t.tokenLogs(name)}
          data-tip={t.tokenLogs(name)}
          className="min-w-0 truncate font-medium hover:underline"
        >
          {name}
        </Link>
        <TokenBadge status={token.status} />
      </span>
      <span className="text-muted flex flex-wrap gap-x-2 text-xs tabular-nums">
        <span>{token.unlimited_quota ? t.unlimited : t.left(formatQuota(token.remain_quota, display))}</span>
        <span>{t.used(formatQuota(token.used_quota, display))}</span>
        {token.groups.length > 0 && <span>{t.via(formatOrder(token.groups))}</span>}
        <span>
          {token.accessed_time === 0 ? (
            t.neverUsed
          ) : (
            <>
              {t.lastUsed} <Time at={token.accessed_time} />
            </>
          )}
        </span>
      </span>
    </li>
  )
}

function TokenBadge({ status }: { status: number }) {
  const t = useTexts(userTexts)
  const { enabled, disabled, expired, exhausted } = TOKEN_STATUS
  if (status === enabled) return <Badge tone="good">{t.tokenStatus.enabled}</Badge>
  if (status === disabled) return <Badge tone="neutral">{t.tokenStatus.disabled}</Badge>
  if (status === expired) return <Badge tone="warn">{t.tokenStatus.expired}</Badge>
  if (status === exhausted) return <Badge tone="bad">{t.tokenStatus.exhausted}</Badge>
  return <Badge tone="neutral">{t.unknown}</Badge>
}
