import { OwnProfile } from './own-profile.tsx'

/** The settings that are everybody's own. */
export function PersonalTab() {
  return <OwnProfile />
}
