export const en = {
  table: 'Table',
  copyCode: 'Copy code',
  formula: 'Formula',
  embedded: (host: string) => `Page of ${host}`,
  openEmbedded: (host: string) => `Open ${host} in a new tab`,
}
