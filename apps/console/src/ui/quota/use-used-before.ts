import type { User } from '@sluice/contract/user'
import { formatCount, formatQuota } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { quotaTexts } from './texts/quota-texts.ts'

/** What a user or a token had used at another gateway before it was imported; undefined when that is nothing. */
export function useUsedBefore({
  used_quota_before: used = 0,
  request_count_before: requests = 0,
}: Pick<User, 'used_quota_before' | 'request_count_before'>):
  | { readonly name: string; readonly text: string }
  | undefined {
  const t = useTexts(quotaTexts)
  const display = useSystemStatus()
  if (used === 0 && requests === 0) return undefined
  return { name: t.beforeMove, text: t.usedBefore(formatQuota(used, display), formatCount(requests)) }
}
