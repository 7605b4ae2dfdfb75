import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  keys: 'Keys',
  keysOf: (name: string) => `Keys of ${name}`,
  count: (count: string) => `${count} keys`,
  countOf: (count: string, name: string) => `${count} keys of ${name}`,
  showKeys: 'Show its keys',
  several: 'Several keys',
  each: (count: string) => `A channel for each key: ${count} channels`,
  allInOne: (count: string) => `All keys in this channel: ${count} keys`,
  inOneHint: 'Requests are spread across the keys; a refused key cools down while the others stay in use.',
  given: 'A new key',
  replaces: 'replaces the stored key',
  replacesMany: (count: string) => `replaces the ${count} stored keys`,
  added: 'is added to the stored keys',
  keepMany: (count: string) => `Leave empty to keep the ${count} stored keys.`,
  repeated: (count: string) => `Duplicates skipped: ${count}`,
  listHint: 'Only fingerprints are shown; the keys themselves are never shown again.',
  position: (position: string) => `Key ${position}`,
  state: { on: 'On', off: 'Off', refused: 'Disabled by the gateway' },
  modelsRest: (count: string) => `${count} models cooling down`,
  since: 'since',
  more: (count: string) => `Show ${count} more`,
  last: 'No other key is enabled; disable the channel instead.',
  only: 'The only key can be deleted only with its channel.',
  switchFailed: 'Key not changed',
  deleteTitle: (position: string) => `Delete key ${position}`,
  deleteText: (fingerprint: string) => `Are you sure you want to delete the key ${fingerprint}? It will be lost.`,
  delete: 'Delete',
  deleting: 'Deleting...',
  deleteFailed: 'Key not deleted',
  addLabel: 'Add keys, one per line',
  add: 'Add',
  addedNow: 'Keys added',
  addFailed: 'Keys not added',
  loadFailed: 'Failed to load the keys',
}

/** Texts about several keys of one channel. */
export const keyTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./keys-zh-cn.ts')).zhCN,
}
