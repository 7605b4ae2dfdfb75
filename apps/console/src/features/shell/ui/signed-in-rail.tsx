import { NavigationRail } from './navigation-rail.tsx'
import { Shortcuts } from './shortcuts.tsx'

/** The navigation of wide windows, and the shortcuts, which have no place of their own. */
export function SignedInRail() {
  return (
    <>
      <NavigationRail />
      <Shortcuts />
    </>
  )
}
