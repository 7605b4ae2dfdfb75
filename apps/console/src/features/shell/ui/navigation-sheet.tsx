import { useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '~/ui/button.tsx'
import { Dialog } from '~/ui/dialog.tsx'
import { shellTexts } from '../texts/shell-texts.ts'
import { MenuIcon, NavigationList } from './navigation-list.tsx'

export function NavigationSheet() {
  const t = useTexts(shellTexts)
  const [open, setOpen] = useState(false)
  return (
    <div className="md:hidden">
      <IconButton label={t.openNavigation} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <MenuIcon />
      </IconButton>
      {open && (
        <Dialog side="left" title={t.navigation} onClose={() => setOpen(false)}>
          <nav aria-label={t.navigation} className="-mx-2">
            <NavigationList onFollow={() => setOpen(false)} />
          </nav>
        </Dialog>
      )}
    </div>
  )
}
