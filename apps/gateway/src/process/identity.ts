import { hostname } from 'node:os'
import packageFile from '../../package.json' with { type: 'json' }

export const VERSION: string = packageFile.version

/** Name of this process among all that have ever used the database: machine, process id, and an id of this start. */
export function replicaName(id: string): string {
  return `${hostname()}:${process.pid}:${id}`
}

/** Describes this process for an operator who is looking for it. */
export function processInWords(started: Date): string {
  return `process ${process.pid} on ${hostname()}, started ${started.toISOString()},`
}
