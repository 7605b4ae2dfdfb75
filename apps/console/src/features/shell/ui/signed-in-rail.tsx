import { TipLayer } from '../../../ui/tip-layer.tsx'
import { NavigationRail } from './navigation-rail.tsx'
import { Shortcuts } from './shortcuts.tsx'

/** The navigation of wide windows, and what has no place of its own: the shortcuts and the tips. */
export function SignedInRail() {
  return (
    <>
      <NavigationRail />
      <Shortcuts />
      <TipLayer />
    </>
  )
}
