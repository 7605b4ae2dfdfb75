import { type AnyToken, TOKEN_STATUS } from '@sluice/contract/token'
import type { User } from '@sluice/contract/user'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatOrder } from '~/lib/format/groups.ts'
import { formatCount, formatQuota } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Badge } from '~/ui/badge.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { Time } from '~/ui/time.tsx'
import { userTokensQuery } from '../calls.ts'
import { userTexts } from '../texts/user-texts.ts'

/** The user's newest tokens, without their keys; each links to its logs. */
export function UserTokens({ user }: { user: User }) {
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
