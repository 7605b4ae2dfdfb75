import { resolve } from 'node:path'
import type { DatabaseTarget } from '@sluice/store/database'

/** How a database is named to an operator: by its file, or by its server without user and password. */
export function databaseName(target: DatabaseTarget): string {
  if ('sqliteFile' in target) return resolve(target.sqliteFile)
  const { protocol, host, pathname } = new URL(target.url)
  return `${protocol}//${host}${pathname}`
}
