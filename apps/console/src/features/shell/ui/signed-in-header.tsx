import type { SignedInUser } from '@sluice/contract/signed-in-user'
import { useCommandRegistry } from '~/lib/commands/use-commands.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '~/ui/button.tsx'
import { SearchIcon } from '~/ui/icons.tsx'
import { TipLayer } from '~/ui/tip-layer.tsx'
import { shellTexts } from '../texts/shell-texts.ts'
import { AccountMenu } from './account-menu.tsx'

/** The palette's button, the account menu, and the tooltips of all controls, which must be inside a landmark. */
export function SignedInHeader({ user }: { user: SignedInUser }) {
  const t = useTexts(shellTexts)
  const registry = useCommandRegistry()
  const openPalette = () =>
    registry
      .get()
      .find(({ id }) => id === 'palette')
      ?.run()
  return (
    <>
      <IconButton label={t.palette} aria-haspopup="dialog" aria-keyshortcuts="Control+K Meta+K" onClick={openPalette}>
        <SearchIcon />
      </IconButton>
      <AccountMenu user={user} />
      <TipLayer />
    </>
  )
}
