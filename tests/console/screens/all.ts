import { accountScreens } from './account.ts'
import { alarmScreens } from './alarms.ts'
import { channelScreens } from './channels.ts'
import { contentScreens } from './content.ts'
import { dashboardScreens } from './dashboard.ts'
import { doctorScreens } from './doctor.ts'
import { groupScreens } from './groups.ts'
import { importScreens } from './imports.ts'
import { logScreens } from './logs.ts'
import { optionScreens } from './options.ts'
import { peopleScreens } from './people.ts'
import { playgroundImageScreens } from './playground-images.ts'
import { playgroundScreens } from './playground.ts'
import { publicScreens } from './public.ts'
import { routingScreens } from './routing.ts'
import type { Screen } from './screen.ts'
import { sessionScreens } from './session.ts'
import { usageSessionScreens } from './sessions.ts'
import { shellScreens } from './shell.ts'
import { tokenScreens } from './tokens.ts'

export const SCREENS: readonly Screen[] = [
  ...sessionScreens,
  ...shellScreens,
  ...contentScreens,
  ...dashboardScreens,
  ...playgroundScreens,
  ...playgroundImageScreens,
  ...tokenScreens,
  ...groupScreens,
  ...logScreens,
  ...usageSessionScreens,
  ...publicScreens,
  ...channelScreens,
  ...routingScreens,
  ...alarmScreens,
  ...doctorScreens,
  ...peopleScreens,
  ...accountScreens,
  ...optionScreens,
  ...importScreens,
]
