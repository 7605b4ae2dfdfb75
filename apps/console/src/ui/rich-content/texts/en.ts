export const en = {
  embedded: (host: string) => `Page of ${host}`,
  openEmbedded: (host: string) => `Open ${host} in a new tab`,
}
