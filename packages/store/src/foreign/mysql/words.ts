import type { SourceColumn, SourceWords } from '../source-engine.ts'

/** Columns of other types than integers hold one where their text is one. */
const asInteger = ({ sql, shape }: SourceColumn): string =>
  shape === 'integer'
    ? sql
    : `(case when ${bytesOf({ sql, shape })} regexp '^-?[0-9]{1,18}$' then cast(${sql} as signed) end)`

/** The text in UTF-8, compared byte for byte and not as its collation would. */
const bytesOf = ({ sql, shape }: SourceColumn): string =>
  shape === 'bytes' ? sql : `cast(convert(${sql} using utf8mb4) as binary)`

export const MYSQL_WORDS: SourceWords = {
  value: ({ sql }) => sql,
  key: (column) => ({ sql: asInteger(column), where: undefined }),
  integer: asInteger,
  size: ({ sql, shape }) => (shape === 'text' || shape === 'bytes' ? `octet_length(${sql})` : undefined),
  // Short, because older servers join long values without an index.
  name: bytesOf,
  exactText: () => undefined,
}
