import { accountScreens } from './account.ts'
import { channelScreens } from './channels.ts'
import { optionScreens } from './options.ts'
import { peopleScreens } from './people.ts'
import type { Screen } from './screen.ts'
import { sessionScreens } from './session.ts'
import { tokenScreens } from './tokens.ts'

/** Every screen, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  ...sessionScreens,
  ...tokenScreens,
  ...channelScreens,
  ...peopleScreens,
  ...accountScreens,
  ...optionScreens,
]
