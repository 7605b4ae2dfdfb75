import { useIsBelow } from '../../../lib/dom/use-media.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ActivityIcon, MoreIcon, TrashIcon } from '../../../ui/icons.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import type { ChannelPage } from '../api/channel-list.ts'
import { bulkProgress } from '../model/bulk-test.ts'
import { channelTexts } from '../texts/channel-texts.ts'
import type { useBulkTest } from './use-bulk-test.ts'

interface BulkActionsProps {
  readonly page: ChannelPage | undefined
  readonly bulkTest: ReturnType<typeof useBulkTest>
  readonly onDeleteDisabled: () => void
}

/** What is done to all channels at once; on phones behind one button. */
export function BulkActions({ page, bulkTest, onDeleteDisabled }: BulkActionsProps) {
  const t = useTexts(channelTexts)
  const phone = useIsBelow('tablet')
  const testAll = () => void bulkTest.start(page)
  return (
    <>
      <BulkProgress page={page} bulkTest={bulkTest} />
      {phone ? (
        <Menu
          label={t.moreActions}
          trigger={(props) => (
            <IconButton label={t.moreActions} tone="bordered" {...props}>
              <MoreIcon />
            </IconButton>
          )}
        >
          <MenuItem disabled={bulkTest.starting} onSelect={testAll}>
            <ActivityIcon />
            {t.testAll}
          </MenuItem>
          <MenuItem danger onSelect={onDeleteDisabled}>
            <TrashIcon />
            {t.deleteDisabled}
          </MenuItem>
        </Menu>
      ) : (
        <>
          <Button busy={bulkTest.starting} onClick={testAll}>
            {!bulkTest.starting && <ActivityIcon />}
            {t.testAll}
          </Button>
          <Button onClick={onDeleteDisabled}>
            <TrashIcon />
            {t.deleteDisabled}
          </Button>
        </>
      )}
    </>
  )
}

/** How far the bulk test has come among the rows on the page; stays as its summary. */
function BulkProgress({ page, bulkTest: { run } }: Pick<BulkActionsProps, 'page' | 'bulkTest'>) {
  const t = useTexts(channelTexts)
  const progress = run === undefined || page === undefined ? undefined : bulkProgress(run, page.rows)
  return (
    <span role="status" className="text-muted text-sm tabular-nums">
      {progress !== undefined && progress.total > 0 && (
        <>
          {t.bulkProgress(String(progress.tested), String(progress.total))}
          {progress.failed > 0 && (
            <>
              {' · '}
              <span className="text-bad">{t.bulkFailures(String(progress.failed))}</span>
            </>
          )}
        </>
      )}
    </span>
  )
}
