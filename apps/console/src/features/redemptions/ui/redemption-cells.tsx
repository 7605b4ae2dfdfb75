import { REDEMPTION_STATUS, type Redemption } from '@sluice/contract/redemption'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Badge, type Tone } from '~/ui/badge.tsx'
import { MaskedSecret } from '~/ui/masked-secret.tsx'
import { Time } from '~/ui/time.tsx'
import { redemptionTexts } from '../texts/redemption-texts.ts'

export function RedemptionBadge({ redemption }: { redemption: Redemption }) {
  const t = useTexts(redemptionTexts)
  // Fixed per mount, like the displayed times.
  const [now] = useState(() => Date.now() / 1_000)
  const { name, tone } = redemptionStatus(redemption, now)
  return <Badge tone={tone}>{t.status[name]}</Badge>
}

export function RedemptionCode({ code }: { code: string }) {
  const t = useTexts(redemptionTexts)
  if (code === '') {
    return (
      <span tabIndex={0} data-tip={t.lostCodeText} className="text-muted">
        {t.lostCode}
      </span>
    )
  }
  return <MaskedSecret value={code} showLabel={t.showCode} hideLabel={t.hideCode} copyLabel={t.copyCode} />
}

export function Redeemed({ redemption }: { redemption: Redemption }) {
  const t = useTexts(redemptionTexts)
  const { status, redeemed_time: at, redeemed_by: id, redeemed_by_name: name, expired_time: expiry } = redemption
  if (status !== REDEMPTION_STATUS.used) {
    return (
      <span className="text-muted flex min-w-0 gap-1">
        {t.notYet}
        {expiry > 0 && (
          <span className="truncate">
            · {t.expiration} <Time at={expiry} />
          </span>
        )}
      </span>
    )
  }
  return (
    <span className="flex min-w-0 gap-1">
      <span className="shrink-0">
        <Time at={at} />
      </span>
      {id === 0 ? null : name === '' ? (
        t.redeemedBy(`#${id}`)
      ) : (
        <Link
          to="/users"
          search={{ id }}
          data-tip={t.detailsOf(name)}
          className="min-w-0 truncate underline decoration-dotted underline-offset-2 hover:decoration-solid"
        >
          {t.redeemedBy(name)}
        </Link>
      )}
    </span>
  )
}

export type StatusName = 'unused' | 'expired' | 'disabled' | 'used' | 'unknown'

/** Takes a status on the wire: 1 unused, or expired at `now` (unix seconds), 2 disabled, 3 used. */
export function redemptionStatus(
  { status, expired_time: expiry }: Pick<Redemption, 'status' | 'expired_time'>,
  now: number,
): { readonly name: StatusName; readonly tone: Tone } {
  switch (status) {
    case REDEMPTION_STATUS.unused:
      return expiry > 0 && expiry <= now ? { name: 'expired', tone: 'neutral' } : { name: 'unused', tone: 'good' }
    case REDEMPTION_STATUS.disabled:
      return { name: 'disabled', tone: 'neutral' }
    case REDEMPTION_STATUS.used:
      return { name: 'used', tone: 'warn' }
    default:
      return { name: 'unknown', tone: 'neutral' }
  }
}

/** Toggles between unused and disabled; undefined for a used code, which stays used. */
export function toggledStatus(status: number): 1 | 2 | undefined {
  if (status === REDEMPTION_STATUS.used) return undefined
  return status === REDEMPTION_STATUS.unused ? REDEMPTION_STATUS.disabled : REDEMPTION_STATUS.unused
}
