import type { SourceWords } from '../source-engine.ts'

/** Every value has a type of its own, whatever its column declares. */
export const SQLITE_WORDS: SourceWords = {
  value: ({ sql }) => sql,
  // The order of SQLite puts texts and blobs beyond every number; reals are between the integers.
  key: ({ sql }) => ({ sql, where: `typeof(${sql}) = 'integer'` }),
  integer: ({ sql }) => `case when typeof(${sql}) = 'integer' then ${sql} end`,
  // Known from the head of the row, without reading the value.
  size: ({ sql }) => `octet_length(${sql})`,
  // A blob is not a name: its bytes would pass for a text.
  name: ({ sql }) => `case when typeof(${sql}) = 'blob' then x'ff' else cast(cast(${sql} as text) as blob) end`,
  exactText: ({ sql }) => `case when typeof(${sql}) = 'text' then cast(${sql} as blob) end`,
}
