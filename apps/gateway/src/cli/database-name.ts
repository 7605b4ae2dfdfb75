import { resolve } from 'node:path'
import type { DatabaseTarget } from '@sluice/store/database'

/** The operator's name of a database: its file, or its server without user and password. */
export function databaseName(target: DatabaseTarget): string {
  if ('sqliteFile' in target) return resolve(target.sqliteFile)
  const { protocol, host, pathname } = new URL(target.url)
  return `${protocol}//${host}${pathname}`
}
