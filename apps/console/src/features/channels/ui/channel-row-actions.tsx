import { type Channel, CHANNEL_STATUS } from '@sluice/contract/channel'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import type { Translation } from '../../../lib/i18n/texts.ts'
import { IconButton } from '../../../ui/button.tsx'
import { ActivityIcon, EditIcon, MoreIcon, PlusIcon, PowerIcon, RefreshIcon, TrashIcon } from '../../../ui/icons.tsx'
import { Menu, MENU_ITEM, MenuItem } from '../../../ui/menu.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { providerOf } from '../model/provider-table.ts'
import { channelTexts } from '../texts/channel-texts.ts'
import type { en } from '../texts/en.ts'
import { type ChannelActions, useChannelLabel } from './use-channel-actions.ts'

interface ActionsProps {
  readonly channel: Channel
  readonly actions: ChannelActions
}

/** The actions of a row as buttons. */
export function ChannelButtons({ channel, actions }: ActionsProps) {
  const t = useTexts(channelTexts)
  const enabled = channel.status === CHANNEL_STATUS.enabled
  const testing = actions.isTesting(channel)
  return (
    <span className="flex justify-end gap-0.5">
      <IconButton
        label={testing ? t.testing : t.test}
        aria-disabled={testing}
        onClick={() => {
          if (!testing) void actions.test(channel)
        }}
      >
        {testing ? <Spinner /> : <ActivityIcon />}
      </IconButton>
      <Link
        to="/channels/edit/$id"
        params={{ id: channel.id }}
        aria-label={t.edit}
        data-tip={t.edit}
        className="text-muted hover:bg-hover hover:text-ink inline-flex size-7 items-center justify-center rounded-md pointer-coarse:size-9"
      >
        <EditIcon />
      </Link>
      <IconButton label={enabled ? t.disable : t.enable} onClick={() => void actions.toggle(channel)}>
        <PowerIcon />
      </IconButton>
      <IconButton label={t.delete} onClick={() => actions.remove(channel)}>
        <TrashIcon />
      </IconButton>
      <MoreOf channel={channel} actions={actions} />
    </span>
  )
}

/** What is wanted less often. */
function MoreOf({ channel, actions }: ActionsProps) {
  const t = useTexts(channelTexts)
  const ui = useTexts(uiTexts)
  const label = ui.actionsFor(useChannelLabel()(channel))
  return (
    <Menu
      label={label}
      trigger={(props) => (
        <IconButton label={label} {...props}>
          <MoreIcon />
        </IconButton>
      )}
    >
      <RareItems channel={channel} actions={actions} t={t} />
    </Menu>
  )
}

function RareItems({ channel, actions, t }: ActionsProps & { t: Translation<typeof en> }) {
  return (
    <>
      <MenuItem onSelect={() => void actions.duplicate(channel)}>
        <PlusIcon />
        {t.duplicate}
      </MenuItem>
      {providerOf(channel.type).balance === true && (
        <MenuItem disabled={actions.isAskingBalance(channel)} onSelect={() => void actions.askBalance(channel)}>
          <RefreshIcon />
          {t.askBalance}
        </MenuItem>
      )}
    </>
  )
}

/** The same actions in a menu, for phones. */
export function ChannelMenu({ channel, actions }: ActionsProps) {
  const t = useTexts(channelTexts)
  const ui = useTexts(uiTexts)
  const label = ui.actionsFor(useChannelLabel()(channel))
  const enabled = channel.status === CHANNEL_STATUS.enabled
  return (
    <Menu
      label={label}
      trigger={(props) => (
        <IconButton label={label} {...props}>
          <MoreIcon />
        </IconButton>
      )}
    >
      <Link to="/channels/edit/$id" params={{ id: channel.id }} role="menuitem" tabIndex={-1} className={MENU_ITEM}>
        <EditIcon />
        {t.edit}
      </Link>
      <MenuItem disabled={actions.isTesting(channel)} onSelect={() => void actions.test(channel)}>
        <ActivityIcon />
        {t.test}
      </MenuItem>
      <MenuItem onSelect={() => void actions.toggle(channel)}>
        <PowerIcon />
        {enabled ? t.disable : t.enable}
      </MenuItem>
      <RareItems channel={channel} actions={actions} t={t} />
      <MenuItem danger onSelect={() => actions.remove(channel)}>
        <TrashIcon />
        {t.delete}
      </MenuItem>
    </Menu>
  )
}
