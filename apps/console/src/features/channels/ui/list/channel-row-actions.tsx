import { type Channel, CHANNEL_STATUS } from '@sluice/contract/channel'
import { Link } from '@tanstack/react-router'
import { kindOf } from '~/features/channels/model/channel-kind.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { keyTexts } from '~/features/channels/texts/keys-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton, Spinner } from '~/ui/button.tsx'
import { ActivityIcon, CodeIcon, EditIcon, PlusIcon, RefreshIcon } from '~/ui/icons.tsx'
import { MENU_ITEM, MenuItem } from '~/ui/menu.tsx'
import { ICON_LINK, DeleteButton, DeleteItem, RowMenu, SwitchButton, SwitchItem } from '~/ui/table/row-actions.tsx'
import { type ChannelActions, useChannelLabel } from './use-channel-actions.ts'

interface ActionsProps {
  readonly channel: Channel
  readonly actions: ChannelActions
}

export function ChannelButtons({ channel, actions }: ActionsProps) {
  const t = useTexts(channelTexts)
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
        className={ICON_LINK}
      >
        <EditIcon />
      </Link>
      {!channel.managed_status && <SwitchButton on={isOn(channel)} onSwitch={() => void actions.toggle(channel)} />}
      {channel.managed_by === '' && <DeleteButton onDelete={() => actions.remove(channel)} />}
      <RowMenu name={useChannelLabel()(channel)}>
        <RareItems channel={channel} actions={actions} />
      </RowMenu>
    </span>
  )
}

function RareItems({ channel, actions }: ActionsProps) {
  const t = useTexts(channelTexts)
  const keys = useTexts(keyTexts)
  return (
    <>
      <Link
        from="/channels"
        search={(previous) => ({ ...previous, health: channel.id, keys: undefined })}
        resetScroll={false}
        role="menuitem"
        tabIndex={-1}
        className={MENU_ITEM}
      >
        <ActivityIcon />
        {t.columns.health}
      </Link>
      <Link
        from="/channels"
        search={(previous) => ({ ...previous, keys: channel.id, health: undefined })}
        resetScroll={false}
        role="menuitem"
        tabIndex={-1}
        className={MENU_ITEM}
      >
        <CodeIcon />
        {keys.keys}
      </Link>
      <MenuItem onSelect={() => void actions.duplicate(channel)}>
        <PlusIcon />
        {t.duplicate}
      </MenuItem>
      {kindOf(channel.type).balance === true && (
        <MenuItem disabled={actions.isAskingBalance(channel)} onSelect={() => void actions.askBalance(channel)}>
          <RefreshIcon />
          {t.askBalance}
        </MenuItem>
      )}
    </>
  )
}

export function ChannelMenu({ channel, actions }: ActionsProps) {
  const t = useTexts(channelTexts)
  return (
    <RowMenu name={useChannelLabel()(channel)}>
      <Link to="/channels/edit/$id" params={{ id: channel.id }} role="menuitem" tabIndex={-1} className={MENU_ITEM}>
        <EditIcon />
        {t.edit}
      </Link>
      <MenuItem disabled={actions.isTesting(channel)} onSelect={() => void actions.test(channel)}>
        <ActivityIcon />
        {t.test}
      </MenuItem>
      {!channel.managed_status && <SwitchItem on={isOn(channel)} onSwitch={() => void actions.toggle(channel)} />}
      <RareItems channel={channel} actions={actions} />
      {channel.managed_by === '' && <DeleteItem onDelete={() => actions.remove(channel)} />}
    </RowMenu>
  )
}

function isOn({ status }: Channel): boolean {
  return status === CHANNEL_STATUS.enabled
}
