import type { Channel } from '@sluice/contract/channel'
import { Link } from '@tanstack/react-router'
import { keyTexts } from '~/features/channels/texts/keys-texts.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useChannelLabel } from '../list/use-channel-actions.ts'

/** How many keys a channel with several keys has, and a link to them. */
export function KeyCount({ channel }: { channel: Channel }) {
  const t = useTexts(keyTexts)
  const name = useChannelLabel()(channel)
  const count = formatCount(channel.key_count)
  if (channel.key_count < 2) return null
  return (
    <Link
      from="/channels"
      search={(previous) => ({ ...previous, keys: channel.id, health: undefined })}
      resetScroll={false}
      aria-label={t.countOf(count, name)}
      data-tip={t.count(count)}
      className="text-muted bg-subtle grid min-h-6 min-w-6 place-items-center rounded-full px-2 text-xs hover:underline"
    >
      {count}
    </Link>
  )
}
