import type { ConsideredLane } from '@sluice/contract/routing'
import { Link } from '@tanstack/react-router'
import { channelRoutingTexts } from '~/features/channels/texts/routing-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'

/** A channel that was considered, by its name, with a link to its settings. */
export function ConsideredChannel({ channel, channel_name: name }: ConsideredLane) {
  const t = useTexts(channelRoutingTexts)
  return (
    <Link to="/channels/edit/$id" params={{ id: channel }} className="text-accent font-medium hover:underline">
      {name || t.unnamed}
    </Link>
  )
}
