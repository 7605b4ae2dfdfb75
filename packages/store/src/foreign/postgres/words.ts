import type { SourceColumn, SourceWords } from '../source-engine.ts'

/** The only encoding that accepts any bytes as text. */
export const UNCHECKED_ENCODING = 'SQL_ASCII'

/** A value in a column of another type counts as an integer if its text is one. */
const asInteger = ({ sql, shape }: SourceColumn): string =>
  shape === 'integer'
    ? sql
    : `(case when ${textOf({ sql, shape })} ~ '^-?[0-9]{1,18}$' then ${textOf({ sql, shape })}::bigint end)`

/** Cast to text, a `bytea` would become its hex digits. */
const textOf = ({ sql, shape }: SourceColumn): string =>
  shape === 'bytes' ? `encode(${sql}, 'escape')` : `${sql}::text`

export function postgresWords(encoding: string): SourceWords {
  const isUnchecked = encoding === UNCHECKED_ENCODING
  return {
    value: (column) => (column.shape === 'text' ? textOf(column) : column.sql),
    key: (column) => ({ sql: asInteger(column), where: undefined }),
    integer: asInteger,
    size: ({ sql, shape }) =>
      shape === 'text' ? `octet_length(${sql}::text)` : shape === 'bytes' ? `octet_length(${sql})` : undefined,
    name: (column) => `${textOf(column)} collate "C"`,
    exactText: ({ sql, shape }) =>
      isUnchecked && shape === 'text' ? `convert_to(${sql}::text, '${UNCHECKED_ENCODING}')` : undefined,
  }
}
