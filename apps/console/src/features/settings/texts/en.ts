export const en = {
  title: 'Settings',
  import: 'Import from another gateway',
  tabs: { personal: 'Personal', operation: 'Operation', system: 'System', other: 'Other' },
}
