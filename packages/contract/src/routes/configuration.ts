import * as v from 'valibot'
import { appliedConfiguration, configurationPlan, exportedConfiguration } from '../configuration/plan.ts'
import { defineRoute } from '../route.ts'

/** YAML or JSON. References may name only the gateway's `SLUICE_SECRET_*` variables, and no files. */
const document = v.pipe(v.string(), v.minLength(1), v.maxLength(900_000))
/** Deletes everything that the document's owner has but the document no longer names, instead of only releasing it. */
const prune = v.optional(v.boolean(), false)

export const exportConfiguration = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/config/export',
  access: 'configuration.manage',
  summary: 'Options and channels as a configuration file, with references in place of secrets',
  data: exportedConfiguration,
})
export const configurationSchema = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/config/schema',
  access: 'configuration.manage',
  summary: 'The JSON Schema of a configuration file',
  data: v.record(v.string(), v.unknown()),
})
export const planConfiguration = defineRoute({
  method: 'POST',
  changes: false,
  path: '/api/config/plan',
  access: 'configuration.manage',
  summary: 'What applying a configuration file would change, and whose prices',
  body: v.object({ document, prune }),
  data: configurationPlan,
})
export const applyConfiguration = defineRoute({
  method: 'POST',
  path: '/api/config/apply',
  access: 'configuration.manage',
  summary:
    'Apply a configuration file in one transaction; with the `state` of a plan, only if nothing has changed since',
  body: v.object({ document, prune, state: v.optional(v.pipe(v.string(), v.maxLength(100))) }),
  data: appliedConfiguration,
})
export const releaseConfiguration = defineRoute({
  method: 'POST',
  path: '/api/config/release',
  access: 'configuration.manage',
  summary: 'Release everything that a configuration file owns; values stay as they are. Returns how many were released',
  body: v.object({ owner: v.pipe(v.string(), v.minLength(1), v.maxLength(64)) }),
  data: v.number(),
})
