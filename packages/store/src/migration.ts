import type { ColumnTypes } from './column-types.ts'

/**
 * One forward-only step. Add a file `migrations/NNNN-name.ts`, append it to `migrations/list.ts`, regenerate the committed
 * schema texts. A step that has been released is never edited.
 */
export interface Migration {
  /** `NNNN-what`: sorts by number, recorded in the table `applied_migration`. */
  readonly name: string
  /** True when the previous release's code cannot work with the result. A SQLite file is copied before such a step. */
  readonly breaking: boolean
  /** SQL that both engines understand, one statement each, in order; column types come from `t`. */
  readonly statements: (t: ColumnTypes) => readonly string[]
  /** Earlier steps with the same result: a database that has all of them skips this step; one that has only some is too old. */
  readonly replaces?: readonly string[]
}
