import type { VersionWatch } from '@sluice/coordination/snapshot-versions'
import type { SnapshotName } from '@sluice/store/snapshots/versions'

/** Snapshots of rows in a relay thread: the main thread watches their versions and announces each change. */
export interface AnnouncedVersions extends Pick<VersionWatch, 'onChange'> {
  /** Reloads what depends on these rows. Rejects when a reload did: the main thread announces the change again. */
  changed(name: SnapshotName): Promise<void>
}

export function createAnnouncedVersions(): AnnouncedVersions {
  const reloads = new Set<{ readonly name: SnapshotName; readonly reload: () => Promise<void> }>()
  return {
    onChange: (name, reload) => {
      const entry = { name, reload }
      reloads.add(entry)
      return () => void reloads.delete(entry)
    },
    changed: async (name) => {
      await Promise.all([...reloads].filter((entry) => entry.name === name).map(({ reload }) => reload()))
    },
  }
}
