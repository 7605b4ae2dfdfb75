import * as v from 'valibot'
import { importOrder, importRun } from '../import.ts'
import { defineRoute } from '../route.ts'

export const latestImport = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/import/',
  access: 'data.import',
  summary: 'The latest check or import of another gateway, with its progress and report; null before there was one',
  data: v.nullable(importRun),
})
export const uploadImport = defineRoute({
  method: 'POST',
  path: '/api/import/upload',
  access: 'data.import',
  summary:
    'Upload another gateway’s SQLite file as it is; it is removed after its import, or an hour after it was last used',
  /** `name` is the file's, and is shown as the source. */
  query: v.object({ name: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100)), '') }),
  upload: true,
  data: v.object({ upload: v.string(), bytes: v.number() }),
})
export const startImport = defineRoute({
  method: 'POST',
  path: '/api/import/',
  access: 'data.import',
  summary:
    'Check or import the data of another gateway, and return the id of the run at once. Refused while another run is in progress',
  body: importOrder,
  data: v.object({ id: v.number() }),
})
export const stopImport = defineRoute({
  method: 'POST',
  path: '/api/import/stop',
  access: 'data.import',
  summary: 'Stop the running check or import; imported data stays, and repeating the import continues it',
})
