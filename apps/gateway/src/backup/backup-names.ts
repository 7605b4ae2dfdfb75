/**
 * Names of scheduled backups: `sluice-<id>-<time>.db`, with the first 8 digits of the database's id, so that several installations
 * can share a place, and the time in UTC, as `20261124T201500Z`.
 */
const NAME = /^sluice-[0-9a-f]{8}-\d{8}T\d{6}Z\.db$/

/** The part before the time, which all backups of a database share. */
export function namePrefix(database: string): string {
  return `sluice-${database.slice(0, 8)}-`
}

/** `at` is unix milliseconds. */
export function backupName(database: string, at: number): string {
  return `${namePrefix(database)}${timeText(at)}.db`
}

export function isBackupName(name: string): boolean {
  return NAME.test(name)
}

/** Unix milliseconds as `20261124T201500Z`. */
export function timeText(at: number): string {
  return new Date(at).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
}
