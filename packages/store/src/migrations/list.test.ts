import { expect, test } from 'vitest'
import { COLUMN_TYPES } from '../column-types.ts'
import { MIGRATIONS } from './list.ts'

/** While replicas are replaced one by one, the previous version runs on the new schema. */
test('a step that is not breaking leaves every statement of older code working: it drops and renames nothing, and new columns need no value', () => {
  const wrong = MIGRATIONS.filter(({ breaking }) => !breaking).flatMap(({ name, statements }) =>
    [...statements(COLUMN_TYPES.postgres), ...statements(COLUMN_TYPES.sqlite)]
      .filter(
        (statement) =>
          /\b(drop (table|column)|rename)\b/i.test(statement) ||
          (/add column/i.test(statement) && /not null(?! default)/i.test(statement)),
      )
      .map((statement) => `${name}: ${statement.slice(0, 80)}`),
  )
  expect(wrong).toEqual([])
})
