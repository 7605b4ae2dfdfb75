import { Link } from '@tanstack/react-router'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { channelRoutingTexts } from '~/features/channels/texts/routing-texts.ts'
import { useIsBelow } from '~/lib/dom/use-media.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button, IconButton } from '~/ui/button.tsx'
import { ActivityIcon, MoreIcon, RefreshIcon, TrashIcon } from '~/ui/icons.tsx'
import { Menu, MENU_ITEM, MenuItem } from '~/ui/menu.tsx'
import { InfoIcon } from '~/ui/sign-icons.tsx'
import type { ChannelJobs } from './use-channel-jobs.ts'

interface ListMenuProps {
  readonly jobs: ChannelJobs
  readonly onDeleteDisabled: () => void
}

/** Actions on all channels at once: the usual one next to a menu; on phones everything is in the menu. */
export function ListMenu({ jobs, onDeleteDisabled }: ListMenuProps) {
  const t = useTexts(channelTexts)
  const routing = useTexts(channelRoutingTexts)
  const phone = useIsBelow('tablet')
  const isTesting = jobs.starting === 'test' || jobs.test?.running === true
  const isAsking = jobs.starting === 'balance' || jobs.balance?.running === true
  return (
    <>
      {!phone && (
        <Button
          busy={jobs.starting === 'test'}
          disabled={jobs.test?.running}
          onClick={() => void jobs.startTest('all')}
        >
          {jobs.starting !== 'test' && <ActivityIcon />}
          {t.testAll}
        </Button>
      )}
      <Menu
        label={t.moreActions}
        trigger={(props) => (
          <IconButton label={t.moreActions} tone="bordered" {...props}>
            <MoreIcon />
          </IconButton>
        )}
      >
        {phone && (
          <MenuItem disabled={isTesting} onSelect={() => void jobs.startTest('all')}>
            <ActivityIcon />
            {t.testAll}
          </MenuItem>
        )}
        <MenuItem disabled={isTesting} onSelect={() => void jobs.startTest('disabled')}>
          <ActivityIcon />
          {t.testDisabled}
        </MenuItem>
        <MenuItem disabled={isAsking} onSelect={() => void jobs.startBalances()}>
          <RefreshIcon />
          {t.updateBalances}
        </MenuItem>
        <Link to="/channels/explain" role="menuitem" tabIndex={-1} className={MENU_ITEM}>
          <InfoIcon />
          {routing.whatIf}
        </Link>
        <MenuItem danger onSelect={onDeleteDisabled}>
          <TrashIcon />
          {t.deleteDisabled}
        </MenuItem>
      </Menu>
    </>
  )
}
