import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  title: 'Your own provider keys',
  stepUpText: 'The holder of the provider’s account can read what you send.',
  text: 'Calls use your own key for a provider first, and the provider bills you for them. Keys are stored encrypted and never shown again.',
  failed: 'Your own keys could not be loaded',
  none: 'You have not stored any keys.',
  unused: 'No channel accepts users’ own keys, so there is nothing to add.',
  add: 'Add key',
  editOf: (vendor: string) => `Change the key for ${vendor}`,
  removeOf: (vendor: string) => `Remove the key for ${vendor}`,
  added: 'stored',
  fallsBack: 'Falls back to the platform’s channels, at their price',
  ownOnly: 'The platform’s channels are not used',
  vendor: 'Provider',
  label: 'Label',
  labelHint: 'Optional: a name to recognise the key by.',
  labelLong: 'The label is limited to 64 characters',
  key: 'Key',
  keyHint: 'Exactly as the provider issued it.',
  keepHint: 'Leave it empty to keep the current key.',
  keyShort: 'The key must be at least 8 characters',
  fallback: 'Fall back to the platform’s channels',
  fallbackHint:
    'If your key is refused, out of quota or failing, calls continue at the platform’s price instead of failing.',
  save: 'Save',
  saving: 'Saving…',
  saved: 'The key was saved',
  saveFailed: 'The key could not be saved',
  removeTitle: 'Remove the key?',
  removeText: (vendor: string) =>
    `Calls will no longer use your key for ${vendor}. Where the platform offers its models, the platform’s prices apply.`,
  remove: 'Remove',
  removing: 'Removing…',
  removed: 'The key was removed',
  removeFailed: 'The key could not be removed',
}

export const ownKeyTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./own-key-zh-cn.ts')).zhCN,
}
