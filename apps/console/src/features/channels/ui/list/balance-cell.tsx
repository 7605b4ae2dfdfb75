import type { Channel } from '@sluice/contract/channel'
import { balanceText } from '~/features/channels/model/balance-text.ts'
import { kindOf } from '~/features/channels/model/channel-kind.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { formatDateTime } from '~/lib/format/date.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '~/ui/button.tsx'
import { RefreshIcon } from '~/ui/icons.tsx'
import { Spinner } from '~/ui/spinner.tsx'
import { type ChannelActions, useChannelLabel } from './use-channel-actions.ts'

/** The balance at the provider as last reported, and a button that requests it again where the provider reports it. */
export function BalanceCell({ channel, actions }: { channel: Channel; actions: ChannelActions }) {
  const t = useTexts(channelTexts)
  const label = useChannelLabel()
  if (kindOf(channel.type).balance !== true) return <span className="text-muted">–</span>
  const asking = actions.isAskingBalance(channel)
  const { balance_updated_time: asked } = channel
  return (
    <span className="flex min-w-0 items-center justify-end gap-1">
      <span
        className="truncate tabular-nums"
        data-tip={asked === 0 ? t.neverAsked : t.balanceAsked(formatDateTime(asked))}
      >
        {asked === 0 ? <span className="text-muted">–</span> : balanceText(channel.balance, channel.balance_currency)}
      </span>
      <IconButton
        label={t.askBalanceOf(label(channel))}
        aria-disabled={asking}
        onClick={() => {
          if (!asking) void actions.askBalance(channel)
        }}
      >
        {asking ? <Spinner /> : <RefreshIcon />}
      </IconButton>
    </span>
  )
}
