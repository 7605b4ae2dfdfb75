import { NavigationRail } from './navigation-rail.tsx'
import { Shortcuts } from './shell-shortcuts.tsx'

/** The navigation of wide windows, and the shortcuts, which render nothing themselves. */
export function SignedInRail() {
  return (
    <>
      <NavigationRail />
      <Shortcuts />
    </>
  )
}
