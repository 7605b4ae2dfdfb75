export const en = {
  table: 'Table',
  copyCode: 'Copy code',
}
