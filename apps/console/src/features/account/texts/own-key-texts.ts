import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  title: 'Own keys of providers',
  stepUpText: 'The holder of the provider’s account can read what you send.',
  text: 'Your calls use your own key of a provider first, and the provider bills you for them. It is stored encrypted and never shown again.',
  failed: 'Your own keys could not be loaded',
  none: 'You have stored none.',
  unused: 'No channel takes keys of its users, so there is nothing to add.',
  add: 'Add key',
  editOf: (vendor: string) => `Change the key of ${vendor}`,
  removeOf: (vendor: string) => `Remove the key of ${vendor}`,
  added: 'stored',
  fallsBack: 'The platform’s channels follow, at their price',
  ownOnly: 'The platform’s channels are not used',
  vendor: 'Provider',
  label: 'Label',
  labelHint: 'Optional: what you know the key by.',
  labelLong: 'The label is limited to 64 characters',
  key: 'Key',
  keyHint: 'As the provider gave it to you.',
  keepHint: 'Leave it empty to keep the present key.',
  keyShort: 'The key must be at least 8 characters',
  fallback: 'Then use the platform’s channels',
  fallbackHint:
    'When your key is refused, used up or out of order, calls go on at the platform’s price instead of failing.',
  save: 'Save',
  saving: 'Saving…',
  saved: 'The key was saved',
  saveFailed: 'The key could not be saved',
  removeTitle: 'Remove the key?',
  removeText: (vendor: string) =>
    `Calls no longer use your key of ${vendor}. Where the platform serves the models, it charges for them.`,
  remove: 'Remove',
  removing: 'Removing…',
  removed: 'The key was removed',
  removeFailed: 'The key could not be removed',
}

export const ownKeyTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./own-key-zh-cn.ts')).zhCN,
}
