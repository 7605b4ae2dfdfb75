import type { Migration } from '../migration.ts'
import { baseline } from './0039-baseline.ts'
import { importedFields } from './0040-imported-fields.ts'

/** Every step, in order. The list is static, so that nothing is looked up on disk at run time. */
export const MIGRATIONS: readonly Migration[] = [baseline, importedFields]
